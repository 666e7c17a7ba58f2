import type { PlannedWave } from '../../engine/plan.js';
import type {
  RolloutEffect,
  RolloutEvent,
  RolloutState,
  TouchedWave,
} from '../../engine/rollout/index.js';
import {
  nextWakeAt,
  outcomeOf,
  startRollout,
  step,
  wavesToRollBack,
} from '../../engine/rollout/index.js';
import type { Connect } from '../cluster/client.js';
import { STEADY_CLOCK, type Clock } from './clock.js';
import { findChangedMeanwhile, withChanged } from './changed-meanwhile.js';
import { ClusterWork } from './cluster-work.js';
import { phaseChanges, type RolloutProgress, type WithoutTime } from './events.js';
import { describeOtherApproval } from './prove-release.js';
import { announceRollback, keepRevision, type RolloutPlan } from './keep-revision.js';
import { lookAtGates } from './look-at-gates.js';
import { steadyOpenings } from './openings.js';
import { patientClient } from './patient-client.js';
import { reportOf, withOpening, type RollbackReport, type RolloutReport } from './report.js';
import { findWayBack } from './roll-back.js';
import type { RolloutOptions } from './rollout-options.js';
import { needsSettling } from './settle-release.js';
import { inWorkOrder } from './work-order.js';

/**
 * Roll a plan out: wave by wave, each only after the one before has proven itself, and what shrinks or goes at the very
 * end. Continues what an earlier run left, from what the clusters show. Never throws for what clusters do.
 *
 * `connect` is asked several times for a cluster and should answer with the same client; closing it is the caller's.
 *
 * One bad cluster stays one bad cluster: the others of its wave finish, then the gate decides; later waves are untouched.
 * Where the gate says so, the clusters of the run then go back to the newest kept revision, last wave first; the run has
 * failed all the same.
 */
export function runRollout(
  plan: RolloutPlan,
  connect: Connect,
  options: RolloutOptions = {},
): Promise<RolloutReport> {
  return new Run(plan, connect, options).withRollback();
}

/** Drives the state machine: turns effects into work, and what becomes of the work into events. */
class Run {
  private state: RolloutState;
  private readonly plan: RolloutPlan;
  private readonly waves: readonly PlannedWave[];
  private readonly connect: Connect;
  private readonly options: RolloutOptions;
  private readonly clock: Clock;
  private readonly work: ClusterWork;
  private readonly startedAt: number;
  /** Replaced with every step; the old one ends with it. */
  private wake = new AbortController();
  private readonly asked = new Set<string>();
  private finish: () => void = () => undefined;
  private isOver = false;
  private crashed: { readonly error: unknown } | undefined;

  constructor(plan: RolloutPlan, connect: Connect, options: RolloutOptions) {
    this.plan = plan;
    this.waves = inWorkOrder(plan, options.unready ?? new Set());
    this.connect = connect;
    this.options = options;
    this.clock = options.clock ?? STEADY_CLOCK;
    this.startedAt = this.clock.now();
    const settle = plan.releases.filter(needsSettling).map(({ cluster }) => cluster);
    this.state = startRollout({
      waves: this.waves,
      proven: new Set(),
      settle,
      now: this.startedAt,
    });
    this.work = new ClusterWork(plan, connect, {
      ...options,
      clock: this.clock,
      send: (event) => this.send(event),
      tell: (event) => this.tell(event),
      crash: (error) => {
        this.crashed ??= { error };
        this.end();
      },
    });
  }

  async withRollback(): Promise<RolloutReport> {
    const report = await this.toEnd();
    const touched = wavesToRollBack(this.state);
    return touched.length === 0 ? report : { ...report, rollback: await this.rollBack(touched) };
  }

  private async rollBack(touched: readonly TouchedWave[]): Promise<RollbackReport> {
    const way = await findWayBack(this.plan, touched, this.patiently);
    if (way.kind === 'none') return { obstacles: [way.why] };
    const { prepared, obstacles } = way;
    const { revision, lockSerial, plan } = prepared;
    if (plan.releases.length === 0) return { revision, lockSerial, obstacles };
    this.tell({ kind: 'rollback', revision, waves: plan.waves.map(({ name }) => name) });
    const startedAt = Math.round(this.clock.now() - this.startedAt);
    const back = new Run(plan, this.connect, {
      ...this.options,
      approve: 'all',
      keep: false,
      onEvent: (event) => this.options.onEvent?.({ ...event, atMs: event.atMs + startedAt }),
    });
    return { revision, lockSerial, report: await back.toEnd(), obstacles };
  }

  private async toEnd(): Promise<RolloutReport> {
    const { pause, signal, approve = [] } = this.options;
    const look = await lookAtGates(this.plan, this.connect, this.clock);
    const { proven, approved } = look;
    // What this run approves needs no other approval.
    const { waves } = this;
    const asking = waves.filter(({ name }) => approve !== 'all' && !approve.includes(name));
    const waiting = new Set(asking.flatMap(({ clusters }) => clusters));
    for (const other of look.approvedOther.filter(({ cluster }) => waiting.has(cluster)))
      this.tell({ kind: 'note', cluster: other.cluster, message: describeOtherApproval(other) });
    const settle = Object.keys(this.state.settle);
    const now = this.clock.now();
    const wall = this.wallNow();
    const isAnyTime = this.options.ignoreWindows === true;
    if (this.options.keep !== false) await announceRollback(this.plan, this.patiently);
    const openings = isAnyTime ? {} : steadyOpenings(this.plan.waves, wall, now);
    this.state = startRollout({ waves, proven, settle, openings, now });
    const over = new Promise<void>((resolve) => (this.finish = resolve));
    const onPause = (): void => this.send({ kind: 'pause' });
    const onAbort = (): void => this.send({ kind: 'abort' });
    pause?.addEventListener('abort', onPause);
    signal?.addEventListener('abort', onAbort);
    if (pause?.aborted === true) onPause();
    if (signal?.aborted === true) onAbort();
    const named = approve === 'all' ? waves.map(({ name }) => name) : approve;
    for (const wave of [...named, ...approved]) this.send({ kind: 'approve', wave });
    this.send({ kind: 'start' });
    await over;
    pause?.removeEventListener('abort', onPause);
    signal?.removeEventListener('abort', onAbort);
    await this.work.end();
    if (this.crashed !== undefined) throw this.crashed.error;
    const isDone = outcomeOf(this.state) === 'done';
    const { releases } = this.plan;
    const changed = isDone
      ? await findChangedMeanwhile(releases, this.patiently, this.options)
      : new Map<never, never>();
    if (isDone && changed.size === 0 && this.options.keep !== false) await this.keep();
    const outcome = changed.size === 0 ? outcomeOf(this.state) : 'failed';
    this.tell({ kind: 'outcome', outcome });
    const took = this.clock.now() - this.startedAt;
    const report = withChanged(reportOf(this.plan, this.state, this.work.results, took), changed);
    return withOpening(report, this.state, (at) => at - now + wall);
  }

  private wallNow(): number {
    return this.options.wallNow?.() ?? Date.now();
  }

  private readonly patiently: Connect = async (cluster) => {
    const { signal = new AbortController().signal, unreachableSeconds = 30 } = this.options;
    const patience = { clock: this.clock, silenceMs: unreachableSeconds * 1000, signal };
    return patientClient(await this.connect(cluster), patience);
  };

  private async keep(): Promise<void> {
    await keepRevision(this.plan, this.work.results, this.patiently, {
      note: (cluster, message) => this.tell({ kind: 'note', cluster, message }),
      interpreters: this.options.interpreters ?? [],
    });
  }

  private send(event: WithoutTime<RolloutEvent>): void {
    if (this.isOver) return;
    const before = this.state;
    const { state, effects } = step(before, { ...event, at: this.clock.now() });
    this.state = state;
    for (const change of phaseChanges(before, state)) this.tell(change);
    for (const effect of effects) this.carryOut(effect);
    this.setWake();
    this.endOrAsk();
  }

  private carryOut(effect: RolloutEffect): void {
    switch (effect.kind) {
      case 'apply':
        return this.work.apply(effect.cluster, effect.deadlineAt);
      case 'stop':
        return this.work.stop(effect.cluster);
      case 'prove':
        return this.work.prove(effect.clusters);
      case 'settle':
        return this.work.settle(effect.cluster);
    }
  }

  private setWake(): void {
    this.wake.abort();
    const at = nextWakeAt(this.state);
    if (at === undefined) return;
    const wake = (this.wake = new AbortController());
    const ms = Math.max(0, at - this.clock.now());
    void this.clock.sleep(ms, wake.signal).then(() => {
      if (!wake.signal.aborted) this.send({ kind: 'tick' });
    });
  }

  private endOrAsk(): void {
    const outcome = outcomeOf(this.state);
    if (outcome === 'running' || this.isOver) return;
    const wave = this.waveToAskFor();
    if (outcome === 'held' && wave !== undefined) return this.ask(wave);
    this.end();
  }

  private end(): void {
    this.isOver = true;
    this.wake.abort();
    this.finish();
  }

  private waveToAskFor(): PlannedWave | undefined {
    const held = this.state.waves.find(
      ({ phase, reason }) => phase === 'held' && reason === 'approval',
    );
    if (this.options.askApproval === undefined || held === undefined) return undefined;
    return this.plan.waves.find(({ name }) => name === held.name);
  }

  /** Once for each wave; until the answer comes the run neither works nor ends. */
  private ask(wave: PlannedWave): void {
    if (this.asked.has(wave.name)) return;
    this.asked.add(wave.name);
    const answer = this.options.askApproval?.(wave) ?? Promise.resolve(false);
    void answer
      .catch(() => false)
      .then((approved) =>
        approved ? this.send({ kind: 'approve', wave: wave.name }) : this.end(),
      );
  }

  private tell(event: WithoutTime<RolloutProgress>): void {
    this.options.onEvent?.({ ...event, atMs: Math.round(this.clock.now() - this.startedAt) });
  }
}
