import type { KubeObject } from '../../../api/object.js';
import type { Readiness } from './readiness.js';
import {
  count,
  hasFailed,
  notObserved,
  part,
  READY,
  reached,
  replicasToGo,
  waiting,
} from './readiness.js';

/**
 * Argo Rollouts' own verdict on the newest generation, `status.phase`: its conditions stay good in the middle of a canary.
 * A rollout that pauses for somebody waits; a degraded one may still recover when its pods come up.
 */
export function argoRolloutReadiness(object: KubeObject): Readiness {
  const unseen = notObserved(object);
  if (unseen !== undefined) return unseen;
  const status = part(object, 'status');
  const message = typeof status['message'] === 'string' ? `: ${status['message']}` : '';
  const phase = typeof status['phase'] === 'string' ? status['phase'] : 'unknown';
  if (phase === 'Degraded') return { ...hasFailed(`degraded${message}`), mayRecover: true };
  if (phase !== 'Healthy') return waiting(`the rollout to be healthy (phase ${phase}${message})`);
  const wanted = count(part(object, 'spec')['replicas'], 1);
  const arrived = reached(
    ['replicas of the new revision', count(status['updatedReplicas']), wanted],
    ['available replicas', count(status['availableReplicas']), wanted],
  );
  const old = count(status['replicas']) - count(status['updatedReplicas']);
  return arrived.ready && old > 0
    ? waiting(replicasToGo(old, 'old'))
    : arrived.ready
      ? READY
      : arrived;
}
