/** A placement as plain data, for comparison by the rules of the program that wrote it. */
export type PlacementData = Readonly<Record<string, unknown>>;

/** The placement in annotation `policy.karmada.io/applied-placement`; `undefined` when it cannot be read. */
export function parsePlacement(text: string): PlacementData | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (value === null) return {};
    return typeof value === 'object' && !Array.isArray(value)
      ? (value as PlacementData)
      : undefined;
  } catch {
    // Karmada treats an unreadable annotation as "not changed"; the caller says so.
    return undefined;
  }
}

/** Fields that are pointers to a number in Karmada's types: 0 is a value there. */
const NUMBER_POINTERS: ReadonlySet<string> = new Set(['tolerationSeconds']);
/** Fields that are plain structures: empty is the same as absent. */
const STRUCTURES: ReadonlySet<string> = new Set(['targetCluster']);

/**
 * The placement as Go compares it: absent strings and numbers equal their zero value, while an explicitly empty list or map
 * is not the same as an absent one. Source: scheduling reference §5.4.
 */
export function withoutZeroValues(placement: object): PlacementData {
  return clean(placement) as PlacementData;
}

function clean(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(clean);
  if (typeof value !== 'object' || value === null) return value;
  const kept: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    const cleaned = clean(member);
    if (!isZero(key, cleaned)) kept[key] = cleaned;
  }
  return kept;
}

function isZero(key: string, value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === false) return true;
  if (value === 0) return !NUMBER_POINTERS.has(key);
  return STRUCTURES.has(key) && typeof value === 'object' && Object.keys(value).length === 0;
}
