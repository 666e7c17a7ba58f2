import type { Diagnostic } from '../../engine/diagnostic.js';
import type { PlannedWave } from '../../engine/plan.js';
import type { Clock } from '../rollout/clock.js';
import type { RolloutProgress } from '../rollout/events.js';
import type { RolloutReport } from '../rollout/report.js';

/** Without progress for so long, a control plane counts as stuck. */
export const PHASE_SECONDS = 300;

export interface KarmadaRolloutOptions {
  /** Waves that may pass their approval: names, or all. @default none */
  readonly approve?: 'all' | readonly string[];
  /** Asked when a wave is held for approval that `approve` does not name. `false`: the run ends there. */
  readonly askApproval?: (wave: PlannedWave) => Promise<boolean>;
  /** Start waves outside their time windows too. @default false */
  readonly ignoreWindows?: boolean;
  /** Milliseconds since 1970, for time windows. @default the machine's */
  readonly wallNow?: () => number;
  /** Aborting it pauses: what is released finishes, nothing more is released, the run ends as `held`. */
  readonly pause?: AbortSignal;
  /** Aborting it interrupts: the run ends where it is; what is suspended stays so. */
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: RolloutProgress) => void;
  /** @default the machine's, steady */
  readonly clock?: Clock;
  /**
   * How long the control plane may show no progress while it suspends, schedules or shrinks; waves have their own deadlines.
   * @default 300
   */
  readonly phaseSeconds?: number;
  /** How long the control plane may give no answer, e.g. while it restarts, before the run ends. @default 30 */
  readonly unreachableSeconds?: number;
  /** Take fields from other managers of templates and policies, e.g. from an earlier `kubectl apply`. @default false */
  readonly takeOver?: boolean;
  /** Requests at work at the same time. @default 16 */
  readonly concurrency?: number;
}

/** Milliseconds since 1970. */
export function wallOf({ wallNow = Date.now }: KarmadaRolloutOptions): number {
  return wallNow();
}

/** What a run came to; the shape of every rollout's report, with what only a control plane has. */
export interface KarmadaReport extends RolloutReport {
  /** What stopped it, and what a person has to look at; most important first. */
  readonly diagnostics: readonly Diagnostic[];
  /** Clusters that stay suspended on a policy, and by whom; sorted by policy. */
  readonly suspended: readonly {
    readonly policy: string;
    readonly byRollout: readonly string[];
    readonly byOthers: readonly string[];
  }[];
}
