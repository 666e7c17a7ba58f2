import type { Cluster, Taint } from '../../api/cluster.js';

/** What placement rules read of one cluster, with absent fields filled in. */
export interface ClusterFacts {
  /** Rank by name in the fleet; the identity inside the engine. */
  readonly position: number;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Provider and region where they are not empty, as field selectors see them. */
  readonly fields: Readonly<Record<string, string>>;
  /** Empty: the cluster has none. */
  readonly provider: string;
  readonly region: string;
  readonly zones: readonly string[];
  readonly taints: readonly Taint[];
  /** Being deleted: counted, never a candidate. */
  readonly isDeleting: boolean;
  /** Condition Ready is there and not True. */
  readonly isUnready: boolean;
  readonly document: Cluster;
}

export function factsOf(document: Cluster, position: number): ClusterFacts {
  const { metadata, spec } = document;
  const { provider = '', region = '', zone, zones = [], taints = [] } = spec ?? {};
  return {
    position,
    name: metadata.name ?? '',
    labels: metadata.labels ?? {},
    fields: { ...(provider !== '' && { provider }), ...(region !== '' && { region }) },
    provider,
    region,
    // Admission moves the deprecated single zone into the list.
    zones: zones.length === 0 && zone !== undefined && zone !== '' ? [zone] : zones,
    taints,
    isDeleting: isSet(metadata.deletionTimestamp),
    isUnready: isUnready(document),
    document,
  };
}

function isUnready({ status }: Cluster): boolean {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  return ready !== undefined && ready.status !== 'True';
}

function isSet(time: string | undefined | null): boolean {
  return time !== undefined && time !== null && time !== '';
}
