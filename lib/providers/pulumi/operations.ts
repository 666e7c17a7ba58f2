import {
  applyRelease,
  proveRelease,
  runRollout,
  settleRelease,
  verifyRelease,
} from '../rollout/index.js';
import { keepRevision } from '../rollout/keep-revision.js';
import { findWayBack } from '../rollout/roll-back.js';
import { leftoversOf } from './leftovers.js';
import { observeRelease } from './observe-release.js';

/** Everything that the lifecycle of our resources does on clusters. A model of clusters can stand in for it. */
export interface ClusterOperations {
  readonly apply: typeof applyRelease;
  readonly verify: typeof verifyRelease;
  readonly prove: typeof proveRelease;
  readonly settle: typeof settleRelease;
  readonly leftovers: typeof leftoversOf;
  readonly observe: typeof observeRelease;
  readonly keep: typeof keepRevision;
  readonly findWayBack: typeof findWayBack;
  readonly rollOut: typeof runRollout;
}

export const OPERATIONS: ClusterOperations = {
  apply: applyRelease,
  verify: verifyRelease,
  prove: proveRelease,
  settle: settleRelease,
  leftovers: leftoversOf,
  observe: observeRelease,
  keep: keepRevision,
  findWayBack,
  rollOut: runRollout,
};
