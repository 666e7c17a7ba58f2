import type { KubeObject } from '../../../api/object.js';
import type { Readiness } from './readiness.js';
import { count, notObserved, part, reached } from './readiness.js';

/** ReplicaSet and ReplicationController: as many available as asked for. */
export function replicaSetReadiness(object: KubeObject): Readiness {
  const status = part(object, 'status');
  return (
    notObserved(object) ??
    reached([
      'available replicas',
      count(status['availableReplicas']),
      count(part(object, 'spec')['replicas'], 1),
    ])
  );
}
