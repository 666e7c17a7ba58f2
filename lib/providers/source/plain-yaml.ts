import { isExact, toScalar } from './scalars.js';

/** What is not plain block YAML after all: the full parser decides. */
class NotPlain extends Error {}

interface Line {
  readonly indent: number;
  readonly text: string;
}

const KEY = /^([A-Za-z_][\w./-]*|"[^"\\]*"):(?: +(.*))?$/;
const SPECIAL = /^[&*!|>%@`#{}[\],?:"']|^-(?: |$)|: |:$| #/;

/**
 * The value of one document in plain block style: maps, lists, one-line scalars, literal blocks, comments on lines of their own.
 * `undefined` for everything else, right or wrong; then the full parser is asked, which is twenty times slower.
 * Where it gives a value it is the full parser's, which a property test holds it to.
 */
export function parsePlain(lines: readonly string[]): { readonly value: unknown } | undefined {
  try {
    return { value: new PlainReader(lines).document() };
  } catch (error) {
    if (error instanceof NotPlain) return undefined;
    throw error;
  }
}

class PlainReader {
  private at = 0;
  private readonly lines: readonly string[];

  constructor(lines: readonly string[]) {
    this.lines = lines;
  }

  document(): unknown {
    const first = this.peek();
    if (first === undefined || first.indent !== 0) throw new NotPlain();
    const value = this.block(0);
    if (this.peek() !== undefined) throw new NotPlain();
    return value;
  }

  /** The next line with content, without moving past it. */
  private peek(): Line | undefined {
    for (; this.at < this.lines.length; this.at += 1) {
      const line = this.lines[this.at] ?? '';
      const text = line.trimStart();
      if (text !== '' && !text.startsWith('#'))
        return { indent: line.length - text.length, text: text.trimEnd() };
    }
    return undefined;
  }

  private block(indent: number): unknown {
    const line = this.peek();
    if (line === undefined || line.indent !== indent) throw new NotPlain();
    return isItem(line.text) ? this.list(indent) : this.map(indent, {});
  }

  private list(indent: number): unknown[] {
    const items: unknown[] = [];
    for (let line = this.peek(); line?.indent === indent && isItem(line.text); line = this.peek()) {
      const rest = line.text.slice(1).trimStart();
      if (rest === '') throw new NotPlain();
      if (KEY.test(rest)) items.push(this.map(indent + line.text.length - rest.length, {}, rest));
      else {
        this.at += 1;
        items.push(this.scalar(rest, indent));
      }
    }
    return items;
  }

  /** `first`: the map's first line, when it stands behind a dash. */
  private map(
    indent: number,
    into: Record<string, unknown>,
    first?: string,
  ): Record<string, unknown> {
    let text = first ?? this.textAt(indent);
    while (text !== undefined) {
      const match = KEY.exec(text);
      if (match?.[1] === undefined) throw new NotPlain();
      const key = match[1].startsWith('"') ? match[1].slice(1, -1) : keyOf(match[1]);
      if (Object.hasOwn(into, key) || key === '__proto__') throw new NotPlain();
      this.at += 1;
      into[key] =
        match[2] === undefined || match[2] === ''
          ? this.below(indent)
          : this.scalar(match[2], indent);
      text = this.textAt(indent);
    }
    return into;
  }

  /** The text of the next line if it goes on at this depth; a deeper one is nothing we know. */
  private textAt(indent: number): string | undefined {
    const line = this.peek();
    if (line === undefined || line.indent < indent) return undefined;
    if (line.indent > indent) throw new NotPlain();
    return isItem(line.text) ? undefined : line.text;
  }

  /** The value of a key with nothing behind it: a deeper block, a list at the same depth, or null. */
  private below(indent: number): unknown {
    const line = this.peek();
    if (line === undefined || line.indent < indent) return null;
    if (line.indent > indent) return this.block(line.indent);
    return isItem(line.text) ? this.list(indent) : null;
  }

  private scalar(text: string, indent: number): unknown {
    const literal = /^\|(-?)$/.exec(text);
    if (literal !== null) return this.literal(indent, literal[1] === '-');
    const value = scalarOf(text);
    const next = this.peek();
    // A deeper line would continue the scalar.
    if (next !== undefined && next.indent > indent) throw new NotPlain();
    return value;
  }

  private literal(parent: number, strip: boolean): string {
    const body: string[] = [];
    let indent = -1;
    for (; this.at < this.lines.length; this.at += 1) {
      const line = this.lines[this.at] ?? '';
      const depth = line.length - line.trimStart().length;
      if (line.trim() === '') {
        if (line !== '' || indent < 0) throw new NotPlain();
        body.push('');
        continue;
      }
      if (indent < 0) indent = depth;
      if (depth <= parent) break;
      if (depth < indent || line.includes('\t')) throw new NotPlain();
      body.push(line.slice(indent));
    }
    if (indent <= parent) throw new NotPlain();
    while (body.at(-1) === '') body.pop();
    // Comments after a literal are told from its text by their depth alone.
    return body.join('\n') + (strip ? '' : '\n');
  }
}

function isItem(text: string): boolean {
  return text.startsWith('- ') || text === '-';
}

function keyOf(text: string): string {
  if (typeof toScalar(text) !== 'string') throw new NotPlain();
  return text;
}

function scalarOf(text: string): unknown {
  if (text === '{}') return {};
  if (text === '[]') return [];
  const quoted = /^"([^"\\]*)"$|^'([^']*)'$/.exec(text);
  if (quoted !== null) return quoted[1] ?? quoted[2];
  if (SPECIAL.test(text) || !isExact(text)) throw new NotPlain();
  return toScalar(text);
}
