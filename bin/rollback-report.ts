import { describeRef } from '../lib/engine/object.js';
import type {
  KeptFleet,
  PreparedRollback,
  RevisionSummary,
  RolledBack,
  RolloutReport,
} from '../lib/providers/rollout/index.js';
import { otherCommand } from './other-command.js';
import { describeDifferences, type Difference, namesOf } from './difference.js';

/** The kept revisions as a table, newest first. */
export function describeRevisions(revisions: readonly RevisionSummary[]): string {
  if (revisions.length === 0) return 'Nothing is kept.\n';
  const widths = [8, 24, 4, 8, 0];
  const row = (...cells: readonly string[]): string =>
    cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  ');
  const lines = revisions.map(({ revision, at, lockSerial, restores, clusters }) =>
    row(String(revision), at, String(lockSerial), String(restores ?? '-'), clusters.join(' ')),
  );
  return `${[row('REVISION', 'AT', 'LOCK', 'RESTORES', 'CHANGED ON'), ...lines].join('\n')}\n`;
}

/** What a rollback will do: in which order, and to what. */
export function describePrepared(
  { revision, at, plan, spared }: PreparedRollback,
  changes: readonly Difference[],
  color: boolean,
): string {
  const lines = [`Back to revision ${revision} of ${at}`, ''];
  for (const [index, { name, clusters }] of plan.waves.entries()) {
    lines.push(`Wave ${index + 1} ${name}`);
    for (const cluster of clusters) lines.push(`  ${cluster}  ${countOf(cluster, changes)}`);
  }
  for (const { cluster, resource } of spared)
    lines.push(`  ${cluster}  keeps ${describeRef(resource)}, which holds data`);
  const details = describeDifferences(changes, color);
  return `${lines.join('\n')}\n${details === '' ? '' : `\n${details}`}`;
}

function countOf(cluster: string, changes: readonly Difference[]): string {
  const count = (action: Difference['action']): number =>
    changes.filter((one) => one.action === action && one.clusters.includes(cluster)).length;
  return `${count('create')} to add, ${count('update')} to change, ${count('delete')} to delete`;
}

/** How it went, and what is left. */
export function describeRolledBack(
  { revision, plan }: PreparedRollback,
  report: RolloutReport,
  args: readonly string[],
): string {
  const lines = report.notDone.map(({ cluster, why }) => `  ${cluster}  ${why}`);
  const seconds = (report.durationMs / 1000).toFixed(1);
  const done = `Done: ${plan.releases.length} clusters have revision ${revision} after ${seconds} s`;
  const open = `Not done (${report.outcome}); run it again to continue: ${otherCommand(args, 'rollback', '--to', String(revision))}`;
  return `\n${[...lines, report.outcome === 'done' ? done : open].join('\n')}\n`;
}

/** One line for each group of clusters that were rolled back, for those who are about to roll forward. */
export function describeRolledBackClusters(found: readonly RolledBack[]): readonly string[] {
  return found.map(({ clusters, to, at, left, bringsBack }) => {
    const of = left === undefined ? '' : ` (revision ${left})`;
    const what = bringsBack
      ? `this plan brings back what was left${of}`
      : left === undefined
        ? 'this plan goes forward from there again'
        : `this plan is neither that nor what was left${of}`;
    return at === undefined
      ? `${namesOf(clusters)}: a rollback to revision ${to} has begun and is not done; ${bringsBack ? `this plan has what it leaves${of}` : 'this plan is something else'}; \`fleetwright rollback --to ${to}\` continues it`
      : `${namesOf(clusters)}: rolled back to revision ${to} on ${at}; ${what}`;
  });
}

/** Where decisions and templates stand, and the commit that has those of a kept revision, if any is known. */
export interface Restorable {
  readonly lock: string;
  readonly fleet: string;
  /** Files and folders with templates; empty: not known to this command. */
  readonly sources: readonly string[];
  /** Of the lock as it is now; absent: there is none. */
  readonly current?: number;
  readonly commit?: string;
  /** Of the rollback: what is to be run next is about the same. */
  readonly args: readonly string[];
}

/**
 * What is left to do after a rollback: the clusters went back, lock and templates did not. Both must, or the next `up` rolls
 * forward again. `undefined` when the lock is the revision's already.
 */
export function restoreFiles(
  serial: number,
  { lock, fleet, sources, current, commit, args }: Restorable,
): string | undefined {
  if (current === serial) return undefined;
  const check = otherCommand(args, 'diff', '--live');
  const has = current === undefined ? '' : ` (serial ${current})`;
  const files = sources.filter((path) => path !== '-').map(quoted);
  const names = files.length === 0 ? 'TEMPLATES' : files.join(' ');
  const head = `${lock}${has} and the templates still describe what was tried; the clusters have what serial ${serial} describes.`;
  if (commit === undefined)
    return `${head}
No commit here has the lock with serial ${serial}. Before the next up, write the templates as they were (${names}) and look at
\`${check}\` until it shows no differences; else the next up rolls forward again.`;
  const explained =
    files.length === 0
      ? '\nTEMPLATES stands for the files and folders that you plan from (-f).'
      : '';
  return `${head}
Before the next up, restore both together, or it rolls forward again; then check that nothing differs, and commit:
  git restore --source=${commit} --staged --worktree -- ${quoted(lock)} ${names} ':(exclude)${fleet}'
  ${check}${explained}`;
}

function quoted(path: string): string {
  return /^[\w./@%+=:,-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}

/** Why there is nothing to go back to, and what to do. */
export function describeNoWay(
  application: string,
  to: number | undefined,
  { looks, unreadable }: KeptFleet,
  args: readonly string[],
): string {
  const revisions = looks.flatMap(({ entries }) => entries.map(({ revision }) => revision));
  const kept = [...new Set(revisions)].sort((a, b) => b - a);
  const clusters = [...looks, ...unreadable].map(({ cluster }) => cluster).sort();
  const where = clusters.join(', ') || 'any cluster that lock or fleet name';
  const lines = unreadable.map(({ failure }) => `error   ${failure.message}`);
  if (kept.length === 0)
    return `${[...lines, `No revision of ${application} is kept on ${where}: no rollout of it was completed there, or it was destroyed, which removes what was kept.`].join('\n')}
To bring it back, run \`${otherCommand(args, 'up')}\`; for an earlier state, restore lock and templates from an earlier commit first.\n`;
  const list = kept.join(', ');
  const why =
    to === undefined
      ? `${application} has the earliest state that a rollback goes back to: the others were left by earlier rollbacks, or came later.`
      : `Revision ${to} of ${application} is not kept on ${where}.`;
  return `${[...lines, `${why} Kept: ${list}.`].join('\n')}
See what they are with \`${otherCommand(args, 'rollback', '--list')}\`, and bring one back by its number: \`${otherCommand(args, 'rollback', '--to', String(kept[0] ?? 1))}\`.\n`;
}
