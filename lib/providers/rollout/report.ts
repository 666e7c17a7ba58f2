import type {
  ClusterPhase,
  ClusterState,
  RolloutOutcome,
  RolloutState,
  SettlePhase,
  WavePhase,
  WaveState,
} from '../../engine/rollout/index.js';
import { outcomeOf } from '../../engine/rollout/index.js';
import type { RolloutPlan } from './keep-revision.js';
import { nextOpening } from './openings.js';
import type { ReleaseResult } from './result.js';
import { describeRef } from '../../engine/object.js';
import { own } from '../../engine/own.js';

/** What a run came to. Plain data. */
export interface RolloutReport {
  /**
   * `done`: every cluster has it and is settled. `held`: a person must act, see `heldBy`. `failed`: something is left to
   * do, see `notDone`. `aborted`: interrupted; running it again continues.
   */
  readonly outcome: Exclude<RolloutOutcome, 'running'>;
  readonly application: string;
  readonly durationMs: number;
  readonly waves: readonly WaveReport[];
  /** Clusters that had something to shrink or remove, sorted as in the plan. */
  readonly settle: readonly {
    readonly cluster: string;
    readonly phase: SettlePhase;
    readonly reason?: string;
  }[];
  /** What each cluster came to as far as it was touched, in the order of the waves. */
  readonly releases: readonly ReleaseResult[];
  /** Every cluster that does not have all of the plan, and why; in the order of the waves. */
  readonly notDone: readonly {
    readonly cluster: string;
    readonly wave: string;
    readonly why: string;
  }[];
  /**
   * Of `held`: the wave (or the settle step) and what it waits for, `approval`, `window` or `paused`. `until`: when its
   * window opens (RFC 3339), if it does within a week.
   */
  readonly heldBy?: { readonly wave: string; readonly reason: string; readonly until?: string };
  /** A wave failed whose gate says `rollback`: what became of going back. The run has failed all the same. */
  readonly rollback?: RollbackReport;
}

/** What became of going back to a kept revision. Plain data. */
export interface RollbackReport {
  /**
   * Absent: there was nothing to go back to, see `obstacles`; or, where there is a `report`, a control plane went back to
   * what was there before the run.
   */
  readonly revision?: number;
  /** Serial of the lock that the revision was planned with. */
  readonly lockSerial?: number;
  /** Of the rollout backwards; absent when no cluster could go back. */
  readonly report?: Omit<RolloutReport, 'rollback'>;
  /** Why clusters stay as they are, one sentence each. */
  readonly obstacles: readonly string[];
}

export interface WaveReport {
  readonly name: string;
  readonly phase: WavePhase;
  readonly reason?: string;
  readonly clusters: readonly {
    readonly cluster: string;
    readonly phase: ClusterPhase;
    readonly reason?: string;
  }[];
}

/** The name under which the settle step appears where a wave is expected. */
export const SETTLE = 'settle';

export function reportOf(
  plan: RolloutPlan,
  state: RolloutState,
  results: ReadonlyMap<string, ReleaseResult>,
  durationMs: number,
): RolloutReport {
  const outcome = outcomeOf(state);
  const names = state.waves.flatMap(({ clusters }) => Object.keys(clusters));
  const held = outcome === 'held' ? heldBy(state) : undefined;
  return {
    outcome: outcome === 'running' ? 'aborted' : outcome,
    application: plan.application,
    durationMs,
    waves: state.waves.map((wave) => ({
      name: wave.name,
      phase: wave.phase,
      ...(wave.reason !== undefined && { reason: wave.reason }),
      clusters: Object.entries(wave.clusters).map(([cluster, { phase, reason }]) => ({
        cluster,
        phase,
        ...(reason !== undefined && { reason }),
      })),
    })),
    settle: Object.entries(state.settle).map(([cluster, settle]) => ({ cluster, ...settle })),
    releases: names.flatMap((cluster) => results.get(cluster) ?? []),
    notDone: state.waves.flatMap((wave) => notDoneIn(wave, state, results)),
    ...(held !== undefined && { heldBy: held }),
  };
}

/** Says when the window opens that the run waits for. `toWall`: from the machine's time to milliseconds since 1970. */
export function withOpening(
  report: RolloutReport,
  state: RolloutState,
  toWall: (at: number) => number,
): RolloutReport {
  const { heldBy } = report;
  const wave = state.waves.find(({ name }) => name === heldBy?.wave);
  if (heldBy?.reason !== 'window' || wave?.openings === undefined) return report;
  const next = nextOpening(wave.openings, state.now);
  if (next === undefined) return report;
  // The two clocks differ by a fraction of a second, openings do not have any.
  const until = new Date(Math.round(toWall(next) / 1000) * 1000)
    .toISOString()
    .replace('.000Z', 'Z');
  return { ...report, heldBy: { ...heldBy, until } };
}

function heldBy(state: RolloutState): { wave: string; reason: string } {
  const wave = state.waves.find(({ phase }) => phase === 'held');
  return wave === undefined
    ? { wave: SETTLE, reason: 'paused' }
    : { wave: wave.name, reason: wave.reason ?? 'paused' };
}

function notDoneIn(
  wave: WaveState,
  state: RolloutState,
  results: ReadonlyMap<string, ReleaseResult>,
): RolloutReport['notDone'] {
  return Object.entries(wave.clusters).flatMap(([cluster, its]) => {
    const why = whyNotReady(its, wave, state) ?? whyNotSettled(own(state.settle, cluster), state);
    if (why === undefined) return [];
    const more = its.phase === 'failed' ? stillWaitingFor(results.get(cluster)) : '';
    return [{ cluster, wave: wave.name, why: `${why}${more}` }];
  });
}

/**
 * What the objects of a cluster waited for when the wave's deadline stopped the work there: which of the two clocks rings
 * first is chance, and the work's own reason says it already.
 */
function stillWaitingFor(result: ReleaseResult | undefined): string {
  if (result?.outcome !== 'aborted') return '';
  const unready = result.objects
    .filter(({ ready }) => !ready)
    .map(({ resource, waitingFor }) => `${describeRef(resource)} waits for ${waitingFor}`);
  return unready.length === 0 ? '' : `: ${unready.join('; ')}`;
}

function whyNotReady(
  cluster: ClusterState,
  wave: WaveState,
  state: RolloutState,
): string | undefined {
  switch (cluster.phase) {
    case 'ready':
      if (hasFailedAsAWhole(wave)) return `ready now, but the wave was ${wave.reason ?? 'not'}`;
      return wave.phase === 'soaking' || wave.phase === 'held'
        ? 'ready, and not yet soaked'
        : undefined;
    case 'failed':
      return cluster.reason ?? 'failed';
    case 'stopped':
      return 'interrupted while at work';
    case 'applying':
    case 'observing':
      return cluster.reason ?? 'not ready yet';
    case 'waiting':
      return whyUntouched(wave, state);
  }
}

/** Failed although no cluster did: it never stayed ready for long enough. */
function hasFailedAsAWhole({ phase, clusters }: WaveState): boolean {
  return phase === 'failed' && Object.values(clusters).every((one) => one.phase !== 'failed');
}

function whyUntouched(wave: WaveState, state: RolloutState): string {
  if (wave.phase === 'failed')
    return `untouched: wave "${wave.name}" had failed before it was its turn`;
  if (wave.phase === 'held')
    return `untouched: wave "${wave.name}" is held (${wave.reason ?? 'paused'})`;
  const blocking = state.waves.find(({ phase }) => phase !== 'passed');
  if (blocking === undefined || blocking.name === wave.name)
    return 'untouched: the run ended before';
  return `untouched: wave "${blocking.name}" has not passed`;
}

function whyNotSettled(
  settle: RolloutState['settle'][string] | undefined,
  state: RolloutState,
): string | undefined {
  if (settle === undefined || settle.phase === 'settled') return undefined;
  if (settle.phase === 'failed') return `not settled: ${settle.reason ?? 'failed'}`;
  if (settle.phase === 'stopped') return 'not settled: interrupted';
  const isHeld = state.waves.some(({ phase }) => phase !== 'passed');
  return isHeld ? 'not settled: nothing shrinks before all waves have passed' : 'not settled yet';
}
