import { bindingName } from '../../object.js';
import type { Subject } from '../subject.js';
import type { Filter } from './filter.js';

/**
 * Every placed member of the same affinity group must have the cluster; the first workload of a group goes anywhere.
 * Source: scheduling reference §7.6.
 */
export const workloadAffinity: Filter = {
  name: 'WorkloadAffinity',
  reject: (subject, { name }) =>
    subject.bound.has(name) || missingPeer(subject, name) === undefined
      ? undefined
      : 'ResourceBinding with the same affinity group does not target this cluster',
  explain: (subject, { name }) => {
    const group = subject.spec.workloadAffinityGroups?.affinityGroup ?? '';
    return `${missingPeer(subject, name) ?? 'a member'} of affinity group ${group} is not on it`;
  },
};

function missingPeer({ spec, peers }: Subject, cluster: string): string | undefined {
  const group = spec.workloadAffinityGroups?.affinityGroup ?? '';
  if (peers === undefined || group === '') return undefined;
  const self = bindingName(spec.resource);
  for (const [peer, clusters] of peers.of('affinityGroup', spec.resource.namespace ?? '', group)) {
    if (peer === self || clusters.length === 0) continue;
    if (!clusters.some(({ name }) => name === cluster)) return peer;
  }
  return undefined;
}
