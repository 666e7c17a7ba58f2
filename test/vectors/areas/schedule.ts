import { gatesFor } from '../../../lib/engine/schedule/gates.js';
import {
  createPeers,
  indexFleet,
  scheduleBinding,
  type FleetIndex,
} from '../../../lib/engine/schedule/index.js';
import type { Area, Check, Row } from '../area.js';
import { difference } from '../difference.js';
import { sortedTargets } from './targets.js';

const indexes = new WeakMap<Row, FleetIndex>();

const cases: Check = (row, companions) => {
  const fleet = companions.get('fleets')?.get(row['fleet'] as string);
  if (fleet === undefined) return `no fleet ${String(row['fleet'])}`;
  let index = indexes.get(fleet);
  if (index === undefined) indexes.set(fleet, (index = indexFleet(fleet['clusters'])));

  const gates = gatesFor('karmada', {
    ...row['gates'],
    emptyWorkloadPropagation: row['emptyWorkloadPropagation'] === true,
  });
  const outcome = scheduleBinding(
    index,
    { spec: row['spec'], status: row['status'] },
    {
      gates,
      peers: createPeers(row['peers'] ?? []),
    },
  );

  const { want } = row;
  const isSuccess = outcome.reason === 'Success';
  const got = {
    reason: outcome.reason,
    ...(isSuccess && { clusters: sortedTargets(outcome.clusters, want.unordered) }),
    ...(want.unordered === true && { unordered: true }),
    ...(outcome.error && {
      error: {
        type: outcome.error.type,
        message: outcome.error.message,
        ...(want.error?.messageVaries && { messageVaries: true }),
      },
    }),
    ...(want.observedAffinity !== undefined && {
      observedAffinity: outcome.observedAffinity ?? '',
    }),
    ...(!isSuccess && want.clustersAfter !== undefined && { clustersAfter: outcome.clusters }),
  };
  if (outcome.unordered === true && want.unordered !== true) return 'unordered, want ordered';
  return difference(got, want);
};

export const area: Area = { checks: { cases }, companions: ['fleets'] };
