import type { KubeObject } from '../../../api/object.js';
import type { Readiness } from './readiness.js';
import { part, READY, waiting } from './readiness.js';

/** Active; a namespace that is being deleted accepts nothing new. */
export function namespaceReadiness(object: KubeObject): Readiness {
  if (
    object.metadata.deletionTimestamp !== undefined ||
    part(object, 'status')['phase'] === 'Terminating'
  ) {
    return waiting('the old namespace to be gone (it is terminating)');
  }
  return READY;
}
