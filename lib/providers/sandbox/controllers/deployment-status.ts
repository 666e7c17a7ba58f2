import { isObject, listAt, objectAt, type JsonObject } from '../merge/json.js';
import { conditionOf, withCondition } from './conditions.js';
import { generationOf, keyOf, type Reach } from './controller.js';
import { REVISION, revisionOf, setsOf, sizeOf } from './deployment-sets.js';
import { scaled, type RevisionSize } from './rolling.js';

/** Write the status; @returns when the progress deadline has to be looked at. */
export function reportDeployment(
  deployment: JsonObject,
  current: string,
  reach: Reach,
): number | undefined {
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
