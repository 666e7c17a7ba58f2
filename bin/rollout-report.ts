import { compareStrings } from '../lib/engine/compare.js';
import type { DiagnosticCode } from '../lib/engine/diagnostic.js';
import { describeRef } from '../lib/engine/object.js';
import type { Plan } from '../lib/engine/plan.js';
import { INTERRUPTED } from './interruption.js';
import { otherCommand, sameCommand } from './other-command.js';
import { printable } from './printable.js';
import { describeTemplates, type TemplateLine } from './template-lines.js';
import type { ObjectResult, RolloutReport } from '../lib/providers/rollout/index.js';

/** 0 done; 2 waits for a person's approval or a window; 130 a person ended it; 1 everything else. */
export function exitCodeOfReport({ outcome, heldBy }: RolloutReport): number {
  if (outcome === 'done') return 0;
  if (outcome === 'aborted') return INTERRUPTED;
  return outcome === 'held' && heldBy?.reason !== 'paused' ? 2 : 1;
}

/** The end of `up`: the aggregated status, every cluster that is not done with the reason, and the command that continues. */
export function describeReport(
  plan: Plan,
  report: RolloutReport,
  args: readonly string[],
  { color = false }: { readonly color?: boolean } = {},
): string {
  const paint = (code: number, text: string): string =>
    color ? `\u001b[${code}m${text}\u001b[0m` : text;
  const lines = ['', ...describeStatus(plan, report)];
  if (report.notDone.length > 0) {
    lines.push('', paint(31, 'Not done'));
    const width = Math.max(...report.notDone.map(({ cluster }) => cluster.length));
    for (const { cluster, wave, why } of report.notDone)
      lines.push(`  ${cluster.padEnd(width)}  wave ${wave} · ${printable(why)}`);
    lines.push(...waysOut(report));
  }
  lines.push(...describeRollback(report));
  const seconds = (report.durationMs / 1000).toFixed(1);
  lines.push('', `${describeOutcome(report, paint)} after ${seconds} s`);
  if (report.outcome !== 'done') lines.push(...waysOn(plan, report, args));
  return `${lines.join('\n')}\n`;
}

/** What to do about what running again cannot help. */
const WAYS_OUT: Readonly<Partial<Record<DiagnosticCode, string>>> = {
  APPLY_CONFLICT:
    'Let the other manager give the field up, drop it from the template, or set `conflictResolution: Overwrite` in the policy; `fleetwright adopt` takes over what runs already.',
};

function waysOut(report: RolloutReport): string[] {
  return [...codesOf(report)].sort(compareStrings).flatMap((code) => {
    const way = WAYS_OUT[code];
    return way === undefined ? [] : [`  hint: ${way}`];
  });
}

function codesOf({ releases }: RolloutReport): ReadonlySet<DiagnosticCode> {
  return new Set(releases.flatMap(({ failures }) => failures.map(({ code }) => code)));
}

/** What became of going back, and which lock belongs to what is there now. */
function describeRollback({ rollback }: RolloutReport): string[] {
  if (rollback === undefined) return [];
  const { revision, lockSerial, report, obstacles } = rollback;
  const back = report?.releases.filter(({ outcome }) => outcome === 'ready') ?? [];
  const lines = [
    '',
    revision !== undefined
      ? `Rollback to revision ${revision}`
      : report === undefined
        ? 'Not rolled back'
        : 'Rollback to what was there before this run',
  ];
  if (back.length > 0) lines.push(`  back: ${back.map(({ cluster }) => cluster).join(', ')}`);
  for (const { cluster, why } of report?.notDone ?? []) lines.push(`  ${cluster}  ${why}`);
  for (const obstacle of obstacles) lines.push(`  ${obstacle}`);
  if (lockSerial !== undefined)
    lines.push(`  the clusters have what the lock of serial ${lockSerial} describes; it is in git`);
  return lines;
}

function describeOutcome(
  { outcome, heldBy }: RolloutReport,
  paint: (code: number, text: string) => string,
): string {
  switch (outcome) {
    case 'done':
      return paint(32, 'Done');
    case 'held':
      return paint(
        33,
        heldBy?.reason === 'paused'
          ? 'Stopped'
          : `Held: wave ${heldBy?.wave ?? ''} waits for ${waitsFor(heldBy)}`,
      );
    case 'failed':
      return paint(31, 'Failed');
    case 'aborted':
      return paint(31, 'Interrupted');
  }
}

function waitsFor(heldBy: RolloutReport['heldBy']): string {
  if (heldBy?.reason !== 'window') return heldBy?.reason ?? 'approval';
  const when = heldBy.until === undefined ? 'not within a week' : `at ${heldBy.until}`;
  return `its time window, which opens ${when}`;
}

/** Forward; and back, where something was applied that has failed, and there was something before it. */
function waysOn(plan: Plan, report: RolloutReport, args: readonly string[]): string[] {
  const { heldBy, outcome, releases, rollback } = report;
  const approve =
    heldBy !== undefined && heldBy.reason === 'approval' ? ['--approve', heldBy.wave] : [];
  const forward = sameCommand(args, ...approve);
  const isMisconfigured = codesOf(report).has('KUBECONFIG_INVALID');
  const mayGoBack =
    outcome === 'failed' &&
    rollback === undefined &&
    !('suspended' in report) &&
    plan.lock.serial > 1 &&
    releases.some(({ objects }) => objects.some(({ action }) => action !== 'pending'));
  return [
    isMisconfigured
      ? `First correct the kubeconfig (--kubeconfig FILE, KUBECONFIG or --context-map); then continue with:  ${forward}`
      : `Continue with:  ${forward}`,
    ...(mayGoBack ? [`Or go back with:  ${otherCommand(args, 'rollback')}`] : []),
  ];
}

function describeStatus(plan: Plan, report: RolloutReport): string[] {
  return ['Status', ...describeTemplates(statusRows(plan, report)).map((line) => `  ${line}`)];
}

/** On how many of its clusters each template's generation of this plan is observed and ready. */
function statusRows(plan: Plan, report: RolloutReport): TemplateLine[] {
  const totals = new Map<string, number>();
  for (const { resource } of plan.releases.flatMap((release) => release.manifests))
    count(totals, describeRef(resource));
  const ready = new Map<string, number>();
  const observed = new Map<string, number>();
  const unseen = unseenOf(plan, report);
  for (const object of report.releases.flatMap((release) => release.objects)) {
    const name = describeRef(object.resource);
    if (object.ready) count(ready, name);
    if (object.ready || (object.action !== 'pending' && hasObserved(object))) count(observed, name);
  }
  return plan.bindings.flatMap((binding) => {
    const name = describeRef(binding.resource);
    const total = totals.get(name) ?? 0;
    if (total === 0) return [];
    const { generation, replicas } = binding;
    return [
      {
        name,
        isWorkload: replicas !== undefined,
        generation,
        observed: observed.get(name) ?? 0,
        ready: ready.get(name) ?? 0,
        total,
        unseen: unseen.get(name) ?? 0,
      },
    ];
  });
}

/** On how many clusters each template is as planned already, and the run did not get to look whether it is ready. */
function unseenOf(plan: Plan, { releases }: RolloutReport): ReadonlyMap<string, number> {
  const seen = new Set(
    releases.flatMap(({ cluster, objects }) =>
      objects.flatMap(({ resource, action }) =>
        action === 'pending' ? [] : [`${cluster} ${describeRef(resource)}`],
      ),
    ),
  );
  const unseen = new Map<string, number>();
  for (const { cluster, manifests } of plan.releases)
    for (const { resource, action } of manifests) {
      const name = describeRef(resource);
      if (action === 'none' && !seen.has(`${cluster} ${name}`)) count(unseen, name);
    }
  return unseen;
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function hasObserved({ generation, observedGeneration }: ObjectResult): boolean {
  return (
    generation !== undefined && observedGeneration !== undefined && observedGeneration >= generation
  );
}
