import type { TargetCluster } from '../../api/resource-binding.js';
import type { ResourceBindingSpec } from '../../api/resource-binding.js';
import { rateCandidates, type Candidates } from './candidates.js';
import { assignReplicas } from './divide/index.js';
import type { Assumed } from './estimate/in-flight.js';
import { describeMisfit, findFeasible } from './feasible.js';
import type { FleetIndex } from './fleet-index.js';
import type { Gates } from './gates.js';
import { fail, prefixed, succeed, type Attempt, type Target } from './outcome.js';
import type { Peers } from './peers.js';
import { selectClusters } from './select/index.js';
import { subjectOf } from './subject.js';
import type { CandidateNumbers, Trace } from './trace.js';

export interface CycleContext {
  readonly gates: Gates;
  /** Absent: every binding is alone; needed only with gate `WorkloadAffinity`. */
  readonly peers?: Peers | undefined;
  /** Absent: nothing is in flight; counts only with gate `SchedulingOvercommitProtection`. */
  readonly assumed?: Assumed | undefined;
  readonly isFresh: boolean;
  /** The `clusterAffinities` term to try; empty without terms. */
  readonly affinityName: string;
  readonly trace?: Trace | undefined;
}

/**
 * One scheduling cycle of one binding. Source: scheduling reference §6.
 */
export function runCycle(
  fleet: FleetIndex,
  spec: ResourceBindingSpec,
  context: CycleContext,
): Attempt<Target> {
  const { gates, affinityName, trace } = context;
  const peers = gates.WorkloadAffinity ? context.peers : undefined;
  const assumed = gates.SchedulingOvercommitProtection ? context.assumed : undefined;
  const subject = subjectOf(fleet, spec, { affinityName, peers });

  // 1. Which clusters may take the binding at all.
  const feasible = findFeasible(fleet, subject);
  if (feasible.length === 0) return fail(describeMisfit(fleet, subject), 'FitError');

  // 2. How good each is, and how much room it has.
  const candidates = rateCandidates(fleet, subject, feasible, { gates, assumed });
  trace?.candidates(numbersOf(fleet, candidates));

  // 3. Honour spread constraints.
  const selected = selectClusters(fleet, subject.placement, spec, candidates, { gates, trace });
  if (!selected.ok) return prefixed('failed to select clusters: ', selected);
  trace?.selected(namesOf(fleet, selected.value));

  // 4. Replicas per cluster.
  const assigned = assignReplicas(
    fleet,
    subject.placement,
    spec,
    selected.value,
    candidates,
    context,
  );
  if (!assigned.ok) return prefixed('failed to assign replicas: ', assigned);

  // 5. Selected clusters without replicas hold the object all the same, if asked for.
  return gates.emptyWorkloadPropagation
    ? succeed(withEmpty(assigned.value, namesOf(fleet, selected.value)))
    : assigned;
}

function withEmpty({ clusters, unordered }: Target, selected: readonly string[]): Target {
  const present = new Set(clusters.map(({ name }) => name));
  const empty: TargetCluster[] = selected
    .filter((name) => !present.has(name))
    .map((name) => ({ name }));
  return { clusters: [...clusters, ...empty], unordered };
}

function namesOf(fleet: FleetIndex, positions: Int32Array): string[] {
  return Array.from(positions, (position) => fleet.clusters[position]?.name ?? '');
}

function numbersOf(fleet: FleetIndex, candidates: Candidates): CandidateNumbers[] {
  const { positions, score, allocatable, available, tier } = candidates;
  return Array.from(positions, (p) => ({
    cluster: fleet.clusters[p]?.name ?? '',
    score: score[p] ?? 0,
    allocatable: allocatable[p] ?? 0,
    available: available[p] ?? 0,
    ...(tier !== undefined && { tier: tier[p] ?? 0 }),
  }));
}
