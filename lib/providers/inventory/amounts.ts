import { compareStrings, sorted } from '../../engine/compare.js';
import { parseQuantity } from '../../engine/schedule/index.js';

/** Quantities by resource name, exact. */
export type Amounts = ReadonlyMap<string, bigint>;

/** Sums that grow; binary notation is remembered so that memory is printed as people write it. */
export type Sums = Map<string, bigint>;

const NANO = 1_000_000_000n;
const MILLI = 1_000_000n;

/** Kubernetes' quantities as nanos; what is no quantity is left out. */
export function toAmounts(list: Readonly<Record<string, string | number>> | undefined): Sums {
  const amounts: Sums = new Map();
  for (const [name, text] of Object.entries(list ?? {})) {
    const nano = parseOnce(text);
    if (nano !== undefined) amounts.set(name, nano);
  }
  return amounts;
}

/** A fleet has millions of quantities and a few hundred different ones. */
const parsed = new Map<string | number, bigint | undefined>();
const MANY = 10_000;

function parseOnce(text: string | number): bigint | undefined {
  if (parsed.has(text)) return parsed.get(text);
  if (parsed.size >= MANY) parsed.clear();
  const nano = parseQuantity(text)?.nano;
  parsed.set(text, nano);
  return nano;
}

export function add(sums: Sums, more: Amounts): void {
  for (const [name, amount] of more) sums.set(name, (sums.get(name) ?? 0n) + amount);
}

/** The larger of both for every resource. */
export function raise(sums: Sums, other: Amounts): void {
  for (const [name, amount] of other) if (amount > (sums.get(name) ?? 0n)) sums.set(name, amount);
}

/** As a resource list, sorted by name, without zeros. */
export function printAmounts(sums: Amounts): Record<string, string> {
  const names = sorted(sums.keys(), compareStrings).filter((name) => sums.get(name) !== 0n);
  return Object.fromEntries(names.map((name) => [name, print(name, sums.get(name) ?? 0n)]));
}

function print(name: string, nano: bigint): string {
  if (nano % NANO !== 0n) return `${ceilDiv(nano, MILLI)}m`;
  const units = nano / NANO;
  return isBytes(name) ? inBinary(units) : String(units);
}

function isBytes(name: string): boolean {
  return name === 'memory' || name.endsWith('storage') || name.startsWith('hugepages-');
}

const SUFFIXES = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'] as const;

/** With the largest suffix that keeps it whole, as Kubernetes writes it. */
function inBinary(bytes: bigint): string {
  let value = bytes;
  let index = 0;
  while (value !== 0n && value % 1024n === 0n && index < SUFFIXES.length - 1) {
    value /= 1024n;
    index += 1;
  }
  return `${value}${SUFFIXES[index] ?? ''}`;
}

function ceilDiv(a: bigint, b: bigint): bigint {
  return (a + b - 1n) / b;
}
