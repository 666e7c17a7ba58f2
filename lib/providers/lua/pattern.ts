/**
 * Lua's patterns over bytes, as the Lua 5.1 manual (§5.4.1) describes them. Our own matcher, because a pattern can backtrack
 * for hours inside a single instruction of a script: here every step is paid for.
 */

/** What was captured: a piece of the text, or (for an empty pair of parentheses) a position from 1. */
export type Capture = readonly [start: number, end: number] | number;

export interface Match {
  /** Half open, from 0. */
  readonly start: number;
  readonly end: number;
  readonly captures: readonly Capture[];
}

/** Pays for so many steps, or throws. */
export type Pay = (steps: number) => void;

type Item =
  | { readonly kind: 'one'; readonly set: Uint8Array; readonly repeat: '' | '*' | '+' | '-' | '?' }
  | { readonly kind: 'open'; readonly isPosition: boolean }
  | { readonly kind: 'close' }
  | { readonly kind: 'balance'; readonly open: number; readonly close: number }
  | { readonly kind: 'frontier'; readonly set: Uint8Array }
  | { readonly kind: 'again'; readonly capture: number }
  | { readonly kind: 'end' };

export interface Pattern {
  readonly items: readonly Item[];
  readonly isAnchored: boolean;
}

/** Items that a pattern may have; each may cost a level of recursion. */
const ITEM_LIMIT = 500;
const CAPTURE_LIMIT = 32;

/** @throws Error for a malformed pattern */
export function compilePattern(pattern: Uint8Array): Pattern {
  const isAnchored = pattern[0] === code('^');
  const items: Item[] = [];
  let at = isAnchored ? 1 : 0;
  while (at < pattern.length) {
    const [item, next] = readItem(pattern, at);
    items.push(item);
    at = next;
    if (items.length > ITEM_LIMIT) throw new Error('pattern too complex');
  }
  if (items.filter(({ kind }) => kind === 'open').length > CAPTURE_LIMIT)
    throw new Error('too many captures');
  return { items, isAnchored };
}

/** The first match at or after `from` (from 0). */
export function findMatch(
  pattern: Pattern,
  text: Uint8Array,
  from: number,
  pay: Pay,
): Match | undefined {
  for (let start = from; start <= text.length; start += 1) {
    pay(1);
    const captures: Open[] = [];
    const end = match({ items: pattern.items, text, captures, pay }, 0, start);
    if (end >= 0) return { start, end, captures: captures.map(finished) };
    if (pattern.isAnchored) return undefined;
  }
  return undefined;
}

interface Open {
  readonly start: number;
  readonly isPosition: boolean;
  end: number;
}

interface Matching {
  readonly items: readonly Item[];
  readonly text: Uint8Array;
  readonly captures: Open[];
  readonly pay: Pay;
}

function finished({ start, end, isPosition }: Open): Capture {
  if (isPosition) return start + 1;
  if (end < 0) throw new Error('unfinished capture');
  return [start, end];
}

/** Where the match of the items from `index` on ends; -1: there is none. */
function match(m: Matching, index: number, at: number): number {
  m.pay(1);
  const item = m.items[index];
  if (item === undefined) return at;
  switch (item.kind) {
    case 'one':
      return matchOne(m, item, index, at);
    case 'open':
      return attempt(m, index, at, () => {
        m.captures.push({ start: at, end: -1, isPosition: item.isPosition });
        return () => void m.captures.pop();
      });
    case 'close':
      return attempt(m, index, at, () => {
        const open = m.captures.findLast(({ end, isPosition }) => end < 0 && !isPosition);
        if (open === undefined) throw new Error('invalid pattern capture');
        open.end = at;
        return () => {
          open.end = -1;
        };
      });
    case 'balance': {
      const end = balanced(m, item.open, item.close, at);
      return end < 0 ? -1 : match(m, index + 1, end);
    }
    case 'frontier': {
      const isEdge = has(item.set, m.text[at] ?? 0) && !has(item.set, m.text[at - 1] ?? 0);
      return isEdge ? match(m, index + 1, at) : -1;
    }
    case 'again': {
      const end = repeated(m, item.capture, at);
      return end < 0 ? -1 : match(m, index + 1, end);
    }
    case 'end':
      return at === m.text.length ? match(m, index + 1, at) : -1;
  }
}

/** Change the captures, go on, and change them back where that leads nowhere. */
function attempt(m: Matching, index: number, at: number, change: () => () => void): number {
  const undo = change();
  const end = match(m, index + 1, at);
  if (end < 0) undo();
  return end;
}

function matchOne(
  m: Matching,
  { set, repeat }: Item & { readonly kind: 'one' },
  index: number,
  at: number,
): number {
  const fits = (position: number): boolean =>
    position < m.text.length && has(set, m.text[position] ?? 0);
  switch (repeat) {
    case '':
      return fits(at) ? match(m, index + 1, at + 1) : -1;
    case '?': {
      const with1 = fits(at) ? match(m, index + 1, at + 1) : -1;
      return with1 >= 0 ? with1 : match(m, index + 1, at);
    }
    case '-':
      for (let end = at; ; end += 1) {
        const rest = match(m, index + 1, end);
        if (rest >= 0) return rest;
        if (!fits(end)) return -1;
      }
    case '*':
    case '+': {
      let end = at;
      while (fits(end)) end += 1;
      m.pay(end - at);
      for (const least = repeat === '+' ? at + 1 : at; end >= least; end -= 1) {
        const rest = match(m, index + 1, end);
        if (rest >= 0) return rest;
      }
      return -1;
    }
  }
}

function balanced(m: Matching, open: number, close: number, at: number): number {
  if (m.text[at] !== open) return -1;
  let depth = 1;
  for (let end = at + 1; end < m.text.length; end += 1) {
    m.pay(1);
    if (m.text[end] === close) depth -= 1;
    else if (m.text[end] === open) depth += 1;
    if (depth === 0) return end + 1;
  }
  return -1;
}

function repeated(m: Matching, capture: number, at: number): number {
  const found = m.captures[capture];
  if (found === undefined || found.end < 0) throw new Error('invalid capture index');
  const length = found.end - found.start;
  m.pay(length);
  for (let i = 0; i < length; i += 1) {
    if (m.text[found.start + i] !== m.text[at + i]) return -1;
  }
  return at + length;
}

function readItem(pattern: Uint8Array, at: number): [Item, number] {
  const byte = pattern[at] ?? 0;
  const next = pattern[at + 1];
  if (byte === code('(')) {
    const isPosition = next === code(')');
    return [{ kind: 'open', isPosition }, at + (isPosition ? 2 : 1)];
  }
  if (byte === code(')')) return [{ kind: 'close' }, at + 1];
  if (byte === code('$') && next === undefined) return [{ kind: 'end' }, at + 1];
  if (byte === code('%') && next === code('b')) {
    const [open, close] = [pattern[at + 2], pattern[at + 3]];
    if (open === undefined || close === undefined)
      throw new Error('malformed pattern (%b needs two characters)');
    return [{ kind: 'balance', open, close }, at + 4];
  }
  if (byte === code('%') && next === code('f')) {
    if (pattern[at + 2] !== code('[')) throw new Error('malformed pattern (%f needs a set)');
    const [set, end] = readSet(pattern, at + 2);
    return [{ kind: 'frontier', set }, end];
  }
  if (byte === code('%') && next !== undefined && next >= code('1') && next <= code('9'))
    return [{ kind: 'again', capture: next - code('1') }, at + 2];
  const [set, end] = readSet(pattern, at);
  const repeat = REPEATS.get(pattern[end] ?? 0);
  return [{ kind: 'one', set, repeat: repeat ?? '' }, repeat === undefined ? end : end + 1];
}

const REPEATS = new Map(
  (['*', '+', '-', '?'] as const).map((sign) => [sign.charCodeAt(0), sign] as const),
);

/** A single character class: `.`, `%a`, `[…]` or a character; and where it ends. */
function readSet(pattern: Uint8Array, at: number): [Uint8Array, number] {
  const byte = pattern[at] ?? 0;
  if (byte === code('.')) return [setOf(() => true), at + 1];
  if (byte === code('%')) {
    const letter = pattern[at + 1];
    if (letter === undefined) throw new Error('malformed pattern (ends with %)');
    return [classOf(letter), at + 2];
  }
  return byte === code('[') ? readBrackets(pattern, at + 1) : [only(byte), at + 1];
}

function readBrackets(pattern: Uint8Array, from: number): [Uint8Array, number] {
  const isNegated = pattern[from] === code('^');
  const members = new Uint8Array(256);
  let at = isNegated ? from + 1 : from;
  do {
    const byte = pattern[at];
    if (byte === undefined) throw new Error('malformed pattern (missing ])');
    const last = pattern[at + 2];
    if (byte === code('%')) {
      const letter = pattern[at + 1];
      if (letter === undefined) throw new Error('malformed pattern (ends with %)');
      classOf(letter).forEach((isIn, member) => (members[member] ||= isIn));
      at += 2;
    } else if (pattern[at + 1] === code('-') && last !== undefined && last !== code(']')) {
      for (let member = byte; member <= last; member += 1) members[member] = 1;
      at += 3;
    } else {
      members[byte] = 1;
      at += 1;
    }
  } while (pattern[at] !== code(']'));
  return [isNegated ? members.map((isIn) => 1 - isIn) : members, at + 1];
}

/** `%a` and its like; a capital letter is the complement; other characters stand for themselves. */
function classOf(letter: number): Uint8Array {
  return CLASS_SETS.get(letter) ?? only(letter);
}

const CLASSES: Readonly<Record<string, RegExp>> = {
  a: /[A-Za-z]/,
  c: /[\x00-\x1f\x7f]/,
  d: /[0-9]/,
  l: /[a-z]/,
  p: /[!-/:-@[-`{-~]/,
  s: /[ \t-\r]/,
  u: /[A-Z]/,
  w: /[A-Za-z0-9]/,
  x: /[0-9A-Fa-f]/,
  z: /\x00/,
};

const CLASS_SETS: ReadonlyMap<number, Uint8Array> = new Map(
  Object.entries(CLASSES).flatMap(([letter, test]): [number, Uint8Array][] => [
    [code(letter), setOf((character) => test.test(character))],
    [code(letter.toUpperCase()), setOf((character) => !test.test(character))],
  ]),
);

function setOf(test: (character: string) => boolean): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => (test(String.fromCharCode(byte)) ? 1 : 0));
}

function only(byte: number): Uint8Array {
  const set = new Uint8Array(256);
  set[byte] = 1;
  return set;
}

function has(set: Uint8Array, byte: number): boolean {
  return set[byte] === 1;
}

function code(character: string): number {
  return character.charCodeAt(0);
}
