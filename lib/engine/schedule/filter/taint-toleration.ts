import type { Taint } from '../../../api/cluster.js';
import type { Toleration } from '../../../api/toleration.js';
import type { ClusterFacts } from '../cluster-facts.js';
import type { Subject } from '../subject.js';
import type { Filter } from './filter.js';

/** Taints must be tolerated, unless the cluster is bound already. Source: scheduling reference §7.2. */
export const taintToleration: Filter = {
  name: 'TaintToleration',
  reject: (subject, cluster) => {
    if (subject.bound.has(cluster.name)) return undefined;
    const taint = firstUntolerated(subject, cluster);
    return taint && `cluster(s) had untolerated taint {${describeTaint(taint)}}`;
  },
  explain: (subject, cluster) => {
    const taint = firstUntolerated(subject, cluster);
    return `taint ${taint === undefined ? '' : describeTaint(taint)} is not tolerated`;
  },
};

/** Whether a toleration of a placement covers a taint of a cluster; only `Exists` and `Equal` do. */
export function tolerates(toleration: Toleration, taint: Taint): boolean {
  const { effect = '', key = '', operator = '', value = '' } = toleration;
  if (effect !== '' && effect !== taint.effect) return false;
  if (key !== '' && key !== taint.key) return false;
  if (operator === 'Exists') return true;
  return (operator === '' || operator === 'Equal') && value === (taint.value ?? '');
}

function firstUntolerated({ placement }: Subject, { taints }: ClusterFacts): Taint | undefined {
  const tolerations = placement.placement.clusterTolerations ?? [];
  return taints.find(
    (taint) =>
      (taint.effect === 'NoSchedule' || taint.effect === 'NoExecute') &&
      !tolerations.some((toleration) => tolerates(toleration, taint)),
  );
}

/** `key=value:effect`, or `key:effect` without a value. */
export function describeTaint({ key, value = '', effect }: Taint): string {
  return value === '' ? `${key}:${effect}` : `${key}=${value}:${effect}`;
}
