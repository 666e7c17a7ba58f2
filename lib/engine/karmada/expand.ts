import type { KubeObject } from '../../api/object.js';
import type { Placement } from '../../api/placement.js';
import { compareBy, compareStrings, sorted } from '../compare.js';
import { describeRef, groupOf, refKey, refOf } from '../object.js';
import type { Share } from './goal.js';

/** One template of a policy: where it is, and where the plan has it. */
export interface ExpansionInput {
  readonly template: KubeObject;
  /** From the live binding; sorted by cluster. */
  readonly current: readonly Share[];
  readonly planned: readonly Share[];
}

/** What is written before the waves so that nothing gets smaller in them. */
export type Expansion =
  /** Nothing leaves and nothing moves: the documents themselves. */
  | { readonly kind: 'none' }
  | {
      readonly kind: 'expanded';
      readonly policy: KubeObject;
      /** Templates that differ from their document, by `refKey`. */
      readonly templates: ReadonlyMap<string, KubeObject>;
      /** What Karmada has to decide then, by `refKey` of the template. */
      readonly shares: ReadonlyMap<string, readonly Share[]>;
    }
  /** Karmada has no way to keep what is there while the rest grows. */
  | { readonly kind: 'impossible'; readonly reason: string };

/**
 * Grow first: a policy whose placement has the old clusters and the new ones, with the larger of old and new replicas each.
 *
 * A cluster that leaves a placement loses its pods within a tenth of a second, suspended or not, so it must not leave before
 * the others have grown. Clusters are named and replicas pinned by static weights equal to the counts, which divide exactly.
 * Weights belong to the policy: several divided workloads can be pinned together only where one list of weights fits all.
 */
export function expand(policy: KubeObject, inputs: readonly ExpansionInput[]): Expansion {
  if (!inputs.some(({ current, planned }) => shrinksWhileOthersGrow(current, planned)))
    return { kind: 'none' };
  const spec = policy['spec'] as { readonly placement?: Placement };
  const grown = inputs.map((input) => ({ ...input, shares: larger(input.current, input.planned) }));
  const clusters = sorted(
    new Set(grown.flatMap(({ shares }) => shares.map(({ cluster }) => cluster))),
    compareStrings,
  );
  const isDivided = spec.placement?.replicaScheduling?.replicaSchedulingType === 'Divided';
  const counted = grown.filter(({ shares }) =>
    shares.some(({ replicas }) => replicas !== undefined),
  );
  const obstacle = isDivided ? obstacleOf(counted) : undefined;
  if (obstacle !== undefined) return { kind: 'impossible', reason: obstacle };
  const pinned = isDivided ? counted : [];
  return {
    kind: 'expanded',
    policy: withPlacement(policy, spec.placement ?? {}, clusters, pinned[0]?.shares),
    templates: new Map(pinned.map(withReplicas)),
    shares: new Map(
      grown.map(({ template, shares }) => [
        refKey(refOf(template)),
        sharesIn(shares, clusters, isDivided),
      ]),
    ),
  };
}

interface Grown extends ExpansionInput {
  readonly shares: readonly Share[];
}

/** Why the replicas of divided workloads cannot be pinned by one list of weights; for people. */
function obstacleOf(counted: readonly Grown[]): string | undefined {
  const fixed = counted.find(({ template }) => !isScaled(template));
  if (fixed !== undefined)
    return `${describeRef(refOf(fixed.template))} has no spec.replicas that could grow before it shrinks`;
  const [first, ...others] = counted;
  const other = others.find(({ shares }) => !isProportional(shares, first?.shares ?? []));
  if (first === undefined || other === undefined) return undefined;
  return `one list of static weights would have to keep the replicas of ${describeGrown(first)} and of ${describeGrown(other)}`;
}

/** Whether weights equal to `weights` give exactly `shares`. Compared crosswise: no fractions. */
function isProportional(shares: readonly Share[], weights: readonly Share[]): boolean {
  const total = totalOf(shares);
  const totalWeight = totalOf(weights);
  const names = new Set([...shares, ...weights].map(({ cluster }) => cluster));
  return [...names].every(
    (name) => replicasOn(shares, name) * totalWeight === replicasOn(weights, name) * total,
  );
}

function replicasOn(shares: readonly Share[], name: string): number {
  return shares.find(({ cluster }) => cluster === name)?.replicas ?? 0;
}

const totalOf = (shares: readonly Share[]): number =>
  shares.reduce((sum, { replicas = 0 }) => sum + replicas, 0);

function describeGrown({ template, shares }: Grown): string {
  const counts = shares.map(({ cluster, replicas = 0 }) => `${cluster} ${replicas}`).join(', ');
  return `${describeRef(refOf(template))} (${counts})`;
}

const SCALED_BY_REPLICAS = new Set(['Deployment', 'StatefulSet', 'ReplicaSet']);

/** Of Kubernetes, or Kruise's of the same name; what other groups call so may count its pods elsewhere. */
function isScaled({ apiVersion, kind }: KubeObject): boolean {
  return SCALED_BY_REPLICAS.has(kind) && ['apps', 'apps.kruise.io'].includes(groupOf(apiVersion));
}

function shrinksWhileOthersGrow(current: readonly Share[], planned: readonly Share[]): boolean {
  const wanted = new Map(planned.map((share) => [share.cluster, share]));
  const has = new Map(current.map((share) => [share.cluster, share]));
  if (current.some(({ cluster }) => !wanted.has(cluster))) return true;
  const shrinks = current.some(
    ({ cluster, replicas = 0 }) => (wanted.get(cluster)?.replicas ?? replicas) < replicas,
  );
  const grows = planned.some(
    ({ cluster, replicas = 0 }) => replicas > (has.get(cluster)?.replicas ?? 0),
  );
  return shrinks && grows;
}

function larger(current: readonly Share[], planned: readonly Share[]): readonly Share[] {
  const shares = new Map(planned.map((share) => [share.cluster, share]));
  for (const share of current) {
    const other = shares.get(share.cluster);
    if (other === undefined || (other.replicas ?? 0) < (share.replicas ?? 0))
      shares.set(share.cluster, share);
  }
  return sorted(
    shares.values(),
    compareBy((share) => share.cluster),
  );
}

/** Objects without replicas, and duplicated ones, go to every cluster that the policy names. */
function sharesIn(
  shares: readonly Share[],
  clusters: readonly string[],
  isDivided: boolean,
): readonly Share[] {
  const isCounted = shares.some(({ replicas }) => replicas !== undefined);
  if (isDivided && isCounted) return shares.filter(({ replicas = 0 }) => replicas > 0);
  const known = new Map(shares.map((share) => [share.cluster, share]));
  const replicas = isCounted ? Math.max(...shares.map((share) => share.replicas ?? 0)) : undefined;
  return clusters.map(
    (cluster) => known.get(cluster) ?? { cluster, ...(replicas !== undefined && { replicas }) },
  );
}

function withPlacement(
  policy: KubeObject,
  placement: Placement,
  clusters: readonly string[],
  pinned: readonly Share[] | undefined,
): KubeObject {
  const {
    clusterAffinities: _groups,
    clusterAffinity: _one,
    spreadConstraints: _spread,
    ...rest
  } = placement;
  return {
    ...policy,
    spec: {
      ...(policy['spec'] as object),
      placement: {
        ...rest,
        clusterAffinity: { clusterNames: clusters },
        ...(pinned !== undefined && {
          replicaScheduling: {
            replicaSchedulingType: 'Divided',
            replicaDivisionPreference: 'Weighted',
            weightPreference: {
              staticWeightList: pinned
                .filter(({ replicas = 0 }) => replicas > 0)
                .map(({ cluster, replicas = 0 }) => ({
                  targetCluster: { clusterNames: [cluster] },
                  weight: replicas,
                })),
            },
          },
        }),
      },
    },
  };
}

function withReplicas({ template, shares }: Grown): [string, KubeObject] {
  return [
    refKey(refOf(template)),
    { ...template, spec: { ...(template['spec'] as object), replicas: totalOf(shares) } },
  ];
}
