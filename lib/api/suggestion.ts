/**
 * Levenshtein distance: how many insertions, deletions and replacements of one character turn `a` into `b`.
 * Quadratic; for field names.
 */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

export interface Suggestion {
  readonly name: string;
  readonly distance: number;
}

/**
 * The known name that was probably meant, if any is near enough: at most a third of the letters differ, or it is the
 * only one that ends or begins with the name (`tolerations` for `clusterTolerations`).
 * Letter case does not count. Ties go to the name that sorts first.
 */
export function suggest(name: string, known: readonly string[]): Suggestion | undefined {
  const limit = Math.max(1, Math.floor(name.length / 3));
  const lower = name.toLowerCase();
  let best: Suggestion | undefined;
  for (const candidate of [...known].sort()) {
    const distance = editDistance(lower, candidate.toLowerCase());
    if (distance <= limit && (best === undefined || distance < best.distance)) {
      best = { name: candidate, distance };
    }
  }
  return best ?? partOf(lower, known);
}

function partOf(lower: string, known: readonly string[]): Suggestion | undefined {
  if (lower.length < 4) return undefined;
  const [only, ...others] = known.filter((candidate) => {
    const text = candidate.toLowerCase();
    return text.endsWith(lower) || text.startsWith(lower);
  });
  if (only === undefined || others.length > 0) return undefined;
  return { name: only, distance: only.length - lower.length };
}
