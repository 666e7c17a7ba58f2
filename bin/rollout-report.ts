import { describeRef } from '../lib/engine/object.js';
import type { Plan } from '../lib/engine/plan.js';
import type { ObjectResult, RolloutReport } from '../lib/providers/rollout/index.js';

/** 0 done; 2 waits for a person's approval or a window; 1 everything else. */
export function exitCodeOfReport({ outcome, heldBy }: RolloutReport): number {
  if (outcome === 'done') return 0;
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
      lines.push(`  ${cluster.padEnd(width)}  wave ${wave} · ${why}`);
  }
  const seconds = (report.durationMs / 1000).toFixed(1);
  lines.push('', `${describeOutcome(report, paint)} after ${seconds} s`);
  if (report.outcome !== 'done') lines.push(`Continue with:  ${continueWith(report, args)}`);
  return `${lines.join('\n')}\n`;
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
          : `Held: wave ${heldBy?.wave ?? ''} waits for ${heldBy?.reason ?? 'approval'}`,
      );
    case 'failed':
      return paint(31, 'Failed');
    case 'aborted':
      return paint(31, 'Interrupted');
  }
}

function continueWith({ heldBy }: RolloutReport, args: readonly string[]): string {
  const words = args.map((word) =>
    /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`,
  );
  const approve =
    heldBy !== undefined && heldBy.reason === 'approval' ? ['--approve', heldBy.wave] : [];
  return ['fleetwright', ...words, ...approve].join(' ');
}

/** One line per template: on how many of its clusters this generation is observed and ready. */
function describeStatus(plan: Plan, report: RolloutReport): string[] {
  const seen = new Map<string, ObjectResult[]>();
  for (const { resource, result } of report.releases.flatMap((r) =>
    r.objects.map((result) => ({ resource: result.resource, result })),
  )) {
    const key = describeRef(resource);
    seen.set(key, [...(seen.get(key) ?? []), result]);
  }
  const rows = plan.bindings.flatMap((binding) => {
    const name = describeRef(binding.resource);
    const total = plan.releases.filter((r) =>
      r.manifests.some((m) => describeRef(m.resource) === name),
    ).length;
    if (total === 0) return [];
    const ready = (seen.get(name) ?? []).filter((object) => object.ready);
    const observed = ready.filter(
      (o) =>
        o.generation === undefined ||
        o.observedGeneration === undefined ||
        o.observedGeneration >= o.generation,
    );
    return [
      [
        name,
        `generation ${binding.generation}`,
        `observed ${observed.length}/${total}`,
        `ready ${ready.length}/${total}`,
      ] as const,
    ];
  });
  const width = Math.max(0, ...rows.map(([name]) => name.length));
  return [
    'Status',
    ...rows.map(([name, ...facts]) => `  ${name.padEnd(width)}  ${facts.join('  ')}`),
  ];
}
