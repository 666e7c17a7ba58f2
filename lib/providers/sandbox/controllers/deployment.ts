import { equalJson, isObject, listAt, objectAt, type JsonObject } from '../merge/json.js';
import { templateHash } from '../schema/strategy.js';
import { conditionOf, withCondition } from './conditions.js';
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
import { rolled, scaled, type RevisionSize } from './rolling.js';

const REVISION = 'deployment.kubernetes.io/revision';
const HASH = 'pod-template-hash';

/** Rolls a Deployment from one ReplicaSet to the next, and reports how far it is. */
export function deploymentController(): Controller {
  return {
    name: 'deployment',
    concerns: (event) => [
      ...ownKey(event, 'apps', 'deployments'),
      ...ownerKey(event, 'apps', 'replicasets', 'Deployment'),
    ],
    reconcile: reconcileDeployment,
  };
}

function reconcileDeployment(key: Key, reach: Reach): number | undefined {
  const kind = reach.kind('apps/v1', 'Deployment');
  const deployment = reach.get(kind, key);
  if (deployment === undefined || isDeleted(deployment)) return undefined;
  const spec = objectAt(deployment, 'spec');
  const isPaused = spec['paused'] === true;
  const current = isPaused ? currentSetName(deployment) : ensureSet(deployment, reach);
  if (!isPaused) scaleSets(deployment, current, reach);
  cleanUp(deployment, current, reach);
  return report(reach.get(kind, key) ?? deployment, current, reach);
}

function setsOf(deployment: JsonObject, reach: Reach): JsonObject[] {
  return ownedBy(deployment, reach.kind('apps/v1', 'ReplicaSet'), reach);
}

function currentSetName(deployment: JsonObject): string {
  const hash = templateHash(objectAt(deployment, 'spec', 'template'));
  return `${keyOf(deployment).name}-${hash}`;
}

/** The ReplicaSet of the current template, made or brought to the newest revision; its name. */
function ensureSet(deployment: JsonObject, reach: Reach): string {
  const kind = reach.kind('apps/v1', 'ReplicaSet');
  const name = currentSetName(deployment);
  const sets = setsOf(deployment, reach);
  const latest = Math.max(0, ...sets.filter((set) => keyOf(set).name !== name).map(revisionOf));
  const found = sets.find((set) => keyOf(set).name === name);
  if (found !== undefined) {
    if (revisionOf(found) <= latest)
      reach.update(kind, found, withAnnotation(found, REVISION, String(latest + 1)));
    return name;
  }
  const spec = objectAt(deployment, 'spec');
  const template = objectAt(spec, 'template');
  const hash = name.slice(keyOf(deployment).name.length + 1);
  const labels = { ...objectAt(template, 'metadata', 'labels'), [HASH]: hash };
  const selector = objectAt(spec, 'selector');
  reach.create(kind, {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name,
      namespace: keyOf(deployment).namespace,
      labels,
      annotations: { [REVISION]: String(latest + 1) },
      ownerReferences: [ownerReference(deployment)],
    },
    spec: {
      replicas: 0,
      ...(spec['minReadySeconds'] !== undefined && { minReadySeconds: spec['minReadySeconds'] }),
      selector: {
        ...selector,
        matchLabels: { ...objectAt(selector, 'matchLabels'), [HASH]: hash },
      },
      template: { ...template, metadata: { ...objectAt(template, 'metadata'), labels } },
    },
  });
  return name;
}

function scaleSets(deployment: JsonObject, current: string, reach: Reach): void {
  const kind = reach.kind('apps/v1', 'ReplicaSet');
  const sets = setsOf(deployment, reach);
  const sizes = sets.map((set) => sizeOf(set, current));
  const target = rolled(objectAt(deployment, 'spec'), sizes);
  for (const set of sets) {
    const replicas = target.get(keyOf(set).name);
    const minReadySeconds = objectAt(deployment, 'spec')['minReadySeconds'];
    const spec = { ...objectAt(set, 'spec'), replicas, minReadySeconds };
    if (replicas !== undefined && !equalJson(spec, set['spec']))
      reach.update(kind, set, { ...set, spec });
  }
}

function sizeOf(set: JsonObject, current: string): RevisionSize {
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

/** Old empty ReplicaSets beyond the history limit go, oldest revision first. */
function cleanUp(deployment: JsonObject, current: string, reach: Reach): void {
  const limit = Number(objectAt(deployment, 'spec')['revisionHistoryLimit'] ?? 10);
  const idle = setsOf(deployment, reach)
    .filter(
      (set) =>
        keyOf(set).name !== current &&
        objectAt(set, 'spec')['replicas'] === 0 &&
        objectAt(set, 'status')['replicas'] === 0,
    )
    .sort((a, b) => revisionOf(a) - revisionOf(b));
  for (const set of idle.slice(0, Math.max(0, idle.length - limit)))
    reach.delete(reach.kind('apps/v1', 'ReplicaSet'), set);
}

/** Write the status; @returns when the progress deadline has to be looked at. */
function report(deployment: JsonObject, current: string, reach: Reach): number | undefined {
  const { world } = reach;
  const kind = reach.kind('apps/v1', 'Deployment');
  const spec = objectAt(deployment, 'spec');
  const before = objectAt(deployment, 'status');
  const wanted = Number(spec['replicas'] ?? 1);
  const sizes = setsOf(deployment, reach).map((set) => sizeOf(set, current));
  const newest = sizes.find((size) => size.isCurrent);
  const sum = (value: (size: RevisionSize) => number): number =>
    sizes.reduce((total, size) => total + value(size), 0);
  const [pods, available, updated] = [
    sum((size) => size.pods),
    sum((size) => size.available),

    newest?.pods ?? 0,
  ];
  const ready = sum((size) => size.ready);
  const unavailable = Math.max(0, Math.max(wanted, pods) - available);
  const { maxUnavailable } = rolledLimits(spec, wanted);
  let status: JsonObject = {
    observedGeneration: generationOf(deployment),
    ...(pods > 0 && { replicas: pods }),
    ...(updated > 0 && { updatedReplicas: updated }),
    ...(ready > 0 && { readyReplicas: ready }),
    ...(available > 0 && { availableReplicas: available }),
    ...(unavailable > 0 && { unavailableReplicas: unavailable }),
    ...(before['conditions'] !== undefined && { conditions: before['conditions'] }),
  };
  status = withCondition(
    world,
    status,
    available >= wanted - maxUnavailable
      ? {
          type: 'Available',
          status: 'True',
          reason: 'MinimumReplicasAvailable',
          message: 'Deployment has minimum availability.',
        }
      : {
          type: 'Available',
          status: 'False',
          reason: 'MinimumReplicasUnavailable',
          message: 'Deployment does not have minimum availability.',
        },
    true,
  );
  const isComplete =
    updated === wanted && pods === wanted && available === wanted && newest?.replicas === wanted;
  const hasMoved = ['updatedReplicas', 'replicas', 'readyReplicas', 'availableReplicas'].some(
    (field) => Number(before[field] ?? 0) !== Number(status[field] ?? 0),
  );
  const [progressed, wait] = withProgress(world, status, spec, current, isComplete, hasMoved);
  const revision = setsOf(deployment, reach)
    .filter((set) => keyOf(set).name === current)
    .map(revisionOf)[0];
  const annotations = {
    ...objectAt(deployment, 'metadata', 'annotations'),
    ...(revision !== undefined && { [REVISION]: String(revision) }),
  };
  const changed =
    annotations[REVISION] !== objectAt(deployment, 'metadata', 'annotations')[REVISION];
  reach.setStatus(kind, deployment, progressed, changed ? annotations : undefined);
  return wait;
}

function withProgress(
  world: Reach['world'],
  status: JsonObject,
  spec: JsonObject,
  current: string,
  isComplete: boolean,
  hasMoved: boolean,
): readonly [JsonObject, number | undefined] {
  const before = conditionOf(status, 'Progressing');
  const set = (reason: string, message: string, ok: boolean): JsonObject =>
    withCondition(
      world,
      status,
      { type: 'Progressing', status: ok ? 'True' : 'False', reason, message },
      true,
    );
  if (isComplete)
    return [
      set('NewReplicaSetAvailable', `ReplicaSet "${current}" has successfully progressed.`, true),
      undefined,
    ];
  const deadline = Number(spec['progressDeadlineSeconds'] ?? 600) * 1000;
  const message = `ReplicaSet "${current}" is progressing.`;
  const isOther =
    !String(before?.['message']).includes(`"${current}"`) ||
    before?.['reason'] === 'NewReplicaSetAvailable';
  if (before === undefined || hasMoved || isOther) {
    const touched = set('ReplicaSetUpdated', message, true);
    return [touchUpdateTime(world, touched), deadline];
  }
  if (before['reason'] === 'ProgressDeadlineExceeded') return [status, undefined];
  const waited = world.time.now().getTime() - Date.parse(String(before['lastUpdateTime']));
  if (waited < deadline) return [status, deadline - waited];
  return [
    set('ProgressDeadlineExceeded', `ReplicaSet "${current}" has timed out progressing.`, false),
    undefined,
  ];
}

function touchUpdateTime(world: Reach['world'], status: JsonObject): JsonObject {
  const now = `${world.time.now().toISOString().slice(0, 19)}Z`;
  const conditions = listAt(status, 'conditions').map((each) =>
    isObject(each) && each['type'] === 'Progressing' ? { ...each, lastUpdateTime: now } : each,
  );
  return { ...status, conditions };
}

function rolledLimits(spec: JsonObject, wanted: number): { maxUnavailable: number } {
  const limits = objectAt(spec, 'strategy', 'rollingUpdate');
  return { maxUnavailable: scaled(limits['maxUnavailable'] ?? 0, wanted, Math.floor) };
}

function revisionOf(set: JsonObject): number {
  return Number(objectAt(set, 'metadata', 'annotations')[REVISION] ?? 0);
}

function withAnnotation(object: JsonObject, key: string, value: string): JsonObject {
  const metadata = objectAt(object, 'metadata');
  return {
    ...object,
    metadata: { ...metadata, annotations: { ...objectAt(metadata, 'annotations'), [key]: value } },
  };
}
