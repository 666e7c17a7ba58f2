import type { Cluster } from '../../../lib/api/cluster.js';
import type { Candidates } from '../../../lib/engine/schedule/candidates.js';
import { assignReplicas } from '../../../lib/engine/schedule/divide/index.js';
import { gatesFor } from '../../../lib/engine/schedule/gates.js';
import { apportion, indexFleet, type FleetIndex } from '../../../lib/engine/schedule/index.js';
import { selectClusters } from '../../../lib/engine/schedule/select/index.js';
import { isRescheduleRequired } from '../../../lib/engine/schedule/trigger.js';
import type { Area, Check, Row } from '../area.js';
import { difference } from '../difference.js';
import { sortedTargets } from './targets.js';

const gates = gatesFor('karmada');

const apportionCase: Check = ({ newSeats, votes, initial, uid, want }) => {
  const got = apportion(
    newSeats,
    Object.entries(votes),
    uid ?? '',
    new Map(Object.entries(initial ?? {})),
  );
  return difference(
    got.map(([name, seats]) => ({ name, seats })),
    want,
  );
};

const assign: Check = ({ candidates, spec, status, want }) => {
  const fleet = indexFleet(candidates.map(aCluster));
  const selected = positionsOf(fleet, candidates);

  const result = assignReplicas(
    fleet,
    fleet.compile(spec.placement),
    spec,
    selected,
    rated(fleet, candidates, spec),
    {
      gates,
      isFresh: isRescheduleRequired(spec, status ?? {}),
      affinityName: '',
    },
  );

  if (!result.ok) return difference({ error: result.error }, want);
  const { clusters, unordered } = result.value;
  const mark = unordered || want.unordered === true ? { unordered } : {};
  return difference({ clusters: sortedTargets(clusters, unordered), ...mark }, want);
};

const select: Check = ({ candidates, spec, want }) => {
  const fleet = indexFleet(candidates.map(aCluster));

  const result = selectClusters(
    fleet,
    fleet.compile(spec.placement),
    spec,
    rated(fleet, candidates, spec),
    { gates },
  );

  return difference(
    result.ok
      ? { selected: Array.from(result.value, (position) => fleet.clusters[position]?.name) }
      : { error: result.error.message },
    want,
  );
};

function positionsOf(fleet: FleetIndex, candidates: readonly { name: string }[]): Int32Array {
  return Int32Array.from(candidates, ({ name }) => fleet.positionOf.get(name) as number);
}

function rated(fleet: FleetIndex, listed: readonly Row[], spec: Row['spec']): Candidates {
  const size = fleet.clusters.length;
  const score = new Float64Array(size);
  const allocatable = new Float64Array(size);
  const available = new Float64Array(size);
  for (const candidate of listed) {
    const position = fleet.positionOf.get(candidate['name'] as string) as number;
    const bound = (spec.clusters ?? []).find((target: Row) => target['name'] === candidate['name']);
    score[position] = candidate['score'] ?? 0;
    allocatable[position] = candidate['allocatable'];
    available[position] = candidate['allocatable'] + (bound?.replicas ?? 0);
  }
  const positions = Int32Array.from({ length: size }, (_, position) => position);
  return { positions, score, allocatable, available };
}

function aCluster({ name, region, provider, zones }: Row): Cluster {
  return {
    apiVersion: 'cluster.karmada.io/v1alpha1',
    kind: 'Cluster',
    metadata: { name },
    spec: { syncMode: 'Push', region, provider, zones },
  };
}

export const area: Area = { checks: { apportion: apportionCase, assign, select } };
