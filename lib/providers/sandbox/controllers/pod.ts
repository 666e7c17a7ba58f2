import { conditionOf, withCondition } from './conditions.js';
import { objectAt, type JsonObject } from '../merge/json.js';
import { itemsOf } from '../schema/pod-defaults.js';
import { timestamp } from '../time.js';
import {
  controllerOf,
  isDeleted,
  keyOf,
  ownKey,
  type Controller,
  type Key,
  type Reach,
} from './controller.js';
import { nodeFor } from './scheduler.js';

/** Annotations of a pod template that steer a rollout, the same as in the rig of real API servers. */
const READY_AFTER = 'rig/ready-after';
const NEVER_READY = 'rig/never-ready';
/** A tag no registry has: pods with such an image wait for ever. */
const MISSING_TAG = 'does-not-exist';

const RESCHEDULE_MS = 500;

/** Stands in for the scheduler and every kubelet: binds pods to nodes and reports them running. */
export function podController(): Controller {
  /** When a pod becomes ready, by uid: Kubernetes' own times are whole seconds. */
  const due = new Map<string, number>();
  return {
    name: 'kubelet',
    concerns: (event) => ownKey(event, '', 'pods'),
    reconcile: (key, reach) => reconcilePod(key, reach, due),
  };
}

export function isPodReady(pod: JsonObject): boolean {
  return conditionOf(objectAt(pod, 'status'), 'Ready')?.['status'] === 'True' && !isDeleted(pod);
}

function reconcilePod(key: Key, reach: Reach, due: Map<string, number>): number | undefined {
  const kind = reach.kind('v1', 'Pod');
  const pod = reach.get(kind, key);
  if (pod === undefined || isDeleted(pod)) return undefined;
  const status = objectAt(pod, 'status');
  if ((status['phase'] ?? 'Pending') !== 'Pending') return undefined;
  if (typeof objectAt(pod, 'spec')['nodeName'] !== 'string') return bind(pod, reach);

  const reason = neverReadyReason(pod);
  if (reason !== undefined) {
    reach.setStatus(kind, pod, waitingStatus(pod, reason, reach));
    return undefined;
  }
  const uid = String(objectAt(pod, 'metadata')['uid']);
  const now = reach.world.time.now().getTime();
  const ready = due.get(uid) ?? now + readyDelay(pod);
  if (now < ready) {
    due.set(uid, ready);
    reach.setStatus(kind, pod, waitingStatus(pod, 'ContainerCreating', reach));
    return ready - now;
  }
  due.delete(uid);
  reach.setStatus(kind, pod, runningStatus(pod, reach));
  return undefined;
}

function bind(pod: JsonObject, reach: Reach): number | undefined {
  const kind = reach.kind('v1', 'Pod');
  const choice = nodeFor(pod, reach.world);
  if (choice.node !== undefined) {
    reach.update(kind, pod, { ...pod, spec: { ...objectAt(pod, 'spec'), nodeName: choice.node } });
    return undefined;
  }
  const condition = {
    type: 'PodScheduled',
    status: 'False',
    reason: 'Unschedulable',
    message: choice.message,
  } as const;
  reach.setStatus(
    kind,
    pod,
    withCondition(reach.world, { ...objectAt(pod, 'status'), phase: 'Pending' }, condition),
  );
  return RESCHEDULE_MS;
}

function neverReadyReason(pod: JsonObject): string | undefined {
  const annotated = objectAt(pod, 'metadata', 'annotations')[NEVER_READY];
  if (typeof annotated === 'string') return annotated;
  const images = itemsOf(objectAt(pod, 'spec'), 'containers').map((container) =>
    String(container['image']),
  );
  return images.some((image) => image.endsWith(`:${MISSING_TAG}`)) ? 'ImagePullBackOff' : undefined;
}

/** 150 to 400 ms by the pod's name, so that progress can be seen and repeats; or what the annotation says. */
function readyDelay(pod: JsonObject): number {
  const wanted = objectAt(pod, 'metadata', 'annotations')[READY_AFTER];
  if (typeof wanted === 'string') return parseDuration(wanted);
  const name = keyOf(pod).name;
  let sum = 0;
  for (let index = 0; index < name.length; index++) sum = (sum * 31 + name.charCodeAt(index)) % 251;
  return 150 + sum;
}

/** Go's notation: `1500ms`, `2s`, `1m30s`. Text that is no duration counts as nothing. */
export function parseDuration(text: string): number {
  const UNIT: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  return parts.reduce(
    (total, [, amount = '0', unit = 's']) => total + Number(amount) * (UNIT[unit] ?? 0),
    0,
  );
}

function waitingStatus(pod: JsonObject, reason: string, reach: Reach): JsonObject {
  const message =
    reason === 'ContainerCreating' ? {} : { message: `set by the sandbox: ${reason}` };
  // It has run and ended: only then is it a loop.
  const isCrashing = reason === 'CrashLoopBackOff';
  const lastState = isCrashing
    ? { lastState: { terminated: { exitCode: 1, reason: 'Error' } } }
    : {};
  const containers = itemsOf(objectAt(pod, 'spec'), 'containers').map((container) => ({
    name: container['name'],
    image: container['image'],
    imageID: '',
    ready: false,
    started: false,
    restartCount: isCrashing ? 1 : 0,
    state: { waiting: { reason, ...message } },
    ...lastState,
  }));
  const startTime = objectAt(pod, 'status')['startTime'] ?? timestamp(reach.world.time);
  return conditions(pod, 'False', reach, {
    phase: 'Pending',
    startTime,
    hostIP: '127.0.0.1',
    containerStatuses: containers,
  });
}

function runningStatus(pod: JsonObject, reach: Reach): JsonObject {
  const now = timestamp(reach.world.time);
  const isJob = controllerOf(pod)?.['kind'] === 'Job';
  const state = isJob
    ? { terminated: { exitCode: 0, reason: 'Completed', startedAt: now, finishedAt: now } }
    : { running: { startedAt: now } };
  const containers = itemsOf(objectAt(pod, 'spec'), 'containers').map((container) => ({
    name: container['name'],
    image: container['image'],
    imageID: `sandbox://${String(container['image'])}`,
    ready: !isJob,
    started: !isJob,
    restartCount: 0,
    state,
  }));
  const podIP = podAddress(pod, reach);
  const status = {
    phase: isJob ? 'Succeeded' : 'Running',
    podIP,
    podIPs: [{ ip: podIP }],
    containerStatuses: containers,
  };
  return conditions(pod, isJob ? 'False' : 'True', reach, status);
}

function conditions(
  pod: JsonObject,
  ready: 'True' | 'False',
  reach: Reach,
  fields: JsonObject,
): JsonObject {
  let status: JsonObject = {
    ...objectAt(pod, 'status'),
    ...fields,
    observedGeneration: objectAt(pod, 'metadata')['generation'],
  };
  const reason =
    ready === 'False'
      ? { reason: fields['phase'] === 'Succeeded' ? 'PodCompleted' : 'ContainersNotReady' }
      : {};
  for (const type of ['PodScheduled', 'Initialized'])
    status = withCondition(reach.world, status, { type, status: 'True' });
  for (const type of ['ContainersReady', 'Ready'])
    status = withCondition(reach.world, status, { type, status: ready, ...reason });
  return status;
}

function podAddress(pod: JsonObject, reach: Reach): string {
  const known = objectAt(pod, 'status')['podIP'];
  if (typeof known === 'string') return known;
  const used = new Set(
    reach.world.store
      .list({ group: '', resource: 'pods' })
      .map((each) => objectAt(each, 'status')['podIP']),
  );
  let n = used.size;
  const address = (): string =>
    `10.${200 + (reach.world.index % 50)}.${Math.floor(n / 250) % 250}.${(n % 250) + 1}`;
  while (used.has(address())) n++;
  return address();
}
