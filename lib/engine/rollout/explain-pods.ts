import type { KubeObject } from '../../api/object.js';
import { compareBy, compareStrings, sorted } from '../compare.js';
import { describeCondition, findCondition, part, record } from './readiness/readiness.js';

/** Waiting reasons that pass by themselves and explain nothing. */
const ORDINARY = new Set(['ContainerCreating', 'PodInitializing']);

/**
 * What keeps pods from being ready, most frequent first: `2 pods: ImagePullBackOff: Back-off pulling image "nginx:x"`.
 * At most three lines; empty when all pods are ready or on their way. Pods that are being deleted do not count.
 */
export function explainPods(pods: readonly KubeObject[]): readonly string[] {
  const counted = new Map<string, { count: number; text: string }>();
  for (const pod of pods) {
    if (pod.metadata.deletionTimestamp !== undefined) continue;
    const trouble = troubleOf(pod);
    if (trouble === undefined) continue;
    // Messages differ by pod name and attempt: count by reason, show the first.
    const known = counted.get(trouble.reason) ?? { count: 0, text: trouble.text };
    counted.set(trouble.reason, { count: known.count + 1, text: known.text });
  }
  return sorted(counted.values(), (a, b) => b.count - a.count || compareStrings(a.text, b.text))
    .slice(0, 3)
    .map(({ count, text }) => `${count} ${count === 1 ? 'pod' : 'pods'}: ${text}`);
}

/** A container that ended by itself and waits to be started again; of several the first by pod name. */
export interface Crash {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

export function findCrash(pods: readonly KubeObject[]): Crash | undefined {
  const byName = sorted(
    pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined),
    compareBy(({ metadata }) => metadata.name ?? ''),
  );
  for (const pod of byName) {
    const { name, namespace } = pod.metadata;
    const crashed = containerStatuses(pod).find(
      (container) => record(record(container['state'])['waiting'])['reason'] === 'CrashLoopBackOff',
    );
    const container = crashed?.['name'];
    if (name === undefined || namespace === undefined || typeof container !== 'string') continue;
    return { namespace, pod: name, container };
  }
  return undefined;
}

function containerStatuses(pod: KubeObject): readonly Readonly<Record<string, unknown>>[] {
  const status = part(pod, 'status');
  return [status['initContainerStatuses'], status['containerStatuses']].flatMap((list) =>
    Array.isArray(list) ? list.map(record) : [],
  );
}

function troubleOf(
  pod: KubeObject,
): { readonly reason: string; readonly text: string } | undefined {
  const scheduled = findCondition(pod, 'PodScheduled');
  if (scheduled?.status === 'False') {
    return { reason: scheduled.reason ?? 'Unschedulable', text: describeCondition(scheduled) };
  }
  const status = part(pod, 'status');
  for (const container of containerStatuses(pod)) {
    const waiting = record(record(container['state'])['waiting']);
    const reason = waiting['reason'];
    if (typeof reason !== 'string' || ORDINARY.has(reason)) continue;
    const last = record(record(container['lastState'])['terminated']);
    const exit =
      last['exitCode'] === undefined ? '' : ` (last exit code ${String(last['exitCode'])})`;
    const message = typeof waiting['message'] === 'string' ? `: ${waiting['message']}` : '';
    return { reason, text: `${reason}${exit}${message}`.slice(0, 300) };
  }
  if (status['phase'] === 'Failed')
    return { reason: 'Failed', text: `failed: ${String(status['reason'] ?? 'no reason')}` };
  const ready = findCondition(pod, 'Ready');
  if (status['phase'] === 'Running' && ready?.status === 'False') {
    return { reason: 'NotReady', text: `running, not ready: ${describeCondition(ready)}` };
  }
  return undefined;
}
