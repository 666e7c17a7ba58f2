/**
 * The unstable sort of Go's `sort.Sort` since Go 1.24, element by element the same: a pattern-defeating quicksort.
 *
 * Needed where Karmada compares replicas only: among equal clusters the algorithm itself decides the order. The shift
 * amounts in `scatter` differ in older releases. Source: scheduling reference §13; pdqsort by O. Peters.
 */

/** Sort `items` in place; `precedes(x, y)` says that x must come before y. */
export function goSort<T>(items: T[], precedes: (x: T, y: T) => boolean): void {
  const data: Data = {
    less: (i, j) => precedes(items[i] as T, items[j] as T),
    swap: (i, j) => {
      const item = items[i] as T;
      items[i] = items[j] as T;
      items[j] = item;
    },
  };
  quicksort(data, 0, items.length, bitLength(items.length));
}

interface Data {
  readonly less: (i: number, j: number) => boolean;
  readonly swap: (i: number, j: number) => void;
}

type Hint = 'increasing' | 'decreasing' | 'unknown';

const SMALL = 12;
const SHORT = 50;

function quicksort(data: Data, from: number, to: number, depth: number): void {
  let [a, b, limit] = [from, to, depth];
  let wasBalanced = true;
  let wasPartitioned = true;
  for (;;) {
    const length = b - a;
    if (length <= SMALL) return insertionSort(data, a, b);
    if (limit === 0) return heapSort(data, a, b);
    if (!wasBalanced) {
      scatter(data, a, b);
      limit -= 1;
    }
    let { pivot, hint } = choosePivot(data, a, b);
    if (hint === 'decreasing') {
      reverse(data, a, b);
      pivot = b - 1 - (pivot - a);
      hint = 'increasing';
    }
    if (wasBalanced && wasPartitioned && hint === 'increasing' && partialInsertionSort(data, a, b))
      return;
    if (a > 0 && !data.less(a - 1, pivot)) {
      a = partitionEqual(data, a, b, pivot);
      continue;
    }
    const { middle, already } = partition(data, a, b, pivot);
    wasPartitioned = already;
    const [left, right] = [middle - a, b - middle];
    const threshold = Math.floor(length / 8);
    if (left < right) {
      wasBalanced = left >= threshold;
      quicksort(data, a, middle, limit);
      a = middle + 1;
    } else {
      wasBalanced = right >= threshold;
      quicksort(data, middle + 1, b, limit);
      b = middle;
    }
  }
}

function insertionSort({ less, swap }: Data, a: number, b: number): void {
  for (let i = a + 1; i < b; i += 1) {
    for (let j = i; j > a && less(j, j - 1); j -= 1) swap(j, j - 1);
  }
}

function heapSort(data: Data, a: number, b: number): void {
  const length = b - a;
  for (let root = Math.floor((length - 1) / 2); root >= 0; root -= 1)
    siftDown(data, root, length, a);
  for (let last = length - 1; last >= 0; last -= 1) {
    data.swap(a, a + last);
    siftDown(data, 0, last, a);
  }
}

function siftDown({ less, swap }: Data, start: number, end: number, first: number): void {
  let root = start;
  for (;;) {
    let child = 2 * root + 1;
    if (child >= end) return;
    if (child + 1 < end && less(first + child, first + child + 1)) child += 1;
    if (!less(first + root, first + child)) return;
    swap(first + root, first + child);
    root = child;
  }
}

/** Breaks patterns that led to bad pivots, with Go's xorshift generator seeded by the length. */
function scatter({ swap }: Data, a: number, b: number): void {
  const length = b - a;
  if (length < 8) return;
  let random = BigInt(length);
  const mask = 2 ** bitLength(length) - 1;
  const center = a + 2 * Math.floor(length / 4);
  for (let index = center - 1; index <= center + 1; index += 1) {
    random ^= BigInt.asUintN(64, random << 13n);
    random ^= random >> 7n;
    random ^= BigInt.asUintN(64, random << 17n);
    let other = Number(random & BigInt(mask));
    if (other >= length) other -= length;
    swap(index, a + other);
  }
}

function choosePivot(data: Data, a: number, b: number): { pivot: number; hint: Hint } {
  const length = b - a;
  const quarter = Math.floor(length / 4);
  let exchanges = 0;
  const median = (first: number, second: number, third: number): number => {
    let [x, y, z] = [first, second, third];
    const inOrder = (p: number, q: number): [number, number] => {
      if (!data.less(q, p)) return [p, q];
      exchanges += 1;
      return [q, p];
    };
    [x, y] = inOrder(x, y);
    [y, z] = inOrder(y, z);
    [x, y] = inOrder(x, y);
    return y;
  };
  let [i, j, k] = [a + quarter, a + 2 * quarter, a + 3 * quarter];
  if (length >= 8) {
    if (length >= SHORT) {
      i = median(i - 1, i, i + 1);
      j = median(j - 1, j, j + 1);
      k = median(k - 1, k, k + 1);
    }
    j = median(i, j, k);
  }
  const hint = exchanges === 0 ? 'increasing' : exchanges === 12 ? 'decreasing' : 'unknown';
  return { pivot: j, hint };
}

function reverse({ swap }: Data, a: number, b: number): void {
  for (let i = a, j = b - 1; i < j; i += 1, j -= 1) swap(i, j);
}

function partition(
  { less, swap }: Data,
  a: number,
  b: number,
  pivot: number,
): { middle: number; already: boolean } {
  swap(a, pivot);
  let [i, j] = [a + 1, b - 1];
  const advance = (): void => {
    while (i <= j && less(i, a)) i += 1;
    while (i <= j && !less(j, a)) j -= 1;
  };
  advance();
  if (i > j) {
    swap(j, a);
    return { middle: j, already: true };
  }
  swap(i, j);
  i += 1;
  j -= 1;
  for (;;) {
    advance();
    if (i > j) break;
    swap(i, j);
    i += 1;
    j -= 1;
  }
  swap(j, a);
  return { middle: j, already: false };
}

/** Splits a range whose elements are none before the pivot into those equal to it and those after it. */
function partitionEqual({ less, swap }: Data, a: number, b: number, pivot: number): number {
  swap(a, pivot);
  let [i, j] = [a + 1, b - 1];
  for (;;) {
    while (i <= j && !less(a, i)) i += 1;
    while (i <= j && less(a, j)) j -= 1;
    if (i > j) return i;
    swap(i, j);
    i += 1;
    j -= 1;
  }
}

/** Repairs a range that is nearly sorted; false when it gave up. */
function partialInsertionSort({ less, swap }: Data, a: number, b: number): boolean {
  let i = a + 1;
  for (let step = 0; step < 5; step += 1) {
    while (i < b && !less(i, i - 1)) i += 1;
    if (i === b) return true;
    if (b - a < SHORT) return false;
    swap(i, i - 1);
    if (i - a >= 2) {
      for (let j = i - 1; j >= 1 && less(j, j - 1); j -= 1) swap(j, j - 1);
    }
    if (b - i >= 2) {
      for (let j = i + 1; j < b && less(j, j - 1); j += 1) swap(j, j - 1);
    }
  }
  return false;
}

function bitLength(n: number): number {
  return n === 0 ? 0 : 32 - Math.clz32(n);
}
