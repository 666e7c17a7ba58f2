import { describeRef, refKey } from '../object.js';
import type { Plan, PlannedBinding, PolicyRef } from '../plan.js';
import { describeNumbers } from './numbers.js';
import type { Style } from './style.js';
import { clip, COLOURED, count, PLAIN, pad } from './style.js';

/**
 * Everything the plan knows of one binding: who claims it and who lost, why it was decided anew, each cluster with its
 * verdict, and what will change there. Ends with a newline.
 */
export function describeExplanation(
  plan: Plan,
  binding: PlannedBinding,
  options: { readonly color?: boolean } = {},
): string {
  const style = options.color === true ? COLOURED : PLAIN;
  const fact = (name: string, text: string): string => `  ${style.dim(pad(name, 11))} ${text}`;
  const key = refKey(binding.resource);
  const lines = [
    style.bold(describeRef(binding.resource)),
    ...describeClaim(binding).map(([name, text]) => fact(name, text)),
    fact('decision', `${binding.decision.kind} · ${binding.decision.reason}`),
    ...describeFresh(binding).map((text) => fact('afresh', text)),
    ...(binding.strategy === '' ? [] : [fact('strategy', binding.strategy)]),
    ...(binding.replicas === undefined ? [] : [fact('replicas', String(binding.replicas))]),
    fact('generation', `${binding.generation}, revision ${binding.revision}`),
    '',
    style.bold('Clusters'),
    ...describeVerdicts(binding),
    ...describeTakers(binding, style),
    ...describeNumbers(binding.explanation, style),
    ...describeChanges(plan, key).map((line, i) =>
      i === 0 ? `\n${style.bold('Changes')}\n${line}` : line,
    ),
  ];
  return `${lines.join('\n')}\n`;
}

/** What the lock holds back, so that the reader can judge whether to ask for it. */
function describeFresh({ fresh, assignments }: PlannedBinding): string[] {
  if (fresh === undefined) return [];
  if (fresh.kind === 'failed')
    return [`stays: sticky; a fresh decision would find no place: ${fresh.reason}`];
  const shares = fresh.clusters.map(({ cluster, replicas }) => share(cluster, replicas));
  const now = assignments.map(({ cluster, replicas }) => share(cluster, replicas));
  return shares.join() === now.join()
    ? ['stays; a fresh decision would be the same']
    : [`stays: sticky; a fresh decision (--reschedule) would be ${clip(shares.join(', '), 200)}`];
}

function share(cluster: string, replicas: number | undefined): string {
  return replicas === undefined ? cluster : `${cluster} ${replicas}`;
}

/** Beyond this the rest is counted. */
const MOST_TAKERS = 12;

function describeTakers({ takenBy = [] }: PlannedBinding, style: Style): string[] {
  if (takenBy.length === 0) return [];
  const width = Math.max(...takenBy.map(({ resource }) => describeRef(resource).length));
  const rows = takenBy.slice(0, MOST_TAKERS).map(({ resource, replicas, priority }) => {
    const rank = priority === undefined ? '' : `, priority ${priority}`;
    return `  ${pad(describeRef(resource), width)}  ${count(replicas, 'replica')}${rank}`;
  });
  const rest = takenBy.length - rows.length;
  const more = rest > 0 ? [`  and ${rest} more`] : [];
  return ['', style.bold('Decided before it in this plan, where it fits'), ...rows, ...more];
}

function describeClaim(binding: PlannedBinding): [string, string][] {
  const { policy, shadowed, follows, claim } = binding;
  const lines: [string, string][] = [];
  if (policy !== null)
    lines.push(['claimed by', `${describePolicy(policy)}${claim === '' ? '' : ` · ${claim}`}`]);
  else if (follows.length === 0) lines.push(['claimed by', 'no policy']);
  for (const loser of shadowed) lines.push(['shadows', describePolicy(loser)]);
  for (const { resource, reason } of follows)
    lines.push(['follows', `${describeRef(resource)}${reason === '' ? '' : ` · ${reason}`}`]);
  return lines;
}

function describePolicy(policy: PolicyRef): string {
  return describeRef({ apiVersion: '', ...policy });
}

function describeVerdicts({ verdicts, assignments, replicas }: PlannedBinding): string[] {
  const byCluster = new Map(assignments.map((a) => [a.cluster, a]));
  const width = Math.max(
    0,
    ...verdicts.map((v) => v.cluster.length),
    ...assignments.map((a) => a.cluster.length),
  );
  const judged = new Set(verdicts.map((v) => v.cluster));
  const unjudged = assignments
    .filter((a) => !judged.has(a.cluster))
    .map((a) => ({ cluster: a.cluster, chosen: true, message: '' }));
  return [...verdicts, ...unjudged].flatMap((verdict: PlannedBinding['verdicts'][number]) => {
    const assignment = byCluster.get(verdict.cluster);
    const amount =
      assignment === undefined || replicas === undefined
        ? ''
        : ` ${assignment.previous ?? '-'} → ${assignment.replicas ?? '-'}`;
    const { bounds } = assignment ?? {};
    const divided =
      bounds === undefined
        ? ''
        : ` · minReplicas ${bounds.minReplicas}, maxReplicas ${bounds.maxReplicas}`;
    const rule = verdict.code === undefined ? '' : ` [${verdict.code}]`;
    const cause =
      verdict.cause === undefined || verdict.cause === verdict.message
        ? ''
        : `\n  ${pad('', width)}  Karmada says: ${verdict.cause}`;
    const word = verdict.chosen ? 'chosen' : 'rejected';
    return [
      `  ${pad(verdict.cluster, width)}  ${word}${amount}${rule}${verdict.message === '' ? '' : ` · ${verdict.message}`}${divided}${cause}`,
    ];
  });
}

function describeChanges(plan: Plan, key: string): string[] {
  return plan.changes
    .filter((change) => refKey(change.resource) === key && change.action !== 'none')
    .map(
      (change) => `  ${change.cluster}  ${change.action} · ${change.class} · wave ${change.wave}`,
    );
}
