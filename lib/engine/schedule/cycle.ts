import type { ResourceBindingSpec, TargetCluster } from '../../api/resource-binding.js';
import { placeWithHints } from './beyond/index.js';
import type { PlacementHints } from './beyond/hints.js';
import type { SpreadDebt } from './beyond/soft-spread.js';
import { rateCandidates, type Candidates } from './candidates.js';
import type { Assumed } from './estimate/in-flight.js';
import { tryEverywhere } from './everywhere.js';
import { describeMisfit, findFeasible } from './feasible.js';
import type { FleetIndex } from './fleet-index.js';
import type { Gates } from './gates.js';
import { fail, succeed, type Attempt, type Target } from './outcome.js';
import type { Peers } from './peers.js';
import { place } from './place.js';
import { inStandardOrder } from './select/standard-order.js';
import { subjectOf } from './subject.js';
import type { CandidateNumbers } from './explanation.js';
import type { Trace } from './trace.js';

export interface CycleContext {
  readonly gates: Gates;
  /** Absent: every binding is alone; needed only with gate `WorkloadAffinity`. */
  readonly peers?: Peers | undefined;
  /** Absent: nothing is in flight; counts only with gate `SchedulingOvercommitProtection`. */
  readonly assumed?: Assumed | undefined;
  /** What the policy asks for beyond Karmada. */
  readonly hints?: PlacementHints | undefined;
  readonly isFresh: boolean;
  /** The `clusterAffinities` term to try; empty without terms. */
  readonly affinityName: string;
  /** The order of the target list means nothing to the caller. */
  readonly anyOrder?: boolean | undefined;
  readonly trace?: Trace | undefined;
}

export interface Decided extends Target {
  /** Only with soft spread. */
  readonly debts: readonly SpreadDebt[];
  /** Names of the clusters that were selected and got no replica. */
  readonly unused: readonly string[];
}

/**
 * One scheduling cycle of one binding. Source: scheduling reference §6.
 */
export function runCycle(
  fleet: FleetIndex,
  spec: ResourceBindingSpec,
  context: CycleContext,
): Attempt<Decided> {
  const { gates, affinityName, trace } = context;
  const peers = gates.WorkloadAffinity ? context.peers : undefined;
  const assumed = gates.SchedulingOvercommitProtection ? context.assumed : undefined;
  const subject = subjectOf(fleet, spec, { affinityName, peers });

  // 1. Which clusters may take the binding at all.
  const feasible = findFeasible(fleet, subject);
  if (feasible.length === 0) return fail(describeMisfit(fleet, subject), 'FitError');

  const everywhere = tryEverywhere(fleet, subject, feasible, context);
  if (everywhere !== undefined) return succeed({ ...everywhere, debts: [], unused: [] });

  // 2. How good each is, and how much room it has.
  const candidates = rateCandidates(fleet, subject, feasible, { gates, assumed });
  trace?.candidates(numbersOf(fleet, candidates));

  // 3. Which of them take part, and with how many replicas.
  const { hints } = context;
  const { placement } = subject;
  const placed =
    hints === undefined
      ? place(fleet, placement, spec, candidates, context)
      : placeWithHints(fleet, placement, spec, candidates, { ...context, hints });
  if (!placed.ok) return placed;
  const { target, selected, debts = [] } = { debts: undefined, ...placed.value };

  // 4. Selected clusters without replicas hold the object all the same, if asked for.
  const full = gates.emptyWorkloadPropagation
    ? withEmpty(target, namesOf(fleet, selected))
    : target;
  return succeed({ ...full, debts, unused: unusedOf(fleet, full, selected) });
}

function withEmpty(target: Target, selected: readonly string[]): Target {
  const { clusters } = target;
  const present = new Set(clusters.map(({ name }) => name));
  const empty: TargetCluster[] = selected
    .filter((name) => !present.has(name))
    .map((name) => ({ name }));
  return { ...target, clusters: [...clusters, ...empty] };
}

function unusedOf(fleet: FleetIndex, { clusters }: Target, selected: Int32Array): string[] {
  if (clusters.length >= selected.length) return [];
  const used = new Set(clusters.map(({ name }) => name));
  return namesOf(fleet, selected).filter((name) => !used.has(name));
}

function namesOf(fleet: FleetIndex, positions: Int32Array): string[] {
  return Array.from(positions, (position) => fleet.clusters[position]?.name ?? '');
}

function numbersOf(fleet: FleetIndex, candidates: Candidates): CandidateNumbers[] {
  const { score, allocatable, available, tier } = candidates;
  return Array.from(inStandardOrder(candidates, candidates.positions), (p) => ({
    cluster: fleet.clusters[p]?.name ?? '',
    score: score[p] ?? 0,
    allocatable: allocatable[p] ?? 0,
    available: available[p] ?? 0,
    ...(tier !== undefined && { tier: tier[p] ?? 0 }),
  }));
}
