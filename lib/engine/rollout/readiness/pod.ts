import type { KubeObject } from '../../../api/object.js';
import type { Readiness } from './readiness.js';
import { describeCondition, findCondition, hasFailed, part, READY, waiting } from './readiness.js';

/** Succeeded, or Running with condition Ready. */
export function podReadiness(object: KubeObject): Readiness {
  const status = part(object, 'status');
  const phase = typeof status['phase'] === 'string' ? status['phase'] : 'Pending';
  if (phase === 'Succeeded') return READY;
  if (phase === 'Failed')
    return hasFailed(
      `the pod failed: ${String(status['reason'] ?? status['message'] ?? 'no reason given')}`,
    );
  const ready = findCondition(object, 'Ready');
  if (phase === 'Running' && ready?.status === 'True') return READY;
  const unscheduled = findCondition(object, 'PodScheduled');
  if (unscheduled?.status === 'False') return waiting(`a node: ${describeCondition(unscheduled)}`);
  return waiting(`the pod to be ready (phase ${phase})`);
}
