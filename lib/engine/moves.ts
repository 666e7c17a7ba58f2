import type { PlacedBinding } from './binding.js';
import { equalData } from './canonical.js';
import { count } from './describe/style.js';
import type { Diagnostic } from './diagnostic.js';
import type { ObjectRef } from './object.js';
import { describeRef, flagName, groupOf } from './object.js';
import { forcedReschedules } from './reschedule.js';
import { FILTERS } from './schedule/filter/index.js';
import type { Snapshot } from './snapshot.js';
import { about } from './validate.js';

/**
 * Running workloads that would leave a cluster altogether, because of what changed in the input: pods end there, with
 * whatever they hold. One finding per workload, in the order of `placed`. Code: WORKLOAD_MOVES; an error in the default
 * profile, a warning in that of Karmada, which just does it.
 *
 * Kinds without replicas (a DaemonSet, a custom resource) run wherever they are; see {@link isRunning}. What only follows
 * others moves with them, and they have the finding.
 *
 * Not a move: what a NoExecute taint evicts, what ran on a cluster that left the fleet, what a scale-down explains, and what
 * `--reschedule` or a WorkloadRebalancer names: asking for it is the consent.
 */
export function* movedWorkloads(
  snapshot: Snapshot,
  placed: readonly PlacedBinding[],
): Generator<Diagnostic> {
  const fleet = new Set(snapshot.clusters.map((c) => c.metadata.name ?? ''));
  const asked = forcedReschedules(snapshot);
  for (const binding of placed) {
    const left = clustersQuit(binding, fleet);
    if (left.length === 0 || asked.has(binding.key)) continue;
    const { resource, template, clusters, locked } = binding;
    const was = left.map(({ name, replicas }) =>
      locked?.replicas === undefined ? name : `${name} (${count(replicas, 'replica')})`,
    );
    const will = clusters.map(({ name, replicas }) =>
      replicas === undefined ? name : `${name} (${replicas})`,
    );
    yield about(template, {
      severity: snapshot.options.profile === 'karmada' ? 'warning' : 'error',
      code: 'WORKLOAD_MOVES',
      summary: `${describeRef(resource)} runs on ${was.join(', ')} and would leave; it goes to ${will.join(', ') || 'no cluster'}.`,
      hint: `If that is meant, plan with \`--acknowledge WORKLOAD_MOVES=${flagName(resource)}\`; else restore the placement, or what the clusters are chosen by.`,
    });
  }
}

/** One cluster's share in the lock; without a count for kinds without replicas. */
interface Share {
  readonly name: string;
  readonly replicas: number;
}

/** Clusters where something ran and the workload is no longer, sorted by name, unless a scale-down explains it. */
function clustersQuit(binding: PlacedBinding, fleet: ReadonlySet<string>): readonly Share[] {
  const { locked, decision, clusters, leaving = [] } = binding;
  if (locked === undefined || decision.kind !== 'scheduled' || isStopped(binding)) return [];
  const evicted = new Set(leaving.map(({ cluster }) => cluster));
  const before = Object.entries(locked.clusters).map(([name, replicas]) => ({ name, replicas }));
  const stayed = before.filter(({ name }) => fleet.has(name) && !evicted.has(name));
  const now = new Set(clusters.map(({ name }) => name));
  const runs = locked.replicas === undefined && isRunning(binding.resource);
  const quit = stayed
    .filter(({ name, replicas }) => (replicas > 0 || runs) && !now.has(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  if (quit.length === 0) return quit;
  // What was taken from a workload from outside has to go somewhere.
  const released = sum(before) - sum(stayed);
  return isScaledDown(binding, quit, released) ? [] : quit;
}

/**
 * Whether fewer replicas explain that these clusters have none: the placement is the one they were placed by, no more are
 * gone than the template takes away, no other cluster has more than before (beyond what was released elsewhere), and each of
 * them could have kept some. Duplicated workloads have all replicas on every cluster, however many that are.
 */
function isScaledDown(
  { locked, spec, clusters, verdicts }: PlacedBinding,
  quit: readonly Share[],
  released: number,
): boolean {
  const { placement, replicas } = spec ?? {};
  const type = placement?.replicaScheduling?.replicaSchedulingType ?? 'Duplicated';
  if (type === 'Duplicated' || replicas === undefined) return false;
  if (!equalData(placement, locked?.placement)) return false;
  if (sum(quit) > (locked?.replicas ?? 0) - replicas) return false;
  const gained = clusters.reduce(
    (total, { name, replicas: now = 0 }) =>
      total + Math.max(0, now - (locked?.clusters[name] ?? 0)),
    0,
  );
  if (gained > released) return false;
  const refused = new Set(
    verdicts().flatMap(({ cluster, code = '' }) => (REFUSALS.has(code) ? [cluster] : [])),
  );
  return quit.every(({ name }) => !refused.has(name));
}

/** Verdict codes of clusters that may not have it at all. */
const REFUSALS: ReadonlySet<string> = new Set(['Deleting', ...FILTERS.map(({ name }) => name)]);

/** Whether the template itself ends all pods. */
function isStopped({ spec, template, resource, locked }: PlacedBinding): boolean {
  const { replicas } = (template.object['spec'] ?? {}) as { readonly replicas?: unknown };
  // A lock without a count says that none were wanted, of kinds that have one.
  const isCounted = COUNTED.has(`${groupOf(resource.apiVersion)}/${resource.kind}`);
  return (
    spec?.replicas === 0 ||
    replicas === 0 ||
    (isCounted && (spec?.replicas === undefined || locked?.replicas === undefined))
  );
}

const COUNTED = new Set([
  '/Pod',
  'apps/Deployment',
  'apps/ReplicaSet',
  'apps/StatefulSet',
  'batch/Job',
]);

/**
 * Whether something runs where an object of this kind is: workloads, and custom resources, whose controllers run things for
 * them. The other kinds of Kubernetes itself are configuration; that they go somewhere else is seen in the plan.
 */
export function isRunning({ apiVersion, kind }: Pick<ObjectRef, 'apiVersion' | 'kind'>): boolean {
  const group = groupOf(apiVersion);
  if (group === '') return kind === 'Pod' || kind === 'ReplicationController';
  if (group === 'apps') return kind !== 'ControllerRevision';
  return !CONFIGURATION.has(group) && !group.endsWith('.k8s.io');
}

/** Groups without workloads that are no custom resources, or describe how Services are reached. */
const CONFIGURATION = new Set(['autoscaling', 'extensions', 'policy', 'multicluster.x-k8s.io']);

function sum(shares: readonly Share[]): number {
  return shares.reduce((total, { replicas }) => total + replicas, 0);
}
