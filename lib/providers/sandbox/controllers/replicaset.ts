import { objectAt, type JsonObject } from '../merge/json.js';
import { conditionOf } from './conditions.js';
import {
  generationOf,
  isDeleted,
  keyOf,
  ownedBy,
  ownerKey,
  ownerReference,
  ownKey,
  type Controller,
  type Key,
  type Reach,
} from './controller.js';
import { isPodReady } from './pod.js';

/** Keeps as many pods as a ReplicaSet asks for. */
export function replicaSetController(): Controller {
  return {
    name: 'replicaset',
    concerns: (event) => [
      ...ownKey(event, 'apps', 'replicasets'),
      ...ownerKey(event, '', 'pods', 'ReplicaSet'),
    ],
    reconcile: reconcileReplicaSet,
  };
}

function reconcileReplicaSet(key: Key, reach: Reach): number | undefined {
  const kind = reach.kind('apps/v1', 'ReplicaSet');
  const podKind = reach.kind('v1', 'Pod');
  const set = reach.get(kind, key);
  if (set === undefined || isDeleted(set)) return undefined;
  const pods = ownedBy(set, podKind, reach);
  const wanted = Number(objectAt(set, 'spec')['replicas'] ?? 0);
  for (let count = pods.length; count < wanted; count++) reach.create(podKind, podFrom(set));
  for (const pod of byDeletionOrder(pods).slice(0, Math.max(0, pods.length - wanted)))
    reach.delete(podKind, pod);

  const left = ownedBy(set, podKind, reach);
  const ready = left.filter(isPodReady);
  const waits = ready.map((pod) => untilAvailable(pod, set, reach)).filter((ms) => ms > 0);
  const available = ready.length - waits.length;
  const live = reach.get(kind, key);
  if (live === undefined) return undefined;
  reach.setStatus(kind, live, {
    replicas: left.length,
    ...(left.length > 0 && { fullyLabeledReplicas: left.length }),
    ...(ready.length > 0 && { readyReplicas: ready.length }),
    ...(available > 0 && { availableReplicas: available }),
    observedGeneration: generationOf(live),
  });
  return waits.length > 0 ? Math.min(...waits) : undefined;
}

/** Milliseconds until a ready pod has been so for `minReadySeconds`; 0 or less when it has. */
function untilAvailable(pod: JsonObject, set: JsonObject, reach: Reach): number {
  const since = conditionOf(objectAt(pod, 'status'), 'Ready')?.['lastTransitionTime'];
  const wanted = Number(objectAt(set, 'spec')['minReadySeconds'] ?? 0) * 1000;
  return wanted === 0 ? 0 : Date.parse(String(since)) + wanted - reach.world.time.now().getTime();
}

/** A pod made from a workload's template. */
export function podFrom(
  owner: JsonObject,
  extra?: { readonly name?: string; readonly labels?: JsonObject; readonly spec?: JsonObject },
): JsonObject {
  const { name, namespace } = keyOf(owner);
  const template = objectAt(owner, 'spec', 'template');
  const metadata = objectAt(template, 'metadata');
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...(extra?.name === undefined ? { generateName: `${name}-` } : { name: extra.name }),
      namespace,
      labels: { ...objectAt(metadata, 'labels'), ...extra?.labels },
      ...(metadata['annotations'] !== undefined && { annotations: metadata['annotations'] }),
      ownerReferences: [ownerReference(owner)],
    },
    spec: { ...objectAt(template, 'spec'), ...extra?.spec },
  };
}

/** Pods that are not ready go first, then the youngest, then by name. */
function byDeletionOrder(pods: readonly JsonObject[]): JsonObject[] {
  const rank = (pod: JsonObject): readonly [number, number] => [
    isPodReady(pod) ? 1 : 0,
    -Date.parse(String(objectAt(pod, 'metadata')['creationTimestamp'])),
  ];
  return [...pods].sort((a, b) => {
    const [x, y] = [rank(a), rank(b)];
    return x[0] - y[0] || x[1] - y[1] || (keyOf(a).name < keyOf(b).name ? -1 : 1);
  });
}
