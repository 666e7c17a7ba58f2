/**
 * Matching of Lua's patterns. Our own, because a pattern can backtrack for hours inside a single instruction of a script:
 * here every step is paid for.
 */
import type { Item, Pattern } from './pattern.js';

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

/** Of trying a match, measured against a loop that does nothing. */
const STEPS_PER_START = 4;

/** The first match at or after `from` (from 0). */
export function findMatch(
  pattern: Pattern,
  text: Uint8Array,
  from: number,
  pay: Pay,
): Match | undefined {
  for (let start = from; start <= text.length; start += 1) {
    pay(STEPS_PER_START);
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

function has(set: Uint8Array, byte: number): boolean {
  return set[byte] === 1;
}
