import type { Interpreter } from '../../engine/interpret/index.js';
import type { PlannedWave } from '../../engine/plan.js';
import type { Clock } from './clock.js';
import type { RolloutProgress } from './events.js';

/** What a run may do without asking, whom it asks, and how patient it is. */
export interface RolloutOptions {
  /** Waves that may pass their approval: names, or all. @default none */
  readonly approve?: 'all' | readonly string[];
  /** Asked when a wave is held for approval that `approve` does not name. `false`: the run ends there. */
  readonly askApproval?: (wave: PlannedWave) => Promise<boolean>;
  /** Aborting it pauses: what is at work finishes, nothing new starts, the run ends as `held`. */
  readonly pause?: AbortSignal;
  /** Aborting it interrupts: everything stops where it is. */
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: RolloutProgress) => void;
  /** @default the machine's, steady */
  readonly clock?: Clock;
  /** Requests at work at the same time on one cluster. @default 16 */
  readonly concurrency?: number;
  /** How long a cluster may give no usable answer. @default 30 */
  readonly unreachableSeconds?: number;
  /** Kinds that the user taught: their `Retain` says which fields are left to the clusters. @default none */
  readonly interpreters?: readonly Interpreter[];
  /** Start waves outside their time windows too. @default false */
  readonly ignoreWindows?: boolean;
  /** Milliseconds since 1970, for time windows. @default the machine's */
  readonly wallNow?: () => number;
  /** Clusters known to be unready: in their wave they come after those that change and before those that do not. */
  readonly unready?: ReadonlySet<string>;
  /** Whether a run that is done keeps what the clusters have, for later rollbacks. @default true */
  readonly keep?: boolean;
}
