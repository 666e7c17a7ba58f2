import { listAt, objectAt, type JsonObject } from '../merge/json.js';
import { itemsOf } from '../schema/pod-defaults.js';
import { templateHash } from '../schema/strategy.js';
import {
  generationOf,
  isDeleted,
  keyOf,
  ownedBy,
  ownerKey,
  ownKey,
  type Controller,
  type Key,
  type Reach,
} from './controller.js';
import { isPodReady } from './pod.js';
import { podFrom } from './replicaset.js';

const REVISION = 'controller-revision-hash';

/** Keeps the numbered pods of a StatefulSet: up in order, down and through updates in reverse. */
export function statefulSetController(): Controller {
  return {
    name: 'statefulset',
    concerns: (event) => [
      ...ownKey(event, 'apps', 'statefulsets'),
      ...ownerKey(event, '', 'pods', 'StatefulSet'),
    ],
    reconcile: reconcileStatefulSet,
  };
}

function reconcileStatefulSet(key: Key, reach: Reach): undefined {
  const kind = reach.kind('apps/v1', 'StatefulSet');
  const set = reach.get(kind, key);
  if (set === undefined || isDeleted(set)) return undefined;
  const update = `${key.name}-${templateHash(objectAt(set, 'spec', 'template'))}`;
  step(set, update, reach);
  report(reach.get(kind, key) ?? set, update, reach);
  return undefined;
}

/** At most one change at a time, unless pods are managed in parallel. */
function step(set: JsonObject, update: string, reach: Reach): void {
  const kind = reach.kind('v1', 'Pod');
  const spec = objectAt(set, 'spec');
  const wanted = Number(spec['replicas'] ?? 1);
  const start = Number(objectAt(spec, 'ordinals')['start'] ?? 0);
  const isParallel = spec['podManagementPolicy'] === 'Parallel';
  const pods = podsByOrdinal(set, reach);

  for (let ordinal = start; ordinal < start + wanted; ordinal++) {
    const pod = pods.get(ordinal);
    if (pod === undefined) createPod(set, ordinal, update, reach);
    if (!isParallel && (pod === undefined || !isPodReady(pod)))
      return void retryBroken(pod, update, reach);
  }
  const surplus = [...pods]
    .filter(([ordinal]) => ordinal < start || ordinal >= start + wanted)
    .sort(([a], [b]) => b - a);
  for (const [, pod] of isParallel ? surplus : surplus.slice(0, 1)) reach.delete(kind, pod);
  if (surplus.length > 0) return;

  const strategy = objectAt(spec, 'updateStrategy');
  if (strategy['type'] === 'OnDelete') return;
  const partition = Number(objectAt(strategy, 'rollingUpdate')['partition'] ?? 0);
  for (let ordinal = start + wanted - 1; ordinal >= start + partition; ordinal--) {
    const pod = pods.get(ordinal);
    if (pod === undefined) return;
    if (revisionOf(pod) !== update) return void reach.delete(kind, pod);
    if (!isPodReady(pod)) return;
  }
}

/** A pod of an old revision that never became ready would hold up its own repair. */
function retryBroken(pod: JsonObject | undefined, update: string, reach: Reach): void {
  if (pod !== undefined && revisionOf(pod) !== update) reach.delete(reach.kind('v1', 'Pod'), pod);
}

function createPod(set: JsonObject, ordinal: number, update: string, reach: Reach): void {
  const { name, namespace } = keyOf(set);
  const podName = `${name}-${ordinal}`;
  const claims = itemsOf(objectAt(set, 'spec'), 'volumeClaimTemplates');
  const claimKind = reach.kind('v1', 'PersistentVolumeClaim');
  const volumes = claims.map((claim) => {
    const claimName = `${String(objectAt(claim, 'metadata')['name'])}-${podName}`;
    if (reach.get(claimKind, { namespace, name: claimName }) === undefined) {
      const labels = objectAt(set, 'spec', 'selector', 'matchLabels');
      reach.create(claimKind, {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: { name: claimName, namespace, labels },
        spec: claim['spec'],
      });
    }
    return { name: objectAt(claim, 'metadata')['name'], persistentVolumeClaim: { claimName } };
  });
  const template = objectAt(set, 'spec', 'template', 'spec');
  reach.create(
    reach.kind('v1', 'Pod'),
    podFrom(set, {
      name: podName,
      labels: {
        [REVISION]: update,
        'statefulset.kubernetes.io/pod-name': podName,
        'apps.kubernetes.io/pod-index': String(ordinal),
      },
      spec: {
        hostname: podName,
        subdomain: objectAt(set, 'spec')['serviceName'],
        ...(volumes.length > 0 && { volumes: [...listAt(template, 'volumes'), ...volumes] }),
      },
    }),
  );
}

function report(set: JsonObject, update: string, reach: Reach): void {
  const pods = [...podsByOrdinal(set, reach).values()];
  const wanted = Number(objectAt(set, 'spec')['replicas'] ?? 1);
  const ready = pods.filter(isPodReady).length;
  const updated = pods.filter((pod) => revisionOf(pod) === update);
  const isDone = updated.length === wanted && pods.length === wanted && updated.every(isPodReady);
  const before = objectAt(set, 'status')['currentRevision'];
  const current = isDone || typeof before !== 'string' ? update : before;
  const ofCurrent = pods.filter((pod) => revisionOf(pod) === current).length;
  reach.setStatus(reach.kind('apps/v1', 'StatefulSet'), set, {
    observedGeneration: generationOf(set),
    replicas: pods.length,
    ...(ready > 0 && { readyReplicas: ready }),
    availableReplicas: ready,
    ...(ofCurrent > 0 && { currentReplicas: ofCurrent }),
    ...(updated.length > 0 && { updatedReplicas: updated.length }),
    currentRevision: current,
    updateRevision: update,
    collisionCount: 0,
  });
}

function podsByOrdinal(set: JsonObject, reach: Reach): ReadonlyMap<number, JsonObject> {
  const pods = ownedBy(set, reach.kind('v1', 'Pod'), reach);
  return new Map(pods.map((pod) => [Number(/-(\d+)$/.exec(keyOf(pod).name)?.[1] ?? -1), pod]));
}

function revisionOf(pod: JsonObject): unknown {
  return objectAt(pod, 'metadata', 'labels')[REVISION];
}
