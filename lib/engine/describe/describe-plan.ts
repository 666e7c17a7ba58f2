import { describeRef } from '../object.js';
import type { Plan, PlannedBinding } from '../plan.js';
import { describeBindings } from './binding.js';
import { COLOURED, PLAIN } from './style.js';
import { describeChecks, describeInputs, describeTotals, describeWaves } from './summary.js';

export interface DescribeOptions {
  /** ANSI colours; default off. */
  readonly color?: boolean;
  /** Columns available; default 100. Lines are cut, never wrapped. */
  readonly width?: number;
  /** Cluster to region, shown where given. */
  readonly regions?: Readonly<Record<string, string>>;
  /** Tables of verdicts for changed bindings only, as previews want it; default all. */
  readonly only?: 'all' | 'changed';
}

/** Unchanged bindings above this number are counted, not listed. */
const MAX_QUIET = 40;

/**
 * The plan as people read it (design §3): inputs, a table of verdicts per binding, waves, checks and totals.
 *
 * The same text for the command line, Pulumi previews and golden tests. Diagnostics are not part of it: the shell prints
 * them with their places. Ends with a newline.
 */
export function describePlan(plan: Plan, options: DescribeOptions = {}): string {
  const { color = false, width = 100, regions = {}, only = 'all' } = options;
  const style = color ? COLOURED : PLAIN;
  const lines = [describeInputs(plan), ''];

  const shown = only === 'all' ? plan.bindings : plan.bindings.filter((b) => isChanged(b, plan));
  const quiet = shown.length > MAX_QUIET;
  const listed = quiet ? shown.filter((b) => b.decision.kind !== 'kept') : shown;
  const hidden = plan.bindings.length - listed.length;
  lines.push(...describeBindings(listed, { style, width, regions }));
  if (hidden > 0) lines.push(style.dim(`${hidden} more without a change of placement`));
  if (lines.at(-1) !== '') lines.push('');

  lines.push(
    ...describeWaves(plan, style, width),
    ...describeChecks(plan, style),
    describeTotals(plan, style),
  );
  return `${lines.join('\n')}\n`;
}

function isChanged(binding: PlannedBinding, plan: Plan): boolean {
  const name = describeRef(binding.resource);
  return (
    binding.decision.kind === 'failed' ||
    binding.left.length > 0 ||
    binding.assignments.some((a) =>
      binding.replicas === undefined ? a.previous === undefined : a.previous !== a.replicas,
    ) ||
    plan.lockChanges.some((line) => line.startsWith(`${name}:`))
  );
}
