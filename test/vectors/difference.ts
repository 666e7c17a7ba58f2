/**
 * Where two recorded answers differ, in one line, or `undefined` if they do not.
 *
 * By the vectors' conventions absent, null, empty list and empty object are equal; lists are ordered; key order does not count.
 * `equal` may call two leaves equal that are written differently, such as quantities.
 */
export function difference(
  got: unknown,
  want: unknown,
  equal: (got: unknown, want: unknown, path: string) => boolean = Object.is,
  path = '',
): string | undefined {
  if (isEmpty(got) && isEmpty(want)) return undefined;
  if (isBranch(got) && isBranch(want) && Array.isArray(got) === Array.isArray(want)) {
    for (const key of sortedKeys(got, want)) {
      const found = difference(got[key], want[key], equal, `${path}/${key}`);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (equal(got, want, path)) return undefined;
  return `${path === '' ? 'answer' : path}: got ${show(got)}, want ${show(want)}`;
}

function isBranch(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return isBranch(value) && Object.values(value).every((member) => member === undefined);
}

function sortedKeys(a: object, b: object): string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].sort((x, y) =>
    x < y ? -1 : x > y ? 1 : 0,
  );
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}
