import type { PlacedBinding } from './binding.js';
import { count } from './describe/style.js';
import type { Diagnostic } from './diagnostic.js';
import { describeRef, flagName } from './object.js';
import { forcedReschedules } from './reschedule.js';
import type { Snapshot } from './snapshot.js';
import { about } from './validate.js';

/**
 * Running workloads that would leave a cluster altogether, because of what changed in the input: pods end there, with
 * whatever they hold. One finding per workload, in the order of `placed`. Code: WORKLOAD_MOVES; an error in the default
 * profile, a warning in that of Karmada, which just does it.
 *
 * Not a move: what a NoExecute taint evicts, what ran on a cluster that left the fleet, fewer replicas than before (the
 * template says so), and what `--reschedule` or a WorkloadRebalancer names: asking for it is the consent.
 */
export function* movedWorkloads(
  snapshot: Snapshot,
  placed: readonly PlacedBinding[],
): Generator<Diagnostic> {
  const fleet = new Set(snapshot.clusters.map((c) => c.metadata.name ?? ''));
  const asked = forcedReschedules(snapshot);
  for (const binding of placed) {
    const left = clustersQuit(binding).filter(([cluster]) => fleet.has(cluster));
    if (left.length === 0 || asked.has(binding.key)) continue;
    const { resource, template, clusters } = binding;
    const was = left.map(([cluster, replicas]) => `${cluster} (${count(replicas, 'replica')})`);
    const will = clusters.map(({ name, replicas = 0 }) => `${name} (${replicas})`);
    yield about(template, {
      severity: snapshot.options.profile === 'karmada' ? 'warning' : 'error',
      code: 'WORKLOAD_MOVES',
      summary: `${describeRef(resource)} runs on ${was.join(', ')} and would leave; it goes to ${will.join(', ') || 'no cluster'}.`,
      hint: `If that is meant, plan with \`--acknowledge WORKLOAD_MOVES=${flagName(resource)}\`; else restore the placement, or what the clusters are chosen by.`,
    });
  }
}

/** Clusters that had replicas and have the workload no longer, by name, although as many replicas are wanted. */
function clustersQuit({
  locked,
  spec,
  decision,
  clusters,
  leaving = [],
}: PlacedBinding): readonly (readonly [cluster: string, replicas: number])[] {
  if (locked === undefined || decision.kind !== 'scheduled') return [];
  const { replicas = 0 } = spec ?? {};
  if (replicas === 0 || replicas < (locked.replicas ?? 0)) return [];
  const stays = new Set(clusters.map(({ name }) => name));
  const evicted = new Set(leaving.map(({ cluster }) => cluster));
  return Object.entries(locked.clusters)
    .filter(([name, had]) => had > 0 && !stays.has(name) && !evicted.has(name))
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
