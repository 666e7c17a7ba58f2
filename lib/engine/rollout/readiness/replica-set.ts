import type { KubeObject } from '../../../api/object.js';
import type { Readiness } from './readiness.js';
import { count, notObserved, part, reached, replicasToGo, waiting } from './readiness.js';

/** ReplicaSet and ReplicationController: as many available as asked for, and no more. */
export function replicaSetReadiness(object: KubeObject): Readiness {
  const status = part(object, 'status');
  const unseen = notObserved(object);
  if (unseen !== undefined) return unseen;
  const wanted = count(part(object, 'spec')['replicas'], 1);
  const arrived = reached(['available replicas', count(status['availableReplicas']), wanted]);
  const surplus = count(status['replicas']) - wanted;
  return arrived.ready && surplus > 0 ? waiting(replicasToGo(surplus, 'surplus')) : arrived;
}
