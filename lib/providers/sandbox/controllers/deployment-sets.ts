import { objectAt, type JsonObject } from '../merge/json.js';
import { keyOf, ownedBy, type Reach } from './controller.js';
import type { RevisionSize } from './rolling.js';

/** On Deployments and their ReplicaSets: the number of the template. */
export const REVISION = 'deployment.kubernetes.io/revision';

export function setsOf(deployment: JsonObject, reach: Reach): JsonObject[] {
  return ownedBy(deployment, reach.kind('apps/v1', 'ReplicaSet'), reach);
}

export function sizeOf(set: JsonObject, current: string): RevisionSize {
  const status = objectAt(set, 'status');
  return {
    name: keyOf(set).name,
    isCurrent: keyOf(set).name === current,
    replicas: Number(objectAt(set, 'spec')['replicas'] ?? 0),
    pods: Number(status['replicas'] ?? 0),
    ready: Number(status['readyReplicas'] ?? 0),
    available: Number(status['availableReplicas'] ?? 0),
  };
}

export function revisionOf(set: JsonObject): number {
  return Number(objectAt(set, 'metadata', 'annotations')[REVISION] ?? 0);
}
