import { compareBy, compareStrings, sorted } from '../compare.js';
import { isOf, refKey } from '../object.js';
import type { Change, Plan, PlannedWave } from '../plan.js';
import { clip, count, describeSeconds, pad, type Style } from './style.js';

/** `Fleet   4 clusters, snapshot 2 h old    Policies 1     Templates 3`. */
export function describeInputs(plan: Plan): string {
  const { clusters, observedAt } = plan.fleet;
  const seconds =
    observedAt === undefined ? undefined : (Date.parse(plan.now) - Date.parse(observedAt)) / 1000;
  const age =
    seconds === undefined || Number.isNaN(seconds)
      ? 'of unknown age'
      : seconds < 60
        ? 'snapshot is fresh'
        : `snapshot ${describeSeconds(seconds)} old`;
  const policies = new Set(
    plan.bindings
      .flatMap((b) => [b.policy, ...b.shadowed])
      .filter((p) => p !== null)
      .map((p) => JSON.stringify(p)),
  );
  const fleet = `Fleet   ${count(clusters, 'cluster')}, ${age}`;
  return `${pad(fleet, 46)}  Policies ${policies.size}     Templates ${plan.bindings.length}`;
}

/** One line a wave: clusters, what changes there, and the gate before the next. */
export function describeWaves(plan: Plan, style: Style, width: number): string[] {
  if (plan.waves.length === 0) return [];
  const changes = countByWave(plan.changes);
  const names = Math.max(...plan.waves.map((wave) => wave.name.length));
  const clusters = Math.min(
    40,
    Math.max(...plan.waves.map((wave) => describeClusters(wave).length)),
  );
  return plan.waves.map((wave, i) => {
    const head = `${i === 0 ? 'Waves ' : '      '}  ${i + 1} ${pad(wave.name, names)}  ${pad(clip(describeClusters(wave), clusters), clusters)}`;
    const change = describeCounts(changes.get(wave.name) ?? new Map());
    const gate =
      i < plan.waves.length - 1 || wave.gate.approval || wave.gate.windows !== undefined
        ? `  then ${describeGate(wave)}`
        : '';
    return `${head}  ${change}${style.dim(clip(gate, Math.max(20, width - head.length)))}`;
  });
}

/** `Checks  ✓ survives the loss of any one region`. */
export function describeChecks(plan: Plan, style: Style): string[] {
  return plan.checks.map((check, i) => {
    const mark = check.passed ? style.green('✓') : style.red('✗');
    return `${i === 0 ? 'Checks' : '      '}  ${mark} ${check.name}${check.message === '' ? '' : `: ${check.message}`}`;
  });
}

/** `Plan    0 to add, 2 to change, 0 to move, 0 to delete        (with namespace shop; lock would change: 1 binding)`. */
export function describeTotals(plan: Plan, style: Style): string {
  const totals = describeCounted(countTotals(plan));
  const asides = [
    describeNamespaces(plan),
    plan.lockChanges.length === 0
      ? ''
      : `lock would change: ${count(plan.lockChanges.length, 'binding')}`,
  ].filter((aside) => aside !== '');
  const aside = asides.length === 0 ? '' : style.dim(`        (${asides.join('; ')})`);
  const verdict = plan.applicable ? '' : style.red('        not applicable, see the errors');
  return `${style.bold('Plan  ')}  ${totals}${aside}${verdict}`;
}

/** Names shown of the namespaces that go along. */
const MAX_NAMESPACES = 4;

/** Namespaces that are made for what lives in them: counted among what is added, and in no table. */
function describeNamespaces({ changes, bindings }: Plan): string {
  const made = changes.filter(
    ({ action, resource }) => action === 'create' && isOf(resource, '', 'Namespace'),
  );
  if (made.length === 0) return '';
  const listed = new Set(bindings.map(({ resource }) => refKey(resource)));
  const names = new Set(
    made.filter(({ resource }) => !listed.has(refKey(resource))).map((c) => c.resource.name),
  );
  if (names.size === 0) return '';
  const shown = sorted(names, compareStrings).slice(0, MAX_NAMESPACES).join(', ');
  const rest = names.size - MAX_NAMESPACES;
  return `with namespace${names.size === 1 ? '' : 's'} ${shown}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** What is replaced is named only where there is something to replace. */
export function describeCounted({ add, change, replace, move, remove }: Totals): string {
  const replaced = replace === 0 ? '' : `${replace} to replace, `;
  return `${add} to add, ${change} to change, ${replaced}${move} to move, ${remove} to delete`;
}

export interface Totals {
  readonly add: number;
  readonly change: number;
  /** Deleted and made anew. */
  readonly replace: number;
  readonly move: number;
  readonly remove: number;
}

/** Objects per cluster: an object that leaves one cluster and appears on another is a move, counted once. */
export function countTotals(plan: Plan): Totals {
  const created = new Map<string, number>();
  const deleted = new Map<string, number>();
  let change = 0;
  let replace = 0;
  for (const { resource, action } of plan.changes) {
    if (action === 'none') continue;
    const key = refKey(resource);
    if (action === 'create') created.set(key, (created.get(key) ?? 0) + 1);
    else if (action === 'delete') deleted.set(key, (deleted.get(key) ?? 0) + 1);
    else if (action === 'replace') replace += 1;
    else change += 1;
  }
  let add = 0;
  let move = 0;
  for (const [key, n] of created) {
    const moved = Math.min(n, deleted.get(key) ?? 0);
    move += moved;
    add += n - moved;
  }
  const remove = [...deleted.values()].reduce((sum, n) => sum + n, 0) - move;
  return { add, change, replace, move, remove };
}

function countByWave(changes: readonly Change[]): Map<string, Map<string, number>> {
  const waves = new Map<string, Map<string, number>>();
  for (const { wave, action } of changes) {
    const counts = waves.get(wave) ?? new Map<string, number>();
    counts.set(action, (counts.get(action) ?? 0) + 1);
    waves.set(wave, counts);
  }
  return waves;
}

function describeCounts(counts: ReadonlyMap<string, number>): string {
  const signs = [
    ['create', '+', 'added'],
    ['update', '~', 'changed'],
    ['replace', '±', 'replaced'],
    ['delete', '-', 'deleted'],
  ] as const;
  const parts = signs.flatMap(([action, sign, word]) => {
    const n = counts.get(action) ?? 0;
    return n === 0 ? [] : [`${sign}${n} ${word}`];
  });
  return parts.length === 0 ? 'no change' : parts.join(' ');
}

function describeClusters({ clusters }: PlannedWave): string {
  const names = sorted(
    clusters,
    compareBy((name) => name),
  );
  return clusters.length <= 4
    ? names.join(', ')
    : `${names.slice(0, 3).join(', ')} and ${clusters.length - 3} more`;
}

function describeGate({ gate }: PlannedWave): string {
  const parts = ['observed + healthy'];
  if (gate.soakSeconds > 0) parts.push(`soak ${describeSeconds(gate.soakSeconds)}`);
  if (gate.maxFailures > 0) parts.push(`up to ${gate.maxFailures} failed`);
  if (gate.approval) parts.push('approval');
  if (gate.windows !== undefined)
    parts.push(
      gate.windows
        .map(
          ({ schedule, timeZone, durationSeconds }) =>
            `opens "${schedule}" ${timeZone} for ${describeSeconds(durationSeconds)}`,
        )
        .join(' or '),
    );
  if (gate.onFailure !== undefined) parts.push(`on failure ${gate.onFailure}`);
  return parts.join(', ');
}
