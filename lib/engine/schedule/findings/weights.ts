import type { Diagnostic } from '../../diagnostic.js';
import type { ClusterFacts } from '../cluster-facts.js';
import type { CompiledPlacement } from '../placement.js';
import { mistake, pathOf, type FindingRule } from './finding.js';

const WEIGHTS = ['replicaScheduling', 'weightPreference'] as const;

/** A weight preference that the strategy does not look at. */
export const ignoredWeights: FindingRule = ({ placement, fleet, profile }) => {
  const preference = placement.replicaScheduling?.weightPreference;
  const { strategy } = fleet.compile(placement);
  const hasList = (preference?.staticWeightList ?? []).length > 0;
  if (preference === undefined || (strategy === 'DynamicWeight' && !hasList)) return [];
  const because = {
    Duplicated: 'every cluster gets all replicas',
    Aggregated: 'Aggregated fills as few clusters as possible',
    DynamicWeight: '`dynamicWeight` is set beside it and wins',
    StaticWeight: undefined,
    Unsupported: undefined,
  } as const satisfies Record<CompiledPlacement['strategy'], string | undefined>;
  const reason = because[strategy];
  if (reason === undefined) return [];
  return [
    {
      code: 'WEIGHTS_IGNORED',
      severity: mistake(profile),
      summary: `The ${hasList ? 'static weights have' : 'weight preference has'} no effect: ${reason}.`,
      hint: 'Remove the weights, or the setting that overrules them.',
      path: pathOf(...WEIGHTS),
    },
  ];
};

/** A rule that no cluster of the fleet matches: usually a name or label misspelt. */
export const unmatchedRules: FindingRule = ({ placement, fleet }) => {
  const { strategy, weights = [] } = fleet.compile(placement);
  if (strategy !== 'StaticWeight') return [];
  return weights.flatMap(({ matches, weight }, index): Diagnostic[] =>
    fleet.clusters.some(matches)
      ? []
      : [
          {
            code: 'WEIGHT_RULE_MATCHES_NOTHING',
            severity: 'warning',
            summary: `The rule of weight ${weight} matches no cluster of the fleet.`,
            hint: 'Check the names, labels and fields of its `targetCluster`.',
            path: pathOf(...WEIGHTS, 'staticWeightList', index),
          },
        ],
  );
};

/** Candidates without a weight get nothing, and nobody is told. */
export const clustersLeftOut: FindingRule = ({ placement, fleet, profile }) => {
  const compiled = fleet.compile(placement);
  const { strategy, weights = [], affinity, reach } = compiled;
  if (strategy !== 'StaticWeight' || weights.length === 0 || affinity === undefined) return [];
  const hasWeight = (cluster: ClusterFacts): boolean =>
    weights.some(({ matches, weight }) => weight > 0 && matches(cluster));
  const without: string[] = [];
  let isAnyWeighted = false;
  for (const position of reach) {
    const cluster = fleet.clusters[position];
    if (cluster === undefined) continue;
    // Rules are few and usually wide: the affinity is asked only where its answer still matters.
    if (!hasWeight(cluster)) {
      if (affinity(cluster)) without.push(cluster.name);
    } else isAnyWeighted ||= affinity(cluster);
  }
  if (without.length === 0 || !isAnyWeighted) return [];
  return [
    {
      code: 'WEIGHT_LEAVES_CLUSTER_OUT',
      severity:
        placement.clusterAffinity?.clusterNames === undefined ? 'warning' : mistake(profile),
      summary: `${listOf(without)} ${without.length === 1 ? 'matches' : 'match'} the affinity but no weight rule, and so ${without.length === 1 ? 'gets' : 'get'} no replicas.`,
      hint: 'Give a weight, or leave the cluster out of the affinity.',
      path: pathOf(...WEIGHTS, 'staticWeightList'),
    },
  ];
};

function listOf(names: readonly string[]): string {
  return names.length <= 5
    ? names.join(', ')
    : `${names.slice(0, 5).join(', ')} and ${names.length - 5} more`;
}
