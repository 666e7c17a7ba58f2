import type { KubeObject } from '../../../api/object.js';
import { interpreterFor } from '../../interpret/index.js';
import { InterpretError } from '../../interpret/interpret-error.js';
import type { Readiness } from './readiness.js';
import {
  conditionsOf,
  describeCondition,
  hasFailed,
  isCurrent,
  notYetObserved,
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
 * - the first condition of {@link GOOD} that exists must be True for the newest generation;
 * - a kind with a health rule (Kruise, Flux, Argo, …) must be healthy: many of them have no conditions.
 *
 * A controller that has written no status yet cannot be told from a kind that never has one, so an object without
 * status is ready only if nothing in `status` announces otherwise: wait for such kinds with a workload or a check.
 */
export function customReadiness(object: KubeObject): Readiness {
  const unseen = notYetObserved(object);
  if (unseen !== undefined) return unseen;
  const conditions = conditionsOf(object);
  const stalled = conditions.find(({ type, status }) => type === STALLED && status === 'True');
  if (stalled !== undefined && isCurrent(stalled, object))
    return hasFailed(describeCondition(stalled));
  const reconciling = conditions.find(
    ({ type, status }) => type === RECONCILING && status === 'True',
  );
  if (reconciling !== undefined) return waiting(describeCondition(reconciling));
  const verdict = GOOD.map((type) => conditions.find((condition) => condition.type === type)).find(
    Boolean,
  );
  if (verdict === undefined) return health(object);
  if (!isCurrent(verdict, object)) {
    return waiting(`condition ${verdict.type} of generation ${object.metadata.generation ?? 0}`);
  }
  return verdict.status === 'True'
    ? health(object)
    : waiting(`condition ${verdict.type}: ${describeCondition(verdict)}`);
}

/** By the built-in rule of the kind, which a status that is not there yet does not satisfy. */
function health(object: KubeObject): Readiness {
  try {
    return interpreterFor(object).interpretHealth?.(object) === false
      ? waiting(`the ${object.kind} to be healthy`)
      : READY;
  } catch (error) {
    if (InterpretError.is(error)) return waiting(`a status that can be read: ${error.message}`);
    throw error;
  }
}
