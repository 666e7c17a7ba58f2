import { describeRef } from '../object.js';
import type { OverrideStep } from '../override/index.js';
import type { OverrideTrace } from '../render/index.js';
import { clip, COLOURED, PLAIN } from './style.js';

/** Longest value shown, in characters. */
const MAX_VALUE = 80;

/** Per group of clusters the rules in the order they apply, each with the values it changed. Ends with a newline. */
export function describeOverrideTrace(
  traces: readonly OverrideTrace[],
  options: { readonly color?: boolean } = {},
): string {
  const style = options.color === true ? COLOURED : PLAIN;
  const lines = traces.flatMap(({ clusters, divided = [], steps }) => [
    `  ${style.bold(clusters.join(', '))}`,
    ...(divided.length === 0
      ? []
      : ['    bounds divided, by fleetwright.dev/autoscaler', ...divided.map(describeEdit)]),
    ...steps.flatMap(describeStep),
    ...(divided.length + steps.length === 0 ? ['    as in the template'] : []),
  ]);
  return [style.bold('Overrides'), ...(lines.length === 0 ? ['  no cluster'] : lines), ''].join(
    '\n',
  );
}

function describeStep({ policy, rule, changes, fault }: OverrideStep): string[] {
  const head = `    ${describeRef({ apiVersion: '', ...policy })}, ${rule}`;
  if (fault !== undefined) return [`${head}: cannot change ${fault.path}: ${fault.message}`];
  if (changes.length === 0) return [`${head}: changes nothing`];
  return [head, ...changes.map(describeEdit)];
}

function describeEdit({ path, before, after }: OverrideStep['changes'][number]): string {
  return `      ${path}  ${show(before)} → ${show(after)}`;
}

function show(value: unknown): string {
  return value === undefined ? '(none)' : clip(JSON.stringify(value), MAX_VALUE);
}
