import type { KubeObject } from '../../../api/object.js';
import type { Readiness } from './readiness.js';
import {
  count,
  notObserved,
  part,
  READY,
  reached,
  record,
  replicasToGo,
  waiting,
} from './readiness.js';

/**
 * Rolled out, for the part that the update strategy moves by itself: all replicas above `partition`, none with OnDelete
 * (there all that exist must be ready).
 */
export function statefulSetReadiness(object: KubeObject): Readiness {
  const unseen = notObserved(object);
  if (unseen !== undefined) return unseen;
  const spec = part(object, 'spec');
  const status = part(object, 'status');
  const wanted = count(spec['replicas'], 1);
  const strategy = record(spec['updateStrategy']);
  const partition = count(record(strategy['rollingUpdate'])['partition']);
  const moved = status['currentRevision'] === status['updateRevision'];
  const toUpdate = strategy['type'] === 'OnDelete' || moved ? 0 : Math.max(0, wanted - partition);
  const arrived = reached(
    ['replicas', count(status['replicas']), wanted],
    ['replicas of the new revision', count(status['updatedReplicas']), toUpdate],
    ['ready replicas', count(status['readyReplicas']), wanted],
    // Absent before Kubernetes 1.22, where available meant ready.
    [
      'available replicas',
      count(status['availableReplicas'], count(status['readyReplicas'])),
      wanted,
    ],
  );
  if (!arrived.ready) return arrived;
  const replicas = count(status['replicas']);
  return replicas > wanted ? waiting(replicasToGo(replicas - wanted, 'surplus')) : READY;
}
