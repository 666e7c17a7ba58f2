import type { KubeObject } from '../../../api/object.js';
import type { Readiness } from './readiness.js';
import {
  conditionsOf,
  count,
  describeCondition,
  hasFailed,
  notObserved,
  part,
  READY,
  waiting,
} from './readiness.js';

/** Conditions that mean "good when True", in the order they are asked. */
const GOOD = [
  'Ready',
  'Available',
  'Healthy',
  'Succeeded',
  'Programmed',
  'Accepted',
  'Synced',
] as const;
/** kstatus: work is going on, respectively has come to a stop. */
const RECONCILING = 'Reconciling';
const STALLED = 'Stalled';

/**
 * Custom resources that follow the kstatus conventions; all others are ready when they are stored.
 *
 * - `status.observedGeneration`, if there is one, must have caught up;
 * - `Stalled=True` is a failure, `Reconciling=True` waits;
 * - the first condition of {@link GOOD} that exists must be True for the newest generation.
 *
 * A controller that has written no status yet cannot be told from a kind that never has one, so an object without
 * status is ready only if nothing in `status` announces otherwise: wait for such kinds with a workload or a check.
 */
export function customReadiness(object: KubeObject): Readiness {
  const status = part(object, 'status');
  if (status['observedGeneration'] !== undefined) {
    const unseen = notObserved(object);
    if (unseen !== undefined) return unseen;
  }
  const generation = object.metadata.generation ?? 0;
  const conditions = conditionsOf(object);
  const stalled = conditions.find(({ type, status }) => type === STALLED && status === 'True');
  if (stalled !== undefined) return hasFailed(describeCondition(stalled));
  const reconciling = conditions.find(
    ({ type, status }) => type === RECONCILING && status === 'True',
  );
  if (reconciling !== undefined) return waiting(describeCondition(reconciling));
  const verdict = GOOD.map((type) => conditions.find((condition) => condition.type === type)).find(
    Boolean,
  );
  if (verdict === undefined) return READY;
  if (count(verdict.observedGeneration, generation) < generation) {
    return waiting(`condition ${verdict.type} of generation ${generation}`);
  }
  return verdict.status === 'True'
    ? READY
    : waiting(`condition ${verdict.type}: ${describeCondition(verdict)}`);
}
