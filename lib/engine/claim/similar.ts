/** Whether one text could be the other mistyped: case, plural, or a few letters for its length. */
export function isSimilar(a: string, b: string): boolean {
  const [x, y] = [a.toLowerCase(), b.toLowerCase()];
  if (x === y || `${x}s` === y || x === `${y}s`) return true;
  const allowed = Math.min(2, Math.floor(Math.max(x.length, y.length) / 3));
  return Math.abs(x.length - y.length) <= allowed && editDistance(x, y) <= allowed;
}

/** Levenshtein's: insertions, deletions and substitutions that turn one text into the other. */
export function editDistance(a: string, b: string): number {
  let before = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 0; i < a.length; i += 1) {
    const row = [i + 1];
    for (let j = 0; j < b.length; j += 1) {
      const substituted = (before[j] ?? 0) + (a[i] === b[j] ? 0 : 1);
      row.push(Math.min(substituted, (before[j + 1] ?? 0) + 1, (row[j] ?? 0) + 1));
    }
    before = row;
  }
  return before.at(-1) ?? 0;
}
