import { bindingName } from '../../object.js';
import type { Subject } from '../subject.js';
import type { Filter } from './filter.js';

/** No other member of the same anti-affinity group may have the cluster. Source: scheduling reference §7.6. */
export const workloadAntiAffinity: Filter = {
  name: 'WorkloadAntiAffinity',
  reject: (subject, { name }) =>
    subject.bound.has(name) || presentPeer(subject, name) === undefined
      ? undefined
      : 'cluster already has workload with the same anti-affinity group',
  explain: (subject, { name }) => {
    const group = subject.spec.workloadAffinityGroups?.antiAffinityGroup ?? '';
    return `${presentPeer(subject, name) ?? 'a member'} of anti-affinity group ${group} is on it`;
  },
};

function presentPeer({ spec, peers }: Subject, cluster: string): string | undefined {
  const group = spec.workloadAffinityGroups?.antiAffinityGroup ?? '';
  if (peers === undefined || group === '') return undefined;
  const self = bindingName(spec.resource);
  const members = peers.of('antiAffinityGroup', spec.resource.namespace ?? '', group);
  for (const [peer, clusters] of members) {
    if (peer !== self && clusters.some(({ name }) => name === cluster)) return peer;
  }
  return undefined;
}
