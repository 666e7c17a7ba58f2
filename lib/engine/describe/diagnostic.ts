import { type Diagnostic, compareDiagnostics } from '../diagnostic.js';
import { describeRef } from '../object.js';
import { COLOURED, count, PLAIN } from './style.js';

/** Where a finding is, as an editor or terminal can follow it: `shop.yaml:12:5`, else the construct path. */
function describePlace({ file, line, column, construct }: Diagnostic): string {
  if (file === undefined) return construct ?? '';
  return [file, line, column].filter((part) => part !== undefined).join(':');
}

/**
 * Three lines for people: severity, code and summary; the place and object; what to do.
 *
 * @example
 * error   POLICY_MATCHES_NOTHING  PropagationPolicy shop/web selects no template.
 *         at policy.yaml:9:5 spec.resourceSelectors.0
 *         hint: …
 */
export function describeDiagnostic(
  diagnostic: Diagnostic,
  options: { readonly color?: boolean } = {},
): string {
  const style = options.color === true ? COLOURED : PLAIN;
  const { severity, code, summary, hint, resource, path } = diagnostic;
  const paint =
    severity === 'error' ? style.red : severity === 'warning' ? style.yellow : style.dim;
  const where = [
    describePlace(diagnostic),
    resource && describeRef(resource),
    path?.join('.'),
  ].filter((part) => part !== undefined && part !== '');
  const lines = [`${paint(severity.padEnd(7))} ${style.bold(code)}  ${summary}`];
  if (where.length > 0) lines.push(style.dim(`        at ${where.join(' · ')}`));
  if (hint !== undefined) lines.push(`        ${style.dim('hint:')} ${hint}`);
  return lines.join('\n');
}

/** All of them, worst first, with a closing count. Empty for none. Findings beyond `limit` per severity are counted. */
export function describeDiagnostics(
  diagnostics: readonly Diagnostic[],
  options: { readonly color?: boolean; readonly limit?: number } = {},
): string {
  if (diagnostics.length === 0) return '';
  const { limit = 50 } = options;
  const shown = new Map<string, number>();
  const lines: string[] = [];
  for (const diagnostic of [...diagnostics].sort(compareDiagnostics)) {
    const n = (shown.get(diagnostic.severity) ?? 0) + 1;
    shown.set(diagnostic.severity, n);
    if (n <= limit) lines.push(describeDiagnostic(diagnostic, options));
  }
  const counts = (['error', 'warning', 'info'] as const).flatMap((severity) => {
    const n = shown.get(severity) ?? 0;
    return n === 0 ? [] : [severity === 'info' ? `${n} info` : count(n, severity)];
  });
  return `${lines.join('\n')}\n${counts.join(', ')}\n`;
}
