import { compareBy, sorted } from '../lib/engine/compare.js';
import type { LiveState } from '../lib/engine/input.js';
import type { Interpreter } from '../lib/engine/interpret/index.js';
import { refKey } from '../lib/engine/object.js';
import type { Plan } from '../lib/engine/plan.js';
import type { ObjectChange } from '../lib/engine/rollout/index.js';
import type { Connect } from '../lib/providers/cluster/index.js';
import { describeDifferences, type Difference, differencesOf, titleOf } from './difference.js';

/** Lines that a person reads before a question. */
const MOST_LINES = 40;

interface Showing {
  readonly color: boolean;
  /** Only these clusters. */
  readonly clusters?: readonly string[];
  /** Name every object, however long the list gets. */
  readonly namesAll?: boolean;
}

/**
 * What a rollout changes on the clusters, as a diff of what they hold, equal changes of several clusters as one; new objects
 * are only named, and Secrets show no values. What was changed by hand is left out: it is shown field by field. At most 40
 * lines, then how many more there are. Empty: nothing changes.
 */
export async function describeChanges(
  plan: Plan,
  live: LiveState,
  connect: Connect,
  interpreters: readonly Interpreter[],
  { color, clusters, namesAll = false }: Showing,
): Promise<string> {
  const { readRolloutChanges } = await import('../lib/providers/rollout/index.js');
  const releases = plan.releases.filter(
    ({ cluster }) => clusters === undefined || clusters.includes(cluster),
  );
  const changes = await readRolloutChanges(releases, live, connect, interpreters);
  const byHand = new Set(
    plan.changes.flatMap((change) =>
      change.class === 'drift' && change.reason !== undefined
        ? [`${change.cluster} ${refKey(change.resource)}`]
        : [],
    ),
  );
  const shown = changes.filter(
    ({ cluster, resource }) => !byHand.has(`${cluster} ${refKey(resource)}`),
  );
  return bounded(grouped(shown), color, namesAll);
}

/** What changes first, since it needs looking at; then what goes, then what is new. */
function grouped(changes: readonly ObjectChange[]): readonly Difference[] {
  const updates = changes.filter((one) => one.before !== undefined && one.after !== undefined);
  return [
    ...differencesOf(updates),
    ...named(changes, 'delete', ({ after }) => after === undefined),
    ...named(changes, 'create', ({ before }) => before === undefined),
  ];
}

function named(
  changes: readonly ObjectChange[],
  action: Difference['action'],
  isOne: (change: ObjectChange) => boolean,
): readonly Difference[] {
  const groups = new Map<string, { resource: ObjectChange['resource']; clusters: string[] }>();
  for (const { resource, cluster } of changes.filter(isOne)) {
    const key = refKey(resource);
    const group = groups.get(key) ?? { resource, clusters: [] };
    group.clusters.push(cluster);
    groups.set(key, group);
  }
  return sorted(
    groups.values(),
    compareBy(({ resource }) => refKey(resource)),
  ).map(({ resource, clusters }) => ({ resource, action, clusters: clusters.sort(), patch: '' }));
}

function bounded(found: readonly Difference[], color: boolean, namesAll: boolean): string {
  const lines: string[] = [];
  let hidden = 0;
  for (const difference of found) {
    const patch = difference.patch === '' ? [] : bodyOf(difference, color);
    const mark = difference.action === 'create' ? ' (new)' : '';
    if (namesAll || lines.length < MOST_LINES) lines.push(`${titleOf(difference)}${mark}`);
    else hidden += 1;
    const room = Math.max(0, MOST_LINES - lines.length);
    lines.push(...patch.slice(0, room));
    hidden += Math.max(0, patch.length - room);
  }
  if (hidden > 0)
    lines.push(
      `… ${hidden} more ${hidden === 1 ? 'line' : 'lines'}; see \`fleetwright diff --live\``,
    );
  return lines.map((line) => `${line}\n`).join('');
}

function bodyOf(difference: Difference, color: boolean): readonly string[] {
  return describeDifferences([difference], color).trimEnd().split('\n').slice(1);
}
