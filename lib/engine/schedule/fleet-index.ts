import type { Cluster } from '../../api/cluster.js';
import type { Placement } from '../../api/placement.js';
import { canonicalJson } from '../canonical.js';
import { compareBy, sorted } from '../compare.js';
import { factsOf, type ClusterFacts } from './cluster-facts.js';
import { indexCapacity, type Capacity } from './estimate/capacity.js';
import { compilePlacement, type CompiledPlacement } from './placement.js';
import { indexSelectors, type SelectorIndex } from './selector-index.js';
import { createVerdictPool, type VerdictPool } from './verdict-pool.js';

/**
 * A fleet made ready for many bindings: names ranked, quantities parsed, placements evaluated once.
 * Opaque to callers; holds caches, so make one per plan and do not share it between fleets.
 */
export interface FleetIndex {
  /** By name; `clusters[i].position === i`. Clusters being deleted are among them. */
  readonly clusters: readonly ClusterFacts[];
  readonly positionOf: ReadonlyMap<string, number>;
  /** Rank of each cluster's region among `regions`; -1: none. */
  readonly regionOf: Int32Array;
  /** Distinct names, sorted. */
  readonly regions: readonly string[];
  readonly capacity: Capacity;
  /** 1 where the cluster serves the kind. */
  readonly serves: (apiVersion: string, kind: string) => Uint8Array;
  readonly compile: (placement: Placement) => CompiledPlacement;
  readonly pool: VerdictPool;
}

/** Index clusters given in any order; names are unique (validation sees to it). */
export function indexFleet(documents: readonly Cluster[]): FleetIndex {
  const clusters = sorted(
    documents,
    compareBy(({ metadata }) => metadata.name ?? ''),
  ).map(factsOf);
  const regions = [...new Set(clusters.map(({ region }) => region))].filter((r) => r !== '').sort();
  return {
    clusters,
    positionOf: new Map(clusters.map(({ name, position }) => [name, position])),
    regionOf: Int32Array.from(clusters, ({ region }) => regions.indexOf(region)),
    regions,
    capacity: indexCapacity(clusters),
    serves: rememberServes(clusters),
    compile: rememberPlacements(indexSelectors(clusters)),
    pool: createVerdictPool(clusters.length),
  };
}

function rememberServes(clusters: readonly ClusterFacts[]): FleetIndex['serves'] {
  const known = new Map<string, Uint8Array>();
  return (apiVersion, kind) => {
    const key = `${apiVersion} ${kind}`;
    let mask = known.get(key);
    if (mask === undefined) {
      mask = Uint8Array.from(clusters, (cluster) => (isServed(cluster, apiVersion, kind) ? 1 : 0));
      known.set(key, mask);
    }
    return mask;
  };
}

function isServed({ document }: ClusterFacts, apiVersion: string, kind: string): boolean {
  return (document.status?.apiEnablements ?? []).some(
    ({ groupVersion, resources }) =>
      groupVersion === apiVersion && (resources ?? []).some((resource) => resource.kind === kind),
  );
}

/** By identity first, then by content, so that bindings of one policy share their placement's answers. */
function rememberPlacements(selectors: SelectorIndex): FleetIndex['compile'] {
  const byIdentity = new WeakMap<Placement, CompiledPlacement>();
  const byContent = new Map<string, CompiledPlacement>();
  return (placement) => {
    let compiled = byIdentity.get(placement);
    if (compiled !== undefined) return compiled;
    const key = canonicalJson(placement);
    compiled = byContent.get(key) ?? compilePlacement(placement, selectors);
    byContent.set(key, compiled);
    byIdentity.set(placement, compiled);
    return compiled;
  };
}
