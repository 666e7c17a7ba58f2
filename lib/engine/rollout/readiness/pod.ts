import type { KubeObject } from '../../../api/object.js';
import type { Readiness } from './readiness.js';
import {
  describeCondition,
  findCondition,
  hasFailed,
  isCurrent,
  notYetObserved,
  part,
  READY,
  waiting,
} from './readiness.js';

/** A change of resources in place that the kubelet still has before it. */
const RESIZING = ['PodResizePending', 'PodResizeInProgress'] as const;

/**
 * Succeeded, or Running with condition Ready; from Kubernetes 1.33 on, which counts the generations of pods, for the newest
 * one: a pod that was changed in place is Running and Ready all the time.
 */
export function podReadiness(object: KubeObject): Readiness {
  const status = part(object, 'status');
  const phase = typeof status['phase'] === 'string' ? status['phase'] : 'Pending';
  if (phase === 'Succeeded') return READY;
  if (phase === 'Failed')
    return hasFailed(
      `the pod failed: ${String(status['reason'] ?? status['message'] ?? 'no reason given')}`,
    );
  const ready = findCondition(object, 'Ready');
  if (phase === 'Running' && ready?.status === 'True') {
    const unseen = notYetObserved(object);
    if (unseen !== undefined) return unseen;
    if (!isCurrent(ready, object)) return waiting('condition Ready of the newest generation');
    const resizing = RESIZING.map((type) => findCondition(object, type)).find(
      (condition) => condition?.status === 'True',
    );
    return resizing === undefined ? READY : waiting(`the resize: ${describeCondition(resizing)}`);
  }
  const unscheduled = findCondition(object, 'PodScheduled');
  if (unscheduled?.status === 'False') return waiting(`a node: ${describeCondition(unscheduled)}`);
  return waiting(`the pod to be ready (phase ${phase})`);
}
