import type { ResourceBindingSpec, TargetCluster } from '../../api/resource-binding.js';
import type { Verdict } from '../plan.js';
import type { PlacementHints } from './beyond/hints.js';
import type { ClusterFacts } from './cluster-facts.js';
import { dependsOnBinding, staticKey, tryFindRejection } from './feasible.js';
import type { FleetIndex } from './fleet-index.js';
import type { Peers } from './peers.js';
import type { CompiledPlacement, Strategy } from './placement.js';
import type { ScheduleOutcome } from './schedule.js';
import { subjectOf, type Subject } from './subject.js';

export interface VerdictContext {
  /** The affinity term that was tried, or is in use. */
  readonly affinityName: string;
  /** Absent when the gate `WorkloadAffinity` is off. */
  readonly peers?: Peers | undefined;
  /** Absent: the lock's answer was kept. */
  readonly outcome?: ScheduleOutcome | undefined;
  /** What the policy asks for beyond Karmada. */
  readonly hints?: PlacementHints | undefined;
}

/**
 * One verdict per cluster of the fleet: chosen first, each group by name.
 *
 * Filters are asked in their fixed order and the first refusal counts. What depends on the placement alone is found once, and
 * equal verdicts are one object, so that a thousand bindings on a thousand clusters do not hold a million.
 */
export function verdictsOf(
  fleet: FleetIndex,
  spec: ResourceBindingSpec,
  chosen: readonly TargetCluster[],
  context: VerdictContext,
): readonly Verdict[] {
  const { affinityName, peers, outcome } = context;
  const subject = subjectOf(fleet, spec, { affinityName, peers });
  const taken = new Map(chosen.map((target) => [target.name, target]));
  const known = sharedVerdicts(subject);
  const verdicts: Verdict[] = [];
  for (const cluster of fleet.clusters) {
    const target = taken.get(cluster.name);
    if (target === undefined) continue;
    verdicts.push(fleet.pool(cluster.position, acceptance(subject, cluster, target, context)));
  }
  for (const cluster of fleet.clusters) {
    if (taken.has(cluster.name)) continue;
    const refused = refusal(fleet, subject, cluster, known);
    verdicts.push(refused ?? fleet.pool(cluster.position, notSelected(subject, cluster, outcome)));
  }
  return verdicts;
}

/**
 * The same when first asked for: a plan of a thousand bindings shows the verdicts of few. What later decisions could change
 * (the target lists of peers) is looked at now.
 */
export function verdictsWhenAsked(
  fleet: FleetIndex,
  spec: ResourceBindingSpec,
  chosen: readonly TargetCluster[],
  context: VerdictContext,
): () => readonly Verdict[] {
  const asksPeers = context.peers !== undefined && spec.workloadAffinityGroups !== undefined;
  let verdicts = asksPeers ? verdictsOf(fleet, spec, chosen, context) : undefined;
  return () => (verdicts ??= verdictsOf(fleet, spec, chosen, context));
}

function sharedVerdicts(subject: Subject): (Verdict | undefined)[] | undefined {
  if (dependsOnBinding(subject)) return undefined;
  const { verdicts } = subject.placement.memo;
  const key = staticKey(subject);
  const known = verdicts.get(key) ?? [];
  verdicts.set(key, known);
  return known;
}

function refusal(
  fleet: FleetIndex,
  subject: Subject,
  cluster: ClusterFacts,
  shared: (Verdict | undefined)[] | undefined,
): Verdict | undefined {
  const known = shared?.[cluster.position];
  if (known !== undefined && !subject.bound.has(cluster.name)) return known;
  const fresh = findRefusal(subject, cluster);
  const found = fresh && fleet.pool(cluster.position, fresh);
  if (shared !== undefined && !subject.bound.has(cluster.name)) shared[cluster.position] = found;
  return found;
}

function findRefusal(subject: Subject, cluster: ClusterFacts): Verdict | undefined {
  const { name } = cluster;
  if (cluster.isDeleting) {
    return {
      cluster: name,
      chosen: false,
      code: 'Deleting',
      message: 'the cluster is being removed',
    };
  }
  const rejection = tryFindRejection(subject, cluster);
  if (rejection === undefined) return undefined;
  const { filter, reason } = rejection;
  const message = filter.explain(subject, cluster);
  return { cluster: name, chosen: false, code: filter.name, cause: reason, message };
}

const SHARE_OF = {
  Duplicated: 'every cluster has all of them',
  StaticWeight: 'by static weights',
  DynamicWeight: 'by free capacity',
  Aggregated: 'on as few clusters as hold them',
  Unsupported: '',
} as const satisfies Record<Strategy, string>;

function acceptance(
  subject: Subject,
  cluster: ClusterFacts,
  { name, replicas }: TargetCluster,
  { outcome, hints }: VerdictContext,
): Verdict {
  const verdict = { cluster: name, chosen: true };
  if (outcome === undefined) return { ...verdict, code: 'Kept', message: 'stays' };
  if (outcome.reason !== 'Success') {
    return { ...verdict, code: 'Kept', message: 'stays, since no new decision was possible' };
  }
  if (!subject.isWorkload || replicas === undefined) return { ...verdict, message: 'chosen' };
  const { strategy } = subject.placement;
  const total = subject.spec.replicas ?? 0;
  const before = subject.bound.get(name);
  const was = before === undefined || before === replicas ? '' : `, was ${before}`;
  const noun = strategy === 'Duplicated' && replicas === 1 ? 'replica' : 'replicas';
  const share = strategy === 'Duplicated' ? `${replicas}` : `${replicas} of ${total}`;
  const isRaised = outcome.raised?.includes(name) === true;
  const method = isRaised ? 'so that minGroups is kept' : methodOf(subject.placement, hints);
  return {
    ...verdict,
    code: strategy,
    message: `chosen · ${share} ${noun}, ${method}${was}${isClosed(cluster, outcome) ? `; ${NO_MORE}` : ''}`,
  };
}

function methodOf(
  { strategy, weights }: CompiledPlacement,
  hints: PlacementHints | undefined,
): string {
  if (strategy === 'Duplicated') return SHARE_OF.Duplicated;
  const isEven =
    hints?.division === 'even' || (strategy === 'StaticWeight' && weights === undefined);
  const method = isEven ? 'in equal shares' : SHARE_OF[strategy];
  const limits = hints?.bounds === undefined ? '' : ' within bounds';
  return `${method}${limits}`;
}

/** Why nothing was placed, in a few words; Karmada's own stand in the outcome's error. */
function failureOf({ reason, error }: ScheduleOutcome): string {
  if (reason === 'Unschedulable') return 'the clusters that fit have too little room together';
  if (error?.isRoom === true) {
    return 'as many clusters as may be chosen have too little room';
  }
  return error?.isSpread === true
    ? 'the spread constraints cannot be met'
    : 'nothing could be placed';
}

const NO_MORE = 'it takes no more while it is not ready';

function isClosed({ isUnready }: ClusterFacts, outcome: ScheduleOutcome | undefined): boolean {
  return isUnready && outcome?.unreadyTakesNoMore === true;
}

function notSelected(
  { placement }: Subject,
  cluster: ClusterFacts,
  outcome: ScheduleOutcome | undefined,
): Verdict {
  const verdict = { cluster: cluster.name, chosen: false };
  if (isClosed(cluster, outcome)) {
    return { ...verdict, code: 'NotReady', message: `fits, but ${NO_MORE}` };
  }
  if (outcome === undefined) {
    return { ...verdict, code: 'NotSelected', message: 'fits, but the binding stays where it is' };
  }
  if (outcome.error !== undefined) {
    return { ...verdict, code: 'NotSelected', message: `fits, but ${failureOf(outcome)}` };
  }
  if (outcome.unused?.includes(cluster.name) === true) {
    return { ...verdict, code: 'NoReplicas', message: 'fits, but no replica was left for it' };
  }
  const hasBounds = placement.hasConstraints && !placement.ignoresSpread;
  return hasBounds
    ? { ...verdict, code: 'NotSelected', message: 'fits, but the spread constraints took others' }
    : { ...verdict, code: 'NoReplicas', message: 'fits, but no replica was left for it' };
}
