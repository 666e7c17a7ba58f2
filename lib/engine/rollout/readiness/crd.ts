import type { KubeObject } from '../../../api/object.js';
import type { Readiness } from './readiness.js';
import { describeCondition, findCondition, hasFailed, READY, waiting } from './readiness.js';

/** Its API is served. A name that another CRD holds is a failure. */
export function crdReadiness(object: KubeObject): Readiness {
  if (findCondition(object, 'Established')?.status === 'True') return READY;
  const names = findCondition(object, 'NamesAccepted');
  if (names?.status === 'False') return hasFailed(describeCondition(names));
  return waiting('the API to be established');
}
