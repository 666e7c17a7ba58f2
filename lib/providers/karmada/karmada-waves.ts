import { compareStrings, sorted } from '../../engine/compare.js';
import type { Diagnostic } from '../../engine/diagnostic.js';
import type { BindingGoal, KarmadaAction, Stage } from '../../engine/karmada/index.js';
import { policyKey, stageOf } from '../../engine/karmada/index.js';
import { describePolicy, keptByOthers } from '../../engine/karmada/next-action.js';
import { refKey } from '../../engine/object.js';
import type { Plan, PlannedWave } from '../../engine/plan.js';
import type { RolloutEvent, RolloutState } from '../../engine/rollout/index.js';
import { nextWakeAt, outcomeOf, startRollout, step } from '../../engine/rollout/index.js';
import type { Clock } from '../rollout/clock.js';
import { phaseChanges, type RolloutProgress, type WithoutTime } from '../rollout/events.js';
import type { ObjectResult, ReleaseResult } from '../rollout/result.js';
import type { Mirror } from './mirror.js';
import type { KarmadaRolloutOptions } from './options.js';
import type { Prepared } from './prepare.js';
import type { Stepper } from './stepper.js';

type Tell = (event: WithoutTime<RolloutProgress>) => void;

/** Drives the wave state machine from what bindings and Works show, and the stepper from what the machine allows. */
export class KarmadaWaves {
  state: RolloutState;
  readonly results = new Map<string, ReleaseResult>();
  /** Clusters that others keep suspended, with the policies that do. */
  readonly kept = new Map<string, Set<string>>();
  private readonly plan: Plan;
  private readonly mirror: Mirror;
  private readonly clock: Clock;
  private readonly options: KarmadaRolloutOptions;
  private readonly tell: Tell;
  private readonly told = new Map<string, string>();
  private readonly asked = new Set<string>();
  private isAsking = false;
  private isRefused = false;
  private hints = new Map<string, string>();
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
    this.state = this.fresh(new Set());
  }

  get outcome(): ReturnType<typeof outcomeOf> {
    return outcomeOf(this.state);
  }

  /** Why a cluster is not done, and what to look at. */
  hintOf(cluster: string): string | undefined {
    return this.hints.get(cluster);
  }

  /** From the first write to the last wave. Returns what stopped it, if something did. */
  async run(stepper: Stepper, prepared: Prepared): Promise<Diagnostic | undefined> {
    const { pause, signal } = this.options;
    const released = releasedBefore(stepper, prepared);
    this.state = this.fresh(this.provenOf(released, prepared));
    const onPause = (): void => this.send({ kind: 'pause' }, stepper);
    const onAbort = (): void => this.send({ kind: 'abort' }, stepper);
    pause?.addEventListener('abort', onPause);
    signal?.addEventListener('abort', onAbort);
    try {
      if (pause?.aborted === true) onPause();
      if (signal?.aborted === true) onAbort();
      this.approve(stepper, released);
      return await this.loop(stepper, prepared);
    } finally {
      pause?.removeEventListener('abort', onPause);
      signal?.removeEventListener('abort', onAbort);
    }
  }

  /** One pass without waves: until every stage has passed. */
  async runAtOnce(stepper: Stepper): Promise<Diagnostic | undefined> {
    const patience = this.patience();
    for (;;) {
      const action = await stepper.advance(this.options.signal);
      if (action.kind === 'stop') return toDiagnostic(action);
      if (this.options.signal?.aborted === true) return INTERRUPTED;
      const open = action.phase === 'stepping' ? openStages(stepper) : action.waitingFor;
      if (action.phase === 'stepping' && open.length === 0) return undefined;
      const late = patience(open);
      if (late !== undefined) return late;
      await this.pauseUntil(this.clock.now() + 1000);
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

  keptFindings(): readonly Diagnostic[] {
    const byPolicy = new Map<string, string[]>();
    for (const [cluster, policies] of this.kept)
      for (const policy of policies)
        byPolicy.set(policy, sorted([...(byPolicy.get(policy) ?? []), cluster], compareStrings));
    return sorted(byPolicy, ([a], [b]) => compareStrings(a, b)).map(([policy, clusters]) => ({
      code: 'KARMADA_SUSPENDED_BY_OTHERS',
      severity: 'warning',
      summary: `${policy}: ${clusters.join(', ')} ${clusters.length === 1 ? 'stays' : 'stay'} suspended by somebody else, and ${clusters.length === 1 ? 'keeps what it has' : 'keep what they have'}.`,
      hint: 'Take it off spec.suspension.dispatchingOnClusters when it may change, and run again.',
    }));
  }

  /** A wave that asks for a rollback when it fails: a control plane keeps no earlier version to go back to. */
  notRolledBack(): readonly Diagnostic[] {
    return this.state.waves
      .filter(({ phase, gate }) => phase === 'failed' && gate.onFailure === 'rollback')
      .map(({ name }) => ({
        code: 'KARMADA_STOPPED',
        severity: 'warning',
        summary: `Wave ${name} failed and is not rolled back: that is not done through a control plane.`,
        hint: 'Put the earlier template back and run again; clusters that were not released have not seen the change.',
      }));
  }

  private async loop(stepper: Stepper, prepared: Prepared): Promise<Diagnostic | undefined> {
    const patience = this.patience();
    for (;;) {
      const action = await stepper.advance(this.options.signal);
      if (action.kind === 'stop') return toDiagnostic(action);
      if (action.phase === 'stepping' && !this.state.started) this.send({ kind: 'start' }, stepper);
      const before = stepper.mayRelease.size;
      if (this.state.started) this.look(stepper, prepared);
      if (stepper.mayRelease.size > before) continue;
      const outcome = this.outcome;
      if (outcome !== 'running' && !this.tryAsk(outcome, stepper)) return undefined;
      if (action.phase !== 'stepping') {
        const late = patience(action.waitingFor);
        if (late !== undefined) return late;
      } else patience([]);
      await this.pauseUntil(Math.min(nextWakeAt(this.state) ?? Infinity, this.clock.now() + 1000));
      if (this.state.started) this.send({ kind: 'tick' }, stepper);
    }
  }

  /** Tell the machine what has become of every cluster at work. */
  private look(stepper: Stepper, prepared: Prepared): void {
    this.noteKept(prepared);
    const view = stepper.view;
    for (const wave of this.state.waves) {
      for (const [cluster, { phase }] of Object.entries(wave.clusters)) {
        if (phase !== 'applying' && phase !== 'observing' && phase !== 'ready') continue;
        const stages = stepper.bindings
          .filter(({ shares }) => shares.some((share) => share.cluster === cluster))
          .map((goal) => ({
            goal,
            stage: stageOf(goal, view.bindings.get(refKey(goal.resource)), cluster),
          }));
        this.record(cluster, stages);
        const open = stages.find(({ stage }) => !stage.passed)?.stage;
        const isKept = this.kept.has(cluster);
        if (open?.hint !== undefined) this.hints.set(cluster, open.hint);
        else this.hints.delete(cluster);
        if (open === undefined || isKept) {
          if (phase !== 'ready')
            this.send({ kind: 'ready', cluster, proven: isKept, grown: false }, stepper);
        } else if (phase === 'ready')
          this.send({ kind: 'unready', cluster, reason: open.waitingFor }, stepper);
        else if (phase === 'applying' && this.isReleased(cluster, prepared))
          this.send({ kind: 'applied', cluster }, stepper);
      }
    }
  }

  private noteKept({ grow }: Prepared): void {
    this.kept.clear();
    for (const goal of grow.goal.policies) {
      const view = this.mirror.policy(goal.policy);
      if (view === undefined) continue;
      const { byPerson, byDocument } = keptByOthers(goal, view);
      for (const cluster of [...byPerson, ...byDocument]) {
        const policies = this.kept.get(cluster) ?? new Set();
        this.kept.set(cluster, policies.add(describePolicy(goal.policy)));
      }
    }
  }

  private isReleased(cluster: string, { grow }: Prepared): boolean {
    return grow.goal.policies.every(
      ({ policy }) => this.mirror.policy(policy)?.suspended.includes(cluster) !== true,
    );
  }

  private record(
    cluster: string,
    stages: readonly { readonly goal: BindingGoal; readonly stage: Stage }[],
  ): void {
    const release = this.plan.releases.find((one) => one.cluster === cluster);
    const objects = stages.map(({ goal, stage }): ObjectResult => {
      const manifest = release?.manifests.find(
        ({ resource }) => refKey(resource) === refKey(goal.resource),
      );
      return {
        resource: goal.resource,
        revision: manifest?.revision ?? '',
        action: stage.passed ? 'updated' : 'pending',
        ready: stage.passed,
        waitingFor: stage.waitingFor,
        ...(goal.generation !== undefined && { generation: goal.generation }),
        ...(stage.passed &&
          goal.generation !== undefined && { observedGeneration: goal.generation }),
      };
    });
    this.results.set(cluster, {
      cluster,
      outcome: objects.every(({ ready }) => ready) ? 'ready' : 'failed',
      changed: true,
      grown: false,
      proven: false,
      objects,
      failures: [],
    });
    for (const { resource, ready, waitingFor } of objects) {
      const key = `${cluster} ${refKey(resource)}`;
      const text = ready ? 'ready' : waitingFor;
      if (this.told.get(key) === text) continue;
      this.told.set(key, text);
      const progress = ready
        ? ({ kind: 'ready', resource } as const)
        : ({ kind: 'waiting', resource, waitingFor } as const);
      this.tell({ kind: 'object', cluster, progress });
    }
  }

  private send(event: WithoutTime<RolloutEvent>, stepper: Stepper): void {
    const before = this.state;
    const { state, effects } = step(before, { ...event, at: this.clock.now() });
    this.state = state;
    for (const change of phaseChanges(before, state)) this.tell(change);
    for (const effect of effects)
      if (effect.kind === 'apply') stepper.mayRelease.add(effect.cluster);
    if (event.kind !== 'tick') this.wake.abort();
  }

  private approve(stepper: Stepper, released: ReadonlySet<string>): void {
    const { approve = [] } = this.options;
    for (const { name, clusters } of this.plan.waves) {
      // A wave that an earlier run has begun was approved then.
      const isBegun = clusters.some((cluster) => released.has(cluster));
      if (approve === 'all' || approve.includes(name) || isBegun)
        this.send({ kind: 'approve', wave: name }, stepper);
    }
  }

  /** Whether to go on although the machine has come to rest: somebody is being asked. */
  private tryAsk(outcome: ReturnType<typeof outcomeOf>, stepper: Stepper): boolean {
    if (this.isAsking) return true;
    const { askApproval } = this.options;
    const held = this.state.waves.find(({ phase }) => phase === 'held');
    const wave = this.plan.waves.find(({ name }) => name === held?.name);
    if (outcome !== 'held' || held?.reason !== 'approval' || this.isRefused) return false;
    if (askApproval === undefined || wave === undefined || this.asked.has(wave.name)) return false;
    this.asked.add(wave.name);
    this.isAsking = true;
    void this.ask(askApproval, wave, stepper);
    return true;
  }

  private async ask(
    askApproval: (wave: PlannedWave) => Promise<boolean>,
    wave: PlannedWave,
    stepper: Stepper,
  ): Promise<void> {
    const approved = await askApproval(wave).catch(() => false);
    this.isAsking = false;
    this.isRefused = !approved;
    if (approved) this.send({ kind: 'approve', wave: wave.name }, stepper);
    this.wake.abort();
  }

  /** Complains when what is waited for stays the same for too long. */
  private patience(): (waitingFor: readonly string[]) => Diagnostic | undefined {
    const limitMs = (this.options.phaseSeconds ?? 300) * 1000;
    let text = '';
    let since = this.clock.now();
    return (waitingFor) => {
      const now = waitingFor.join('; ');
      if (now !== text) [text, since] = [now, this.clock.now()];
      if (text === '' || this.clock.now() - since < limitMs) return undefined;
      const shown = waitingFor.slice(0, 3).join('; ');
      const more = waitingFor.length > 3 ? ` and ${waitingFor.length - 3} more` : '';
      return {
        code: 'KARMADA_STOPPED',
        severity: 'error',
        summary: `No progress for ${limitMs / 1000} s while waiting for ${shown}${more}.`,
        hint: 'See whether karmada-controller-manager and karmada-scheduler are running and the events of the binding; a failing override policy keeps a Work from being built.',
      };
    };
  }

  private async pauseUntil(at: number): Promise<void> {
    if (this.wake.signal.aborted) this.wake = new AbortController();
    const timer = new AbortController();
    const any = AbortSignal.any([timer.signal, this.wake.signal]);
    const ms = Math.max(0, at - this.clock.now());
    void this.clock.sleep(ms, any).then(() => timer.abort());
    await this.mirror.change(any);
    timer.abort();
  }

  private provenOf(released: ReadonlySet<string>, { grow }: Prepared): ReadonlySet<string> {
    const all = this.plan.waves.flatMap(({ clusters }) => clusters);
    if (grow.goal.policies.length === 0) return new Set(all);
    // A later wave has begun, so this one had passed its gate.
    const begun = this.plan.waves.map(({ clusters }) =>
      clusters.some((name) => released.has(name)),
    );
    const last = begun.lastIndexOf(true);
    return new Set(this.plan.waves.slice(0, Math.max(0, last)).flatMap(({ clusters }) => clusters));
  }

  private fresh(proven: ReadonlySet<string>): RolloutState {
    return startRollout({ waves: this.plan.waves, proven, settle: [], now: this.clock.now() });
  }
}

/** Clusters that an earlier run of this very change has released on every policy. */
function releasedBefore(stepper: Stepper, { grow }: Prepared): ReadonlySet<string> {
  const { policies } = stepper.view;
  const held = new Set<string>();
  const known = new Set<string>();
  for (const goal of grow.goal.policies) {
    const memory = policies.get(policyKey(goal.policy))?.memory;
    const isOurs = memory?.rollout === grow.goal.rollout;
    for (const cluster of goal.clusters) {
      known.add(cluster);
      if (!isOurs || memory.held.includes(cluster) || memory.document.includes(cluster))
        held.add(cluster);
    }
  }
  return new Set([...known].filter((cluster) => !held.has(cluster)));
}

function openStages(stepper: Stepper): readonly string[] {
  const { bindings } = stepper.view;
  return stepper.bindings.flatMap((goal) =>
    goal.shares.flatMap(({ cluster }) => {
      const stage = stageOf(goal, bindings.get(refKey(goal.resource)), cluster);
      return stage.passed ? [] : [`${cluster}: ${stage.waitingFor}`];
    }),
  );
}

function toDiagnostic({ reason, hint }: Extract<KarmadaAction, { kind: 'stop' }>): Diagnostic {
  return { code: 'KARMADA_STOPPED', severity: 'error', summary: reason, hint };
}

const INTERRUPTED: Diagnostic = {
  code: 'KARMADA_STOPPED',
  severity: 'error',
  summary: 'Interrupted while shrinking.',
  hint: 'Run the same command again to continue.',
};
