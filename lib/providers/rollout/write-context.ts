import type { Interpreter } from '../../engine/interpret/index.js';
import type { ApplyMode } from '../../engine/rollout/index.js';
import type { ClusterClient } from '../cluster/client.js';
import type { ApplySet } from './apply-set.js';
import type { Board } from './board.js';
import type { AskProtection } from './protection.js';
import type { Clock } from './clock.js';

/** What the writing of one release works with. */
export interface WriteContext {
  readonly client: ClusterClient;
  /** As it was before this run. */
  readonly set: ApplySet;
  readonly mode: ApplyMode;
  /** Kinds that the user taught: their `Retain` says what is left to the cluster. */
  readonly interpreters: readonly Interpreter[];
  readonly protection: AskProtection;
  readonly board: Board;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** When waiting for CRDs and for replaced objects to go ends. */
  readonly deadlineAt: number;
  /** Requests at work at the same time. */
  readonly concurrency: number;
}
