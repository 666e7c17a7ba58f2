import type { KubeObject } from '../../../api/object.js';
import type { Readiness } from './readiness.js';
import {
  count,
  describeCondition,
  findCondition,
  hasFailed,
  notObserved,
  part,
  READY,
  reached,
  replicasToGo,
  waiting,
} from './readiness.js';

/**
 * Rolled out: every replica is new, available, and no old one is left.
 *
 * Karmada calls it Healthy while old pods still make up the number (lifecycle reference §3.7); here `replicas` must
 * equal `updatedReplicas`. `ProgressDeadlineExceeded` is a failure; a paused Deployment waits.
 */
export function deploymentReadiness(object: KubeObject): Readiness {
  const unseen = notObserved(object);
  if (unseen !== undefined) return unseen;
  const spec = part(object, 'spec');
  const status = part(object, 'status');
  const wanted = count(spec['replicas'], 1);
  const [replicas, updated] = [count(status['replicas']), count(status['updatedReplicas'])];
  const progressing = findCondition(object, 'Progressing');
  if (progressing?.reason === 'ProgressDeadlineExceeded')
    return { ...hasFailed(describeCondition(progressing)), mayRecover: true };
  const arrived = reached(
    ['replicas of the new revision', updated, wanted],
    ['available replicas', count(status['availableReplicas']), wanted],
    ['ready replicas', count(status['readyReplicas']), wanted],
  );
  if (!arrived.ready) {
    return spec['paused'] === true
      ? waiting(`${arrived.waitingFor}; spec.paused is true`)
      : arrived;
  }
  if (replicas > updated) return waiting(replicasToGo(replicas - updated, 'old'));
  if (replicas > wanted) return waiting(replicasToGo(replicas - wanted, 'surplus'));
  return READY;
}
