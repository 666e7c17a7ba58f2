import type { ClusterAffinityTerm, Placement } from '../../api/placement.js';
import type { Verdict } from '../plan.js';
import { compileAffinity, type ClusterPredicate } from './affinity.js';
import type { ClusterFacts } from './cluster-facts.js';
import type { SelectorIndex } from './selector-index.js';

/** How replicas are given to the selected clusters (scheduling reference §11.2). */
export type Strategy =
  'Duplicated' | 'StaticWeight' | 'DynamicWeight' | 'Aggregated' | 'Unsupported';

export interface Bounds {
  readonly min: number;
  readonly max: number;
}

export interface CompiledTerm {
  readonly name: string;
  readonly matches: ClusterPredicate;
  /** In order; a cluster belongs to the first that matches. Absent when the term has no such list. */
  readonly overflow?: readonly ClusterPredicate[];
}

/** A placement made ready once for all bindings and clusters that it is asked about. */
export interface CompiledPlacement {
  readonly placement: Placement;
  readonly strategy: Strategy;
  /** Absent strategy or Duplicated: free capacity does not count in selection (§10.3). */
  readonly ignoresResources: boolean;
  /** Divided by static weights: spread constraints only filter (§10.3). */
  readonly ignoresSpread: boolean;
  readonly hasConstraints: boolean;
  /** By field; a later entry replaces an earlier one. Entries by label do not appear: they spread nothing. */
  readonly constraints: ReadonlyMap<string, Bounds>;
  /** `clusterAffinity`, which wins over the terms. */
  readonly affinity?: ClusterPredicate;
  /** `clusterAffinities`, in order. */
  readonly terms: readonly CompiledTerm[];
  /** Static weights; absent: no weight preference, all clusters weigh the same. */
  readonly weights?: readonly { readonly matches: ClusterPredicate; readonly weight: number }[];
  /** Positions of the clusters that its selector may match, ascending; others need not be asked. */
  readonly reach: readonly number[];
  readonly memo: PlacementMemo;
}

/** Answers kept per placement, by what else they depend on. */
export interface PlacementMemo {
  readonly feasible: Map<string, Feasible>;
  /** Verdicts about clusters that a binding does not have, by position; shared by all bindings of the placement. */
  readonly verdicts: Map<string, (Verdict | undefined)[]>;
  /** By affinity term: what does not match about a cluster, in words. */
  readonly mismatches: Map<string, (cluster: ClusterFacts) => string>;
}

/** Which clusters pass the filters that depend on placement and kind only. */
export interface Feasible {
  /** 1 where a cluster passes that the binding does not have yet. */
  readonly passesNew: Uint8Array;
  /** Positions of `passesNew`, ascending. */
  readonly positions: Int32Array;
  /** Positions that pass where the binding is in place already, ascending; `positions` are among them. */
  readonly positionsBound: Int32Array;
}

export function compilePlacement(
  placement: Placement,
  selectors: SelectorIndex,
): CompiledPlacement {
  const { clusterAffinity, clusterAffinities, replicaScheduling, spreadConstraints } = placement;
  const preference = replicaScheduling?.weightPreference;
  const weights = preference && (preference.staticWeightList ?? []);
  const constraints = new Map<string, Bounds>();
  for (const { spreadByField = '', minGroups = 0, maxGroups = 0 } of spreadConstraints ?? []) {
    if (spreadByField !== '') constraints.set(spreadByField, { min: minGroups, max: maxGroups });
  }
  return {
    placement,
    strategy: strategyOf(placement),
    ignoresResources:
      !replicaScheduling || replicaScheduling.replicaSchedulingType === 'Duplicated',
    ignoresSpread: isStaticWeight(placement),
    hasConstraints: (spreadConstraints ?? []).length > 0,
    constraints,
    ...(clusterAffinity && { affinity: compileAffinity(clusterAffinity) }),
    reach: selectors.reachOf(clusterAffinity),
    terms: (clusterAffinities ?? []).map(compileTerm),
    ...(weights && {
      weights: weights.map(({ targetCluster, weight }) => ({
        matches: compileAffinity(targetCluster ?? {}),
        weight: weight ?? 0,
      })),
    }),
    memo: { feasible: new Map(), verdicts: new Map(), mismatches: new Map() },
  };
}

function compileTerm(term: ClusterAffinityTerm): CompiledTerm {
  const { affinityName, overflowAffinities } = term;
  const overflow = overflowAffinities?.map(compileAffinity);
  return { name: affinityName, matches: compileAffinity(term), ...(overflow && { overflow }) };
}

function strategyOf({ replicaScheduling }: Placement): Strategy {
  if (!replicaScheduling) return 'Duplicated';
  const { replicaSchedulingType, replicaDivisionPreference, weightPreference } = replicaScheduling;
  if (replicaSchedulingType === 'Duplicated') return 'Duplicated';
  if (replicaSchedulingType !== 'Divided') return 'Unsupported';
  if (replicaDivisionPreference === 'Aggregated') return 'Aggregated';
  if (replicaDivisionPreference !== 'Weighted') return 'Unsupported';
  return weightPreference?.dynamicWeight ? 'DynamicWeight' : 'StaticWeight';
}

/** An empty preference divides by equal weights too, yet honours spread constraints: Karmada's oddity (§22.17). */
function isStaticWeight(placement: Placement): boolean {
  const preference = placement.replicaScheduling?.weightPreference;
  if (strategyOf(placement) !== 'StaticWeight') return false;
  return !preference || (preference.staticWeightList ?? []).length > 0;
}

/** The term of a name; the first if several have it. */
export function tryFindTerm(compiled: CompiledPlacement, name: string): CompiledTerm | undefined {
  return compiled.terms.find((term) => term.name === name);
}

/** Order of a cluster that belongs to no tier of the observed term. */
export const NO_TIER = 1000;

/**
 * 0 for the term's own clusters, n for those of its n-th overflow affinity. Source: scheduling reference §14.3.
 */
export function tierOf(
  compiled: CompiledPlacement,
  affinityName: string,
  cluster: ClusterFacts,
): number {
  if (compiled.affinity !== undefined || compiled.terms.length === 0) return 0;
  const term = tryFindTerm(compiled, affinityName);
  if (term === undefined) return NO_TIER;
  if (term.matches(cluster)) return 0;
  const overflow = (term.overflow ?? []).findIndex((matches) => matches(cluster));
  return overflow < 0 ? NO_TIER : overflow + 1;
}
