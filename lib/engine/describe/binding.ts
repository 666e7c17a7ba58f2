import { compareBy, sorted } from '../compare.js';
import { describeRef } from '../object.js';
import type { Assignment, PlannedBinding, Verdict } from '../plan.js';
import { clip, count, pad, type Style } from './style.js';
import { own } from '../own.js';

/** Above this many rows equal verdicts share a line. */
const MAX_ROWS = 12;
/** Objects of one kind that follow others for the same reason; more are counted. */
const MAX_FOLLOWERS = 3;
/** Names shown of a group. */
const MAX_NAMES = 8;

export interface BindingView {
  readonly style: Style;
  readonly width: number;
  /** Cluster to region, where known. */
  readonly regions: Readonly<Record<string, string>>;
}

interface Row {
  readonly cluster: string;
  readonly region: string;
  readonly was: string;
  readonly now: string;
  readonly why: string;
  readonly chosen: boolean;
}

/**
 * The lines of some bindings: a heading each, and below it a table of clusters with the reason for each. Bindings of one
 * policy with the same table share it, under the first of them.
 */
export function describeBindings(bindings: readonly PlannedBinding[], view: BindingView): string[] {
  const names = Math.min(48, Math.max(0, ...bindings.map((b) => describeRef(b.resource).length)));
  const groups = new Map<
    string,
    { readonly headings: string[]; readonly rows: readonly Row[]; readonly counted: boolean }
  >();
  const { shown, hidden } = foldFollowers(bindings);
  for (const binding of shown) {
    const rows = binding.policy === null ? [] : groupRows(rowsOf(binding, view.regions));
    const counted = binding.replicas !== undefined;
    const key = JSON.stringify([binding.policy, counted, rows]);
    const group = groups.get(key);
    if (group === undefined)
      groups.set(key, { headings: [heading(binding, names, view)], rows, counted });
    else group.headings.push(heading(binding, names, view));
  }
  const lines = [...groups.values()].flatMap(({ headings, rows, counted }) => [
    ...headings,
    ...table(rows, counted, view),
  ]);
  return [...lines, ...hidden.map(view.style.dim)];
}

/** Of many that follow others for one reason a few are shown, the rest counted. */
function foldFollowers(bindings: readonly PlannedBinding[]): {
  readonly shown: readonly PlannedBinding[];
  readonly hidden: readonly string[];
} {
  const counts = new Map<string, number>();
  const shown = bindings.filter(({ policy, follows, resource }) => {
    const [first] = follows;
    if (policy !== null || first === undefined) return true;
    const what = `more of kind ${resource.kind} follow (${first.reason})`;
    const seen = (counts.get(what) ?? 0) + 1;
    counts.set(what, seen);
    return seen <= MAX_FOLLOWERS;
  });
  const hidden = [...counts].flatMap(([what, seen]) =>
    seen > MAX_FOLLOWERS ? [`${seen - MAX_FOLLOWERS} ${what}`] : [],
  );
  return { shown, hidden };
}

function heading(binding: PlannedBinding, names: number, { style, width }: BindingView): string {
  const name = pad(describeRef(binding.resource), names);
  if (binding.policy === null) {
    return `${style.bold(name)}  ${style.dim(clip(describeFollower(binding), Math.max(20, width - names - 2)))}`;
  }
  const parts = [describePolicy(binding), describeReplicas(binding)]
    .filter((part) => part !== '')
    .join('   ');
  const state = [describeDecision(binding), describeBounds(binding)]
    .filter((part) => part !== '')
    .join(' · ');
  return `${style.bold(name)}  ${parts}${state === '' ? '' : style.dim(` · ${state}`)}`;
}

function describeFollower(binding: PlannedBinding): string {
  const bounds = describeBounds(binding);
  return `${describeUnclaimed(binding)}${bounds === '' ? '' : ` · ${bounds}`}`;
}

/** `bounds divided: eu-1 2–5, us-1 2–5`, of an autoscaler. */
function describeBounds({ assignments }: PlannedBinding): string {
  const shares = assignments.flatMap(({ cluster, bounds }) =>
    bounds === undefined ? [] : [`${cluster} ${bounds.minReplicas}–${bounds.maxReplicas}`],
  );
  if (shares.length === 0) return '';
  const rest = shares.length - MAX_NAMES;
  return `bounds divided: ${shares.slice(0, MAX_NAMES).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

function describeUnclaimed(binding: PlannedBinding): string {
  if (binding.follows.length === 0) return `not claimed by any policy, stays unplaced`;
  const [first] = binding.follows;
  const rest = binding.follows.length - 1;
  const reason = first?.reason === undefined || first.reason === '' ? '' : ` (${first.reason})`;
  return `follows ${first ? describeRef(first.resource) : ''}${reason}${rest > 0 ? ` and ${rest} more` : ''}`;
}

function describePolicy({ policy }: PlannedBinding): string {
  return policy === null ? '' : describeRef({ apiVersion: '', ...policy });
}

/** `3 → 6 replicas · Divided by available replicas`. */
function describeReplicas(binding: PlannedBinding): string {
  if (binding.replicas === undefined) return binding.strategy;
  const was =
    binding.assignments.reduce((sum, a) => sum + (a.previous ?? 0), 0) +
    binding.left.reduce((sum, l) => sum + (l.replicas ?? 0), 0);
  const now = binding.assignments.reduce((sum, a) => sum + (a.replicas ?? 0), 0);
  if (isUnplaced(binding)) {
    const amount = was > 0 ? `${count(was, 'replica')} → not placed` : 'not placed';
    return binding.strategy === '' ? amount : `${amount} · ${binding.strategy}`;
  }
  const known =
    binding.left.length > 0 || binding.assignments.some((a) => a.previous !== undefined);
  const amount = known && was !== now ? `${was} → ${count(now, 'replica')}` : count(now, 'replica');
  return binding.strategy === '' ? amount : `${amount} · ${binding.strategy}`;
}

function isUnplaced({ decision, assignments }: PlannedBinding): boolean {
  return decision.kind === 'failed' && assignments.length === 0;
}

function describeDecision(binding: PlannedBinding): string {
  const { decision } = binding;
  if (isUnplaced(binding)) return decision.reason;
  if (decision.kind === 'failed') return `no place: ${decision.reason}`;
  return decision.kind === 'kept' ? 'as in the lock' : '';
}

function rowsOf(binding: PlannedBinding, regions: Readonly<Record<string, string>>): Row[] {
  const assignments = new Map(binding.assignments.map((a) => [a.cluster, a]));
  const left = new Map(binding.left.map((l) => [l.cluster, l]));
  const judged = new Set(binding.verdicts.map((v) => v.cluster));
  const gone = [...assignments.values(), ...left.values()].filter((a) => !judged.has(a.cluster));
  const verdicts: Verdict[] = [
    ...binding.verdicts,
    ...gone.map(({ cluster }) => ({
      cluster,
      chosen: assignments.has(cluster),
      message: assignments.has(cluster) ? '' : 'left the fleet',
    })),
  ];
  return verdicts.map((verdict) => {
    const { cluster } = verdict;
    const was = assignments.get(cluster)?.previous ?? wasLeft(left.get(cluster));
    return rowOf(verdict, { was, now: assignments.get(cluster) }, binding, regions);
  });
}

/** Kinds without replicas count as 0 where they were. */
function wasLeft(left: PlannedBinding['left'][number] | undefined): number | undefined {
  return left === undefined ? undefined : (left.replicas ?? 0);
}

function rowOf(
  { cluster, chosen, message }: Verdict,
  { was, now }: { readonly was: number | undefined; readonly now: Assignment | undefined },
  { replicas }: PlannedBinding,
  regions: Readonly<Record<string, string>>,
): Row {
  const amount = (n: number | undefined): string =>
    n === undefined ? '-' : replicas === undefined ? 'yes' : String(n);
  const word = chosen ? 'chosen' : 'rejected';
  return {
    cluster,
    region: own(regions, cluster) ?? '',
    was: amount(was),
    now: now === undefined ? '-' : replicas === undefined ? 'yes' : amount(now.replicas),
    why: message.startsWith(word) ? message : message === '' ? word : `${word} · ${message}`,
    chosen,
  };
}

/** Rows that say the same of many clusters become one: `612 clusters: c001, c002, …`. */
function groupRows(rows: readonly Row[]): Row[] {
  if (rows.length <= MAX_ROWS) return [...rows];
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = JSON.stringify([row.chosen, row.was, row.now, row.why]);
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  const merged = [...groups.values()].map(mergeRows);
  return sorted(
    merged,
    compareBy((row) => (row.chosen ? 0 : 1)),
  );
}

function mergeRows(rows: readonly Row[]): Row {
  const [first] = rows as [Row, ...Row[]]; // groups are made with their first row
  if (rows.length === 1) return first;
  const names = rows.slice(0, MAX_NAMES).map((row) => row.cluster);
  const more = rows.length > MAX_NAMES ? ', …' : '';
  return {
    ...first,
    cluster: `${rows.length} clusters`,
    region: '',
    why: `${first.why}: ${names.join(', ')}${more}`,
  };
}

function table(rows: readonly Row[], counted: boolean, { style, width }: BindingView): string[] {
  if (rows.length === 0) return [];
  const hasRegions = rows.some((row) => row.region !== '');
  const clusters = widest(
    'CLUSTER',
    rows.map((row) => row.cluster),
    32,
  );
  const regions = widest(
    'REGION',
    rows.map((row) => row.region),
    16,
  );
  const was = widest(
    'WAS',
    rows.map((row) => row.was),
    8,
  );
  const now = widest(
    'NOW',
    rows.map((row) => row.now),
    8,
  );
  const left = (cluster: string, region: string, before: string, after: string): string =>
    `  ${pad(clip(cluster, clusters), clusters)}  ${hasRegions ? `${pad(clip(region, regions), regions)}  ` : ''}` +
    `${pad(before, was, counted ? 'right' : 'left')}  ${pad(after, now, counted ? 'right' : 'left')}  `;
  const head = left('CLUSTER', 'REGION', 'WAS', 'NOW');
  const space = Math.max(20, width - head.length);
  return [
    style.dim(`${head}WHY`),
    ...rows.map((row) => {
      const why = clip(row.why, space);
      return `${left(row.cluster, row.region, row.was, row.now)}${row.chosen ? why : style.dim(why)}`;
    }),
  ];
}

function widest(title: string, values: readonly string[], limit: number): number {
  let width = title.length;
  for (const value of values) width = Math.max(width, [...value].length);
  return Math.min(width, limit);
}
