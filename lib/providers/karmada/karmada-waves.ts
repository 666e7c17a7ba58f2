import type { Diagnostic } from '../../engine/diagnostic.js';
import type { Plan } from '../../engine/plan.js';
import type { Opening, RolloutEvent, RolloutState } from '../../engine/rollout/index.js';
import { nextWakeAt, outcomeOf, startRollout, step } from '../../engine/rollout/index.js';
import type { Clock } from '../rollout/clock.js';
import { phaseChanges, type RolloutProgress, type WithoutTime } from '../rollout/events.js';
import { openingsOf } from '../rollout/openings.js';
import { Asking } from './asking.js';
import { ClusterBoard } from './cluster-board.js';
import { approvedBefore, isUntouched, provenBefore, releasedBefore } from './earlier-run.js';
import { keptClusters } from './kept-clusters.js';
import type { Mirror } from './mirror.js';
import { PHASE_SECONDS, wallOf, type KarmadaRolloutOptions } from './options.js';
import { patienceOf } from './patience.js';
import type { Prepared } from './prepare.js';
import { stoppedBy, type Stepper } from './stepper.js';
import { waitForChange } from './wait-for-change.js';

type Tell = (event: WithoutTime<RolloutProgress>) => void;

/** Drives the wave state machine from what bindings and Works show, and the stepper from what the machine allows. */
export class KarmadaWaves {
  state: RolloutState;
  readonly board: ClusterBoard;
  /** Clusters that others keep suspended, with the policies that do. */
  kept: ReadonlyMap<string, ReadonlySet<string>> = new Map();
  private readonly plan: Plan;
  private readonly mirror: Mirror;
  private readonly clock: Clock;
  private readonly options: KarmadaRolloutOptions;
  private readonly tell: Tell;
  private readonly asking: Asking;
  /** Since the last look, another cluster's turn has come. */
  private isAnyoneNext = false;
  /** Of the control plane, as last told. */
  private phase = '';
  private wake = new AbortController();

  constructor(
    plan: Plan,
    mirror: Mirror,
    clock: Clock,
    options: KarmadaRolloutOptions,
    tell: Tell,
  ) {
    this.plan = plan;
    this.mirror = mirror;
    this.clock = clock;
    this.options = options;
    this.tell = tell;
    this.asking = new Asking(plan.waves, options.askApproval);
    this.board = new ClusterBoard(plan, tell);
    this.state = this.fresh(new Set());
  }

  get outcome(): ReturnType<typeof outcomeOf> {
    return outcomeOf(this.state);
  }

  /** From the first write to the last wave. Returns what stopped it, if something did. */
  async run(stepper: Stepper, prepared: Prepared): Promise<Diagnostic | undefined> {
    const { pause, signal } = this.options;
    const released = releasedBefore(prepared, this.mirror);
    this.state = this.fresh(provenBefore(this.plan.waves, released, prepared));
    const onPause = (): void => this.send({ kind: 'pause' }, stepper);
    const onAbort = (): void => this.send({ kind: 'abort' }, stepper);
    pause?.addEventListener('abort', onPause);
    signal?.addEventListener('abort', onAbort);
    try {
      if (pause?.aborted === true) onPause();
      if (signal?.aborted === true) onAbort();
      this.approve(stepper, released, prepared);
      if (this.isHeldAtOnce(prepared)) this.send({ kind: 'start' }, stepper);
      return this.state.started ? undefined : await this.loop(stepper, prepared);
    } finally {
      pause?.removeEventListener('abort', onPause);
      signal?.removeEventListener('abort', onAbort);
    }
  }

  /** Record the last step for the report. */
  settled(clusters: readonly string[], reason: string | undefined): void {
    const phase = reason === undefined ? 'settled' : 'failed';
    this.state = {
      ...this.state,
      settle: Object.fromEntries(
        clusters.map((name) => [name, { phase, ...(reason !== undefined && { reason }) }]),
      ),
    };
  }

  private async loop(stepper: Stepper, prepared: Prepared): Promise<Diagnostic | undefined> {
    const patience = patienceOf(this.clock, this.options.phaseSeconds ?? PHASE_SECONDS);
    const answered = (wave?: string): void => {
      if (wave !== undefined) this.send({ kind: 'approve', wave }, stepper);
      this.wake.abort();
    };
    for (;;) {
      const action = await stepper.advance(this.options.signal);
      if (action.kind === 'stop') return stoppedBy(action);
      this.tellWhatFor(action);
      if (action.phase === 'stepping' && !this.state.started) this.send({ kind: 'start' }, stepper);
      this.isAnyoneNext = false;
      if (this.state.started) this.look(stepper, prepared);
      if (this.isAnyoneNext) continue;
      const outcome = this.outcome;
      if (outcome !== 'running' && !this.asking.tryAsk(outcome, this.state, answered))
        return undefined;
      const late = patience(action.phase === 'stepping' ? [] : action.waitingFor);
      if (late !== undefined) return late;
      await this.sleep();
      if (this.state.started) this.send({ kind: 'tick' }, stepper);
    }
  }

  /** Once a phase: while everything is held, and while Karmada decides, no cluster has anything to show. */
  private tellWhatFor({
    phase,
    waitingFor,
  }: Awaited<ReturnType<Stepper['advance']>> & { kind: 'wait' }): void {
    const [first] = waitingFor;
    if (phase === this.phase || phase === 'stepping' || first === undefined) return;
    this.phase = phase;
    const more = waitingFor.length > 1 ? ` and ${waitingFor.length - 1} more` : '';
    const what = phase === 'holding' ? 'everything is held' : 'Karmada decides';
    this.tell({
      kind: 'note',
      cluster: 'control plane',
      message: `${what}: waits for ${first}${more}`,
    });
  }

  private async sleep(): Promise<void> {
    if (this.wake.signal.aborted) this.wake = new AbortController();
    const until = Math.min(nextWakeAt(this.state) ?? Infinity, this.clock.now() + 1000);
    await waitForChange(this.mirror, this.clock, until, this.wake.signal);
  }

  /** Tell the machine what has become of every cluster at work. */
  private look(stepper: Stepper, { policyGoals }: Prepared): void {
    this.kept = keptClusters(policyGoals, this.mirror);
    for (const wave of this.state.waves) {
      for (const [cluster, { phase }] of Object.entries(wave.clusters)) {
        if (phase !== 'applying' && phase !== 'observing' && phase !== 'ready') continue;
        const open = this.board.look(cluster, stepper);
        const isKept = this.kept.has(cluster);
        if (open === undefined || isKept) {
          if (phase !== 'ready')
            this.send({ kind: 'ready', cluster, proven: isKept, grown: false }, stepper);
        } else if (phase === 'ready')
          this.send({ kind: 'unready', cluster, reason: open.waitingFor }, stepper);
        else if (phase === 'applying' && stepper.isReleased(cluster))
          this.send({ kind: 'applied', cluster }, stepper);
      }
    }
  }

  private send(event: WithoutTime<RolloutEvent>, stepper: Stepper): void {
    const before = this.state;
    const { state, effects } = step(before, { ...event, at: this.clock.now() });
    this.state = state;
    for (const change of phaseChanges(before, state)) this.tell(change);
    for (const effect of effects) {
      if (effect.kind === 'apply') {
        stepper.mayRelease.add(effect.cluster);
        this.isAnyoneNext = true;
      }
      // What is not released yet must not be any more; what is, stays so.
      if (effect.kind === 'stop') stepper.mayRelease.delete(effect.cluster);
    }
    if (event.kind !== 'tick') this.wake.abort();
  }

  /** Nobody to ask, and the first wave may not start: then the control plane is left as it is. */
  private isHeldAtOnce(prepared: Prepared): boolean {
    if (!isUntouched(prepared, this.mirror)) return false;
    const { state } = step(this.state, { kind: 'start', at: this.clock.now() });
    const reason = state.waves.find(({ phase }) => phase === 'held')?.reason;
    const mayAsk = reason === 'approval' && this.options.askApproval !== undefined;
    return outcomeOf(state) === 'held' && !mayAsk;
  }

  private approve(stepper: Stepper, released: ReadonlySet<string>, prepared: Prepared): void {
    const { approve = [] } = this.options;
    const recorded = approvedBefore(prepared, this.mirror);
    for (const { name, clusters } of this.plan.waves) {
      // A wave that an earlier run has begun was approved then.
      const isBegun = clusters.some((cluster) => released.has(cluster));
      if (approve === 'all' || [...approve, ...recorded].includes(name) || isBegun)
        this.send({ kind: 'approve', wave: name }, stepper);
    }
  }

  private fresh(proven: ReadonlySet<string>): RolloutState {
    const { waves } = this.plan;
    const now = this.clock.now();
    return startRollout({ waves, proven, settle: [], openings: this.openings(now), now });
  }

  /** Windows are told by the wall; the machine runs on a steady clock. */
  private openings(now: number): Readonly<Record<string, readonly Opening[]>> {
    if (this.options.ignoreWindows === true) return {};
    const wall = wallOf(this.options);
    const toSteady = ({ from, until }: Opening): Opening => ({
      from: from - wall + now,
      until: until - wall + now,
    });
    return Object.fromEntries(
      Object.entries(openingsOf(this.plan.waves, wall)).map(([wave, openings]) => [
        wave,
        openings.map(toSteady),
      ]),
    );
  }
}
