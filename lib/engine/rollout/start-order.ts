import type { Cluster } from '../../api/cluster.js';
import type { RolloutWave } from '../../api/rollout.js';
import { compareBy, descending, inOrder, sorted, type Compare } from '../compare.js';
import { parseQuantity } from '../schedule/quantity.js';

/** A cluster that has a release. `cluster` is absent when it is no longer in the fleet (it is leaving). */
export interface WaveMember {
  readonly name: string;
  readonly cluster?: Cluster | undefined;
}

/**
 * The members of a wave in the order in which they start: by a label, by allocatable CPU, or by name. What has no such value
 * comes last; equal values are ordered by name.
 */
export function inStartOrder(
  order: RolloutWave['order'],
  members: readonly WaveMember[],
): readonly WaveMember[] {
  const byName = compareBy((member: WaveMember) => member.name);
  if (order === undefined) return sorted(members, byName);
  if ('label' in order) {
    const { label } = order;
    const valueOf = ({ cluster }: WaveMember): string | undefined =>
      cluster?.metadata.labels?.[label];
    return sorted(
      members,
      inOrder(
        knownFirst(valueOf),
        compareBy((m) => valueOf(m) ?? ''),
        byName,
      ),
    );
  }
  const bySize = compareBy((member: WaveMember) => cpuOf(member) ?? 0);
  const directed = order.capacity === 'smallestFirst' ? bySize : descending(bySize);
  return sorted(members, inOrder(knownFirst(cpuOf), directed, byName));
}

function knownFirst(valueOf: (member: WaveMember) => unknown): Compare<WaveMember> {
  return compareBy((member) => (valueOf(member) === undefined ? 1 : 0));
}

function cpuOf({ cluster }: WaveMember): number | undefined {
  const text = cluster?.status?.resourceSummary?.allocatable?.['cpu'];
  const quantity = text === undefined ? undefined : parseQuantity(text);
  return quantity === undefined ? undefined : quantity.milli;
}
