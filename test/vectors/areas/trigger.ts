import type { Cluster } from '../../../lib/api/cluster.js';
import { gatesFor } from '../../../lib/engine/schedule/gates.js';
import { indexFleet, needsScheduling } from '../../../lib/engine/schedule/index.js';
import type { Area, Check } from '../area.js';
import { difference } from '../difference.js';

const decisions: Check = (row) => {
  const deleting = new Set<string>(row['deletingClusters'] ?? []);
  const fleet = indexFleet(['m1', 'm2', 'm3', 'm4'].map((name) => aCluster(name, deleting)));

  const { spec, status, appliedPlacement, generation } = row;
  const { yes } = needsScheduling(
    fleet,
    { spec, status, appliedPlacement },
    gatesFor('karmada', row['gates']),
  );

  return difference(
    { schedules: yes, ...(!yes && { schedulerObservedGeneration: generation }) },
    row['want'],
  );
};

function aCluster(name: string, deleting: ReadonlySet<string>): Cluster {
  return {
    apiVersion: 'cluster.karmada.io/v1alpha1',
    kind: 'Cluster',
    metadata: { name, ...(deleting.has(name) && { deletionTimestamp: '2026-01-01T00:00:00Z' }) },
    spec: { syncMode: 'Push' },
  };
}

export const area: Area = { checks: { decisions } };
