import type { Cluster } from '../api/cluster.js';
import type { PlacedBinding } from './binding.js';

interface Definition {
  readonly group?: string;
  readonly names?: { readonly kind?: string; readonly plural?: string };
  readonly versions?: readonly { readonly name: string; readonly served?: boolean }[];
}

interface DefinedKind {
  readonly groupVersion: string;
  readonly kind: string;
  readonly name: string;
}

/** The kinds that CRDs of this plan will make each cluster serve. */
export function definedKinds(
  definitions: readonly PlacedBinding[],
): ReadonlyMap<string, readonly DefinedKind[]> {
  const byCluster = new Map<string, DefinedKind[]>();
  for (const { template, clusters } of definitions) {
    const { group = '', names = {}, versions = [] } = (template.object['spec'] ?? {}) as Definition;
    const kinds = versions
      .filter((version) => version.served !== false)
      .map((version) => ({
        groupVersion: `${group}/${version.name}`,
        kind: names.kind ?? '',
        name: names.plural ?? '',
      }));
    for (const { name } of clusters)
      byCluster.set(name, [...(byCluster.get(name) ?? []), ...kinds]);
  }
  return byCluster;
}

/** The fleet as it will be once those CRDs are there. */
export function withDefinedKinds(
  clusters: readonly Cluster[],
  kinds: ReadonlyMap<string, readonly DefinedKind[]>,
): readonly Cluster[] {
  return clusters.map((cluster) => {
    const added = kinds.get(cluster.metadata.name ?? '');
    if (added === undefined) return cluster;
    const enablements = added.map(({ groupVersion, kind, name }) => ({
      groupVersion,
      resources: [{ kind, name }],
    }));
    return {
      ...cluster,
      status: {
        ...cluster.status,
        apiEnablements: [...(cluster.status?.apiEnablements ?? []), ...enablements],
      },
    };
  });
}
