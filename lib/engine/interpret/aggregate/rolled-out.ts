import type { KubeObject } from '../../../api/object.js';
import { countAt, fieldAt } from '../field.js';

/** The controller has seen this generation of the member object. */
export function isObserved(object: KubeObject): boolean {
  return countAt(object, 'status', 'observedGeneration') === (object.metadata.generation ?? 0);
}

/**
 * Karmada's health of Deployment and StatefulSet: observed, enough updated pods, and as many available as updated.
 * Old pods count as available, so this can hold before a rollout is finished (lifecycle reference §3.7).
 */
export function isUpdatedAndAvailable(object: KubeObject): boolean {
  const wanted = fieldAt(object, 'spec', 'replicas');
  const updated = countAt(object, 'status', 'updatedReplicas');
  if (!isObserved(object)) return false;
  if (typeof wanted === 'number' && updated < wanted) return false;
  return countAt(object, 'status', 'availableReplicas') >= updated;
}
