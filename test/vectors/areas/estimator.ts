import {
  createAssumed,
  type InFlightWorkload,
} from '../../../lib/engine/schedule/estimate/in-flight.js';
import type { Capacity } from '../../../lib/engine/schedule/estimate/capacity.js';
import { estimateReplicas } from '../../../lib/engine/schedule/estimate/replicas.js';
import { estimateSets } from '../../../lib/engine/schedule/estimate/sets.js';
import { gatesFor, type Gates } from '../../../lib/engine/schedule/gates.js';
import { indexFleet } from '../../../lib/engine/schedule/index.js';
import type { Area, Check, Row } from '../area.js';
import { difference } from '../difference.js';

const replicas: Check = (row) =>
  estimate(row, (capacity, gates, out) =>
    estimateReplicas(capacity, gates, row['replicaRequirements'], [0], out),
  );

const sets: Check = (row) =>
  estimate(row, (capacity, gates, out) =>
    estimateSets(capacity, gates, row['components'], [0], out),
  );

function estimate(
  { cluster, gates: overrides, assumed, want }: Row,
  ask: (capacity: Capacity, gates: Gates, out: Float64Array) => void,
): string | undefined {
  const gates = gatesFor('karmada', overrides);
  const fleet = indexFleet([cluster]);
  const inFlight = createAssumed(fleet.capacity);
  const workloads: readonly InFlightWorkload[] = assumed ?? [];
  for (const workload of workloads) inFlight.add(0, workload);
  const out = new Float64Array(1);

  ask(gates.SchedulingOvercommitProtection ? inFlight.capacity : fleet.capacity, gates, out);

  return difference(out[0], want);
}

export const area: Area = { checks: { replicas, sets } };
