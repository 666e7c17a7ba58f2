import type { ClusterSpec } from '../../api/cluster.js';
import { compareStrings, sorted } from '../../engine/compare.js';
import type { Node } from './capacity.js';

const REGION = 'topology.kubernetes.io/region';
const ZONE = 'topology.kubernetes.io/zone';

/** Collects where a cluster's nodes stand. */
export interface Topology {
  addNode(node: Node): void;
  /** Region and provider only when all nodes agree; zones sorted. */
  spec(): Pick<ClusterSpec, 'provider' | 'region' | 'zones'>;
}

/** From the well-known labels, and the scheme of `providerID` (`aws`, `gce`, `azure`, `kind`). */
export function openTopology(): Topology {
  const regions = new Set<string>();
  const zones = new Set<string>();
  const providers = new Set<string>();
  return {
    addNode: ({ metadata, spec }) => {
      const { labels = {} } = metadata;
      if (labels[REGION] !== undefined) regions.add(labels[REGION]);
      if (labels[ZONE] !== undefined) zones.add(labels[ZONE]);
      const scheme = /^([a-z][a-z0-9-]*):\/\//.exec(spec?.providerID ?? '')?.[1];
      if (scheme !== undefined) providers.add(scheme);
    },
    spec: () => {
      const [region, ...moreRegions] = regions;
      const [provider, ...moreProviders] = providers;
      return {
        ...(provider !== undefined && moreProviders.length === 0 && { provider }),
        ...(region !== undefined && moreRegions.length === 0 && { region }),
        ...(zones.size > 0 && { zones: sorted(zones, compareStrings) }),
      };
    },
  };
}
