import { describeRef } from '../lib/engine/object.js';
import type {
  PreparedRollback,
  RevisionSummary,
  RolloutReport,
} from '../lib/providers/rollout/index.js';
import { describeDifferences, type Difference } from './difference.js';

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
): string {
  const lines = report.notDone.map(({ cluster, why }) => `  ${cluster}  ${why}`);
  const seconds = (report.durationMs / 1000).toFixed(1);
  const done = `Done: ${plan.releases.length} clusters have revision ${revision} after ${seconds} s`;
  const open = `Not done (${report.outcome}); run it again to continue: fleetwright rollback --to ${revision}`;
  return `\n${[...lines, report.outcome === 'done' ? done : open].join('\n')}\n`;
}

/**
 * How to get the lock back that a revision was planned with. The clusters went back, the lock did not: it is in git, and
 * which commit is right is a person's decision. `undefined` when the lock is that one already.
 */
export function restoreLock(
  file: string,
  serial: number,
  current: number | undefined,
): string | undefined {
  if (current === serial) return undefined;
  const has = current === undefined ? '' : ` (serial ${current})`;
  return [
    `${file}${has} still describes what was tried; the clusters have what serial ${serial} describes.`,
    'Restore lock and templates before the next up, or it rolls forward again:',
    `  git checkout "$(git log --reverse --format=%h -G'^serial: ${serial}$' -- ${file} | head -n 1)" -- ${file}`,
  ].join('\n');
}
