import type { ResourceBindingSpec, TargetCluster } from '../../api/resource-binding.js';
import { bindingName } from '../object.js';

/** What workload affinity reads of another binding. */
export interface PeerBinding {
  readonly metadata: { readonly name?: string; readonly namespace?: string };
  readonly spec: Pick<ResourceBindingSpec, 'resource' | 'clusters' | 'workloadAffinityGroups'>;
}

export type GroupKind = 'affinityGroup' | 'antiAffinityGroup';

/**
 * Bindings by their groups. Made once a plan; `put` a binding again when it has been decided, so that the bindings decided
 * after it see where it went. Source: scheduling reference §7.6.
 */
export interface Peers {
  readonly put: (binding: PeerBinding) => void;
  /** Target lists by binding name. */
  readonly of: (
    kind: GroupKind,
    namespace: string,
    group: string,
  ) => ReadonlyMap<string, readonly TargetCluster[]>;
}

export function createPeers(bindings: readonly PeerBinding[] = []): Peers {
  const groups = new Map<string, Map<string, readonly TargetCluster[]>>();
  const none: ReadonlyMap<string, readonly TargetCluster[]> = new Map();
  const put = ({ metadata, spec }: PeerBinding): void => {
    const namespace = metadata.namespace ?? spec.resource.namespace ?? '';
    const name = metadata.name ?? bindingName(spec.resource);
    for (const kind of ['affinityGroup', 'antiAffinityGroup'] as const) {
      const group = spec.workloadAffinityGroups?.[kind];
      if (group === undefined || group === '') continue;
      const key = keyOf(kind, namespace, group);
      const members = groups.get(key) ?? new Map<string, readonly TargetCluster[]>();
      groups.set(key, members.set(name, spec.clusters ?? []));
    }
  };
  bindings.forEach(put);
  return { put, of: (kind, namespace, group) => groups.get(keyOf(kind, namespace, group)) ?? none };
}

function keyOf(kind: GroupKind, namespace: string, group: string): string {
  return `${kind}\n${namespace}\n${group}`;
}
