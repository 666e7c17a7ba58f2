/**
 * @module Division: how many replicas each selected cluster gets. What goes in comes out, to the last replica.
 */
import type { ResourceBindingSpec, TargetCluster } from '../../../api/resource-binding.js';
import type { Candidates } from '../candidates.js';
import { isMultiTemplate } from '../components.js';
import type { FleetIndex } from '../fleet-index.js';
import type { Gates } from '../gates.js';
import { fail, succeed, type Attempt, type Target } from '../outcome.js';
import { tryFindTerm, type CompiledPlacement } from '../placement.js';
import type { Trace } from '../trace.js';
import { largerNameWins } from './apportion.js';
import { divideByRoom } from './by-room.js';
import { divisionTrace, type DivisionTrace } from './division-trace.js';
import { divideOverTiers } from './overflow.js';
import type { Division, DivisionInput, Share } from './shares.js';
import { divideByStaticWeight } from './static-weight.js';

/** Which way to divide, and with what. */
export interface DivideContext {
  readonly gates: Gates;
  /** Reschedule was asked for (§5.3): decide as if for the first time. */
  readonly isFresh: boolean;
  readonly affinityName: string;
  readonly trace?: Trace | undefined;
}

/**
 * The target list. Kinds without replicas, and workloads of several components, are on every selected cluster.
 * Source: scheduling reference §11.1, §14.4, §15.
 */
export function assignReplicas(
  fleet: FleetIndex,
  placement: CompiledPlacement,
  spec: ResourceBindingSpec,
  selected: Int32Array,
  candidates: Pick<Candidates, 'allocatable' | 'available' | 'tier'>,
  context: DivideContext,
): Attempt<Target> {
  if (selected.length === 0) return fail('no clusters available to schedule');
  const { replicas = 0, replicaRequirements, components = [] } = spec;
  const isDivided = (replicas > 0 || replicaRequirements !== undefined) && components.length <= 1;
  if (!isDivided) return succeed(everywhere(fleet, placement, spec, selected, context.gates));
  const trace = context.trace && divisionTrace(fleet.clusters, context.trace);
  const input: DivisionInput = {
    selected,
    replicas,
    allocatable: candidates.allocatable,
    previous: previousShares(fleet, spec, selected),
    isFresh: context.isFresh,
    largerNameWins: largerNameWins(spec.resource.uid ?? ''),
  };
  const divide = (part: DivisionInput, title = ''): Attempt<Division> =>
    divideBy(fleet, placement, part, trace && prefixTitles(trace, title));
  const overflows = tryFindTerm(placement, context.affinityName)?.overflow !== undefined;
  const usesTiers = placement.affinity === undefined && context.affinityName !== '' && overflows;
  const divided = usesTiers ? divideOverTiers(input, candidates, divide) : divide(input);
  return divided.ok ? succeed(targetOf(fleet, divided.value)) : divided;
}

function divideBy(
  fleet: FleetIndex,
  placement: CompiledPlacement,
  input: DivisionInput,
  trace: DivisionTrace | undefined,
): Attempt<Division> {
  switch (placement.strategy) {
    case 'Duplicated':
      return succeed({
        shares: Array.from(input.selected, (position) => ({ position, replicas: input.replicas })),
        unordered: false,
      });
    case 'StaticWeight':
      return succeed(divideByStaticWeight(fleet.clusters, placement, input, trace));
    case 'DynamicWeight':
      return divideByRoom(input, false, trace);
    case 'Aggregated':
      return divideByRoom(input, true, trace);
    case 'Unsupported':
      return fail(describeUnsupported(placement));
  }
}

function describeUnsupported({ placement }: CompiledPlacement): string {
  const { replicaSchedulingType = '', replicaDivisionPreference = '' } =
    placement.replicaScheduling ?? {};
  return (
    `unsupported replica scheduling strategy, replicaSchedulingType: ${replicaSchedulingType}, ` +
    `replicaDivisionPreference: ${replicaDivisionPreference}, please try another scheduling strategy`
  );
}

function everywhere(
  fleet: FleetIndex,
  placement: CompiledPlacement,
  { components = [] }: ResourceBindingSpec,
  selected: Int32Array,
  gates: Gates,
): Target {
  const hasSets =
    gates.MultiplePodTemplatesScheduling &&
    components.length > 1 &&
    isMultiTemplate(placement, components);
  const sets = { components: components.map(({ name, replicas }) => ({ name, replicas })) };
  const clusters = Array.from(selected, (position) => ({
    name: nameOf(fleet, position),
    ...(hasSets && sets),
  }));
  return { clusters, unordered: false };
}

/** Entries of the target list on selected clusters, in its order. */
function previousShares(
  fleet: FleetIndex,
  spec: ResourceBindingSpec,
  selected: Int32Array,
): Share[] {
  const shares: Share[] = [];
  for (const { name, replicas = 0 } of spec.clusters ?? []) {
    const position = fleet.positionOf.get(name);
    if (position !== undefined && selected.includes(position)) shares.push({ position, replicas });
  }
  return shares;
}

function targetOf(fleet: FleetIndex, { shares, unordered }: Division): Target {
  const clusters: TargetCluster[] = [];
  for (const { position, replicas } of shares) {
    if (replicas !== 0) clusters.push({ name: nameOf(fleet, position), replicas });
  }
  return { clusters, unordered };
}

function nameOf(fleet: FleetIndex, position: number): string {
  return fleet.clusters[position]?.name ?? '';
}

function prefixTitles(trace: DivisionTrace, prefix: string): DivisionTrace {
  return (title, ...rest) => trace(`${prefix}${title}`, ...rest);
}
