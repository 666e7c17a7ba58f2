import type { Gate, PlannedWave } from '../plan.js';
import { own } from '../own.js';

/**
 * `pending → (held) → applying → observing → soaking → passed | failed`. `soaking` goes back to `observing` when a
 * cluster becomes unready; `held` waits for a person (`reason` says for what) and is also where an interrupted wave ends.
 */
export type WavePhase =
  'pending' | 'held' | 'applying' | 'observing' | 'soaking' | 'passed' | 'failed';

/** `stopped`: interrupted; what it wrote stays, and the next run continues. */
export type ClusterPhase = 'waiting' | 'applying' | 'observing' | 'ready' | 'failed' | 'stopped';

export interface ClusterState {
  readonly phase: ClusterPhase;
  /** Why it failed, stopped or is not ready any more. */
  readonly reason?: string;
  /** This exact release has been through its gate before, and nothing had to be written: no soak for its sake. */
  readonly proven: boolean;
}

/** A time in which a wave may start: from `from` until before `until`. */
export interface Opening {
  readonly from: number;
  readonly until: number;
}

export interface WaveState {
  readonly name: string;
  readonly gate: Gate;
  readonly maxConcurrent: number;
  readonly phase: WavePhase;
  /** Of `held` and `failed`. */
  readonly reason?: string;
  /** By name, in the order in which they start. */
  readonly clusters: Readonly<Record<string, ClusterState>>;
  readonly approved: boolean;
  /** The wave starts only inside one of these, in ascending order. Absent: at any time. */
  readonly openings?: readonly Opening[];
  /** Ends the time outside the soak; moves while soaking or paused. Absent before the start. */
  readonly deadlineAt?: number;
  /** No soak runs beyond this: deadline and twice the soak after the start (later by what was paused). */
  readonly endsAt?: number;
  readonly soakStartedAt?: number;
}

export type SettlePhase = 'waiting' | 'settling' | 'settled' | 'failed' | 'stopped';

export interface SettleState {
  readonly phase: SettlePhase;
  readonly reason?: string;
}

/** All there is to know of one run. Plain data; times are milliseconds of a clock that never runs backwards. */
export interface RolloutState {
  readonly waves: readonly WaveState[];
  /** Clusters with something to shrink or remove. */
  readonly settle: Readonly<Record<string, SettleState>>;
  readonly started: boolean;
  readonly pausedAt?: number;
  readonly aborted: boolean;
  readonly now: number;
}

/** What happened, and when. Events that no longer fit (a late answer of a failed cluster) change nothing. */
export type RolloutEvent = { readonly at: number } & (
  | { readonly kind: 'start' | 'tick' | 'pause' | 'resume' | 'abort' }
  | { readonly kind: 'approve'; readonly wave: string }
  /** Every object of the release is written. */
  | { readonly kind: 'applied'; readonly cluster: string }
  /**
   * Every object carries the planned revision, is observed and ready. `proven`: that was so before this run, and the
   * release had passed its gate. `grown`: something is larger than planned, so the settle step has to come by.
   */
  | {
      readonly kind: 'ready';
      readonly cluster: string;
      readonly proven: boolean;
      readonly grown: boolean;
    }
  /** Ready no more; it may become ready again. */
  | { readonly kind: 'unready'; readonly cluster: string; readonly reason: string }
  /** Done with, without success: refused, unreachable, timed out, hopeless. */
  | { readonly kind: 'failed'; readonly cluster: string; readonly reason: string }
  | { readonly kind: 'settled'; readonly cluster: string }
  | { readonly kind: 'settleFailed'; readonly cluster: string; readonly reason: string }
);

/** What the shell has to do now. */
export type RolloutEffect =
  | {
      readonly kind: 'apply';
      readonly cluster: string;
      readonly wave: string;
      readonly deadlineAt: number;
    }
  /** Stop working on this cluster, soon and without undoing anything. */
  | { readonly kind: 'stop'; readonly cluster: string }
  /** The gate is open: record on these clusters that their release has proven itself. */
  | { readonly kind: 'prove'; readonly wave: string; readonly clusters: readonly string[] }
  | { readonly kind: 'settle'; readonly cluster: string };

export interface Stepped {
  readonly state: RolloutState;
  readonly effects: readonly RolloutEffect[];
}

export interface RolloutSetup {
  readonly waves: readonly PlannedWave[];
  /** Clusters known to have passed the gate of exactly this release before: a wave of only these asks for no approval. */
  readonly proven: ReadonlySet<string>;
  /** Clusters with something to shrink or remove at the end. */
  readonly settle: readonly string[];
  /** By wave: when waves with time windows may start. A wave that is not named starts at any time. */
  readonly openings?: Readonly<Record<string, readonly Opening[]>>;
  readonly now: number;
}

/** The state before the first event. A cluster stands in one wave only (the plan guarantees it). */
export function startRollout({
  waves,
  proven,
  settle,
  openings = {},
  now,
}: RolloutSetup): RolloutState {
  return {
    waves: waves.map(({ name, clusters, gate, maxConcurrent }) => ({
      name,
      gate,
      maxConcurrent,
      phase: 'pending',
      clusters: Object.fromEntries(
        clusters.map((cluster): [string, ClusterState] => [
          cluster,
          { phase: 'waiting', proven: proven.has(cluster) },
        ]),
      ),
      approved: false,
      ...windowsOf(own(openings, name)),
    })),
    settle: Object.fromEntries(
      settle.map((cluster): [string, SettleState] => [cluster, { phase: 'waiting' }]),
    ),
    started: false,
    aborted: false,
    now,
  };
}

function windowsOf(openings: readonly Opening[] | undefined): Pick<WaveState, 'openings'> {
  return openings === undefined ? {} : { openings };
}
