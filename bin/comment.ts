import { countTotals, describeCounted } from '../lib/engine/describe/index.js';
import { describeRef } from '../lib/engine/object.js';
import type { Plan, PlannedBinding } from '../lib/engine/plan.js';
import { type Difference, titleOf } from './difference.js';

/** GitHub refuses comments above 65,536 characters; some room is left for a heading of the caller's own. */
const MAX_LENGTH = 60_000;

/** The difference as a pull-request comment: totals, findings, placements, and a fold per object. */
export function toComment(
  plan: Plan,
  base: Plan | undefined,
  found: readonly Difference[],
): string {
  const totals = describeCounted(countTotals({ ...plan, changes: changesOf(found) }));
  const name =
    plan.environment === undefined ? plan.application : `${plan.application} / ${plan.environment}`;
  const head = [
    `### Fleetwright: ${name}`,
    '',
    `**${totals}** on ${plan.fleet.clusters} clusters${plan.applicable ? '' : ' · ❌ not applicable'}`,
    '',
    ...findings(plan),
    ...placements(plan, base),
    ...waves(plan),
  ].join('\n');
  let text = head;
  let shown = 0;
  for (const difference of found) {
    const fold = `<details><summary><code>${escape(titleOf(difference))}</code></summary>\n\n${fence(difference.patch)}\n</details>\n`;
    if (text.length + fold.length > MAX_LENGTH) break;
    text += fold;
    shown += 1;
  }
  const hidden = found.length - shown;
  return hidden === 0
    ? text
    : `${text}\n${hidden} more differences do not fit into a comment: run \`fleetwright diff\`.\n`;
}

function changesOf(found: readonly Difference[]): Plan['changes'] {
  return found.flatMap(({ resource, action, clusters }) =>
    clusters.map((cluster) => ({ cluster, resource, action, class: '', wave: '' })),
  );
}

function findings({ diagnostics }: Plan): string[] {
  const shown = diagnostics.filter((d) => d.severity !== 'info').slice(0, 20);
  if (shown.length === 0) return [];
  return [
    ...shown.map(
      (d) => `- ${d.severity === 'error' ? '❌' : '⚠️'} \`${d.code}\` ${escape(d.summary)}`,
    ),
    '',
  ];
}

function placements(plan: Plan, base: Plan | undefined): string[] {
  const before = new Map((base?.bindings ?? []).map((b) => [describeRef(b.resource), b]));
  const rows = plan.bindings.flatMap((binding) => {
    const name = describeRef(binding.resource);
    const was = summary(before.get(name));
    const now = summary(binding);
    return binding.policy === null || was === now ? [] : [`| ${name} | ${was} | ${now} |`];
  });
  if (rows.length === 0) return [];
  return [
    '| object | before | after |',
    '|---|---|---|',
    ...rows.slice(0, 50),
    ...(rows.length > 50 ? [`| ${rows.length - 50} more | | |`] : []),
    '',
  ];
}

function summary(binding: PlannedBinding | undefined): string {
  if (binding === undefined || binding.assignments.length === 0) return '–';
  const parts = binding.assignments.map((a) =>
    binding.replicas === undefined ? a.cluster : `${a.cluster} ${a.replicas ?? 0}`,
  );
  return parts.length <= 8
    ? parts.join(', ')
    : `${parts.slice(0, 7).join(', ')} and ${parts.length - 7} more`;
}

function waves({ waves: planned }: Plan): string[] {
  if (planned.length < 2) return [];
  return [`Waves: ${planned.map((w) => `${w.name} (${w.clusters.length})`).join(' → ')}`, ''];
}

/** A fence longer than any run of backticks inside. */
function fence(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const mark = '`'.repeat(longest + 1);
  return `${mark}diff\n${text}${mark}`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('|', '\\|');
}
