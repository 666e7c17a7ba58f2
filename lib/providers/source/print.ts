import { staysText } from './scalars.js';

/** Texts that every YAML reader takes for a text, up to {@link staysText}. */
const PLAIN = /^[A-Za-z0-9_/.][A-Za-z0-9_/.@%+=-]*(?:[ :,()]+[A-Za-z0-9_/.@%+=-]+)*$/;
/** `a: b` and `a :b` mean something else; so do dates and base-60 numbers to YAML 1.1 readers. */
const NOT_PLAIN = /: |[ ,(]:|:[,( )]|^\d{4}-\d|^[-+]?\d+(?::\d+)+$|^\.{3}$|^=$/;
const NOT_LITERAL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff\ud800-\udfff]/;

/**
 * YAML in block style with sorted keys, LF and no folded lines: equal values give equal bytes. Ends with a newline.
 *
 * Input is plain JSON data; absent members (`undefined`) are left out. Texts that `kubectl` would read as something
 * else are quoted; texts of several lines become literal blocks where that loses nothing.
 * Our own printer because the library's costs ten times as much on 300,000 manifests (ADR 0080).
 */
export function printYaml(value: unknown): string {
  const out: string[] = [];
  if (isCollection(value)) printCollection(value, '', out);
  else out.push(scalar(value, ''));
  return `${out.join('')}\n`.replace(/^\n/, '');
}

/** Several documents, separated by `---`. */
export function printDocuments(values: readonly unknown[]): string {
  return values.map((value) => printYaml(value)).join('---\n');
}

function printCollection(value: object, indent: string, out: string[]): void {
  if (Array.isArray(value)) printItems(value, indent, out);
  else printMembers(value as Record<string, unknown>, indent, out, `\n${indent}`);
}

function printItems(items: readonly unknown[], indent: string, out: string[]): void {
  for (const item of items) {
    out.push(`\n${indent}-`);
    if (!isCollection(item)) out.push(' ', scalar(item, `${indent}  `));
    else if (Array.isArray(item)) printItems(item, `${indent}  `, out);
    else printMembers(item as Record<string, unknown>, `${indent}  `, out, ' ');
  }
}

/** The first member of an item stands on the line of its dash: `first` is what comes before it. */
function printMembers(
  members: Record<string, unknown>,
  indent: string,
  out: string[],
  first: string,
): void {
  let before = first;
  for (const key of Object.keys(members).sort()) {
    const value = members[key];
    if (value === undefined) continue;
    out.push(before, text(key), ':');
    before = `\n${indent}`;
    if (!isCollection(value)) out.push(' ', scalar(value, `${indent}  `));
    else if (Array.isArray(value)) printItems(value, indent, out);
    else printMembers(value as Record<string, unknown>, `${indent}  `, out, `\n${indent}  `);
  }
}

/** Whether it takes lines of its own; empty ones are written in flow style. */
function isCollection(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  return Array.isArray(value)
    ? value.length > 0
    : Object.values(value).some((v) => v !== undefined);
}

function scalar(value: unknown, indent: string): string {
  if (typeof value === 'string') return value.includes('\n') ? lines(value, indent) : text(value);
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? '[]' : '{}';
  return JSON.stringify(value ?? null);
}

function text(value: string): string {
  return PLAIN.test(value) && !NOT_PLAIN.test(value) && staysText(value)
    ? value
    : JSON.stringify(value);
}

function lines(value: string, indent: string): string {
  if (/^[\n ]/.test(value) || NOT_LITERAL.test(value)) return JSON.stringify(value);
  const body = value.replace(/\n+$/, '');
  const tail = value.length - body.length;
  const chomp = tail === 0 ? '-' : tail === 1 ? '' : '+';
  const block = body.split('\n').map((line) => (line === '' ? '' : indent + line));
  return `|${chomp}\n${block.join('\n')}${'\n'.repeat(Math.max(0, tail - 1))}`;
}
