/** Lua's patterns over bytes, as the Lua 5.1 manual (§5.4.1) describes them, compiled to a list of steps. */

/** One step of a pattern; sets hold 1 for each byte that is in them. */
export type Item =
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

function code(character: string): number {
  return character.charCodeAt(0);
}
