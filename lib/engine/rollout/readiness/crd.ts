import type { KubeObject } from '../../../api/object.js';
import type { Readiness } from './readiness.js';
import {
  describeCondition,
  findCondition,
  hasFailed,
  isCurrent,
  notYetObserved,
  READY,
  waiting,
} from './readiness.js';

/** Its API is served, as the newest definition has it. A name that another CRD holds is a failure. */
export function crdReadiness(object: KubeObject): Readiness {
  const unseen = notYetObserved(object);
  if (unseen !== undefined) return unseen;
  if (findCondition(object, 'Terminating')?.status === 'True')
    return waiting('the old definition to be gone (it is terminating)');
  const established = findCondition(object, 'Established');
  if (established?.status === 'True' && isCurrent(established, object)) return READY;
  const names = findCondition(object, 'NamesAccepted');
  if (names?.status === 'False') return hasFailed(describeCondition(names));
  return waiting('the API to be established');
}
