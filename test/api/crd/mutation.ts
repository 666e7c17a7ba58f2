import type { OpenApi } from './definition.js';

type Path = readonly (string | number)[];

/** One change to a valid document. */
export interface Mutation {
  /** `spec.rules[0].name: dropped`. */
  readonly name: string;
  readonly path: Path;
  readonly document: Readonly<Record<string, unknown>>;
}

export interface MutationOptions {
  /** Only leave fields out: for a kind whose spec another kind has been tried with. */
  readonly dropsOnly?: boolean;
}

const DROP = Symbol('drop');
const DROPS: readonly Tried[] = [['dropped', DROP]];

/**
 * Every change to a rich document that tells two schemas apart. At each position: dropped, of another type, and for
 * objects with an unknown field; once per distinct schema also without value, empty, and beyond each of its limits.
 */
export function mutations(
  schema: OpenApi,
  document: Readonly<Record<string, unknown>>,
  options: MutationOptions = {},
): readonly Mutation[] {
  const seen = new Set<string>();
  const found: Mutation[] = [];
  for (const { path, schema: at } of positions(schema, [])) {
    if (path.length === 0 || ['apiVersion', 'kind', 'metadata'].includes(String(path[0]))) continue;
    const key = JSON.stringify(at);
    const values =
      options.dropsOnly === true
        ? DROPS
        : [...alwaysTried(at), ...(seen.has(key) ? [] : triedOnce(at))];
    seen.add(key);
    for (const [what, value] of values) {
      const changed = withValue(document, path, value) as typeof document;
      found.push({ name: `${textOf(path)}: ${what}`, path, document: changed });
    }
  }
  return found;
}

function* positions(schema: OpenApi, path: Path): Generator<{ path: Path; schema: OpenApi }> {
  yield { path, schema };
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    yield* positions(field, [...path, name]);
  }
  if (schema.items !== undefined) yield* positions(schema.items, [...path, 0]);
  if (schema.additionalProperties !== undefined) {
    yield* positions(schema.additionalProperties, [...path, 'cpu']);
  }
}

type Tried = readonly [what: string, value: unknown];

function alwaysTried(schema: OpenApi): readonly Tried[] {
  return [['dropped', DROP], wrongType(schema), ...unknownField(schema)];
}

function wrongType(schema: OpenApi): Tried {
  if (schema['x-kubernetes-int-or-string'] === true) return ['a list', []];
  return schema.type === 'string' ? ['a number', 1] : ['a text', 'text'];
}

/** Only where unknown fields can be told from known ones. */
function unknownField(schema: OpenApi): readonly Tried[] {
  if (schema.properties === undefined) return [];
  return [['an unknown field', (value: object) => ({ ...value, unknownField: 1 })]];
}

function triedOnce(schema: OpenApi): readonly Tried[] {
  const { enum: values, format, maximum, maxItems, maxLength, minimum, minItems, pattern } = schema;
  if (schema['x-kubernetes-int-or-string'] === true) return QUANTITIES.map((q) => [`${q}`, q]);
  const tried: Tried[] = [['null', null]];
  if (schema.type === 'string') tried.push(['empty', ''], ['true', true], ['an object', {}]);
  if (schema.type === 'boolean') tried.push(['"true"', 'true'], ['0', 0]);
  if (schema.type === 'object') tried.push(['empty', {}], ['a list', []]);
  if (schema.type === 'array') tried.push(['empty', []], ['an object', {}], ['null item', [null]]);
  if (schema.type === 'integer') tried.push(['1.5', 1.5], ['-1', -1], ['0', 0], ['3.0', 3.0]);
  if (format === 'int32')
    tried.push(['2^31 - 1', 2 ** 31 - 1], ['2^31', 2 ** 31], ['-2^31 - 1', -(2 ** 31) - 1]);
  if (format === 'int64') tried.push(['2^40', 2 ** 40]);
  if (format === 'date-time') tried.push(...TIMES.map((time): Tried => [time, time]));
  if (format === 'byte') tried.push(['!!!', '!!!'], ['Y2', 'Y2']);
  if (values !== undefined)
    tried.push(['another value', 'Other'], ['other case', values[0]?.toLowerCase()]);
  if (minimum !== undefined) tried.push(['below', minimum - 1]);
  if (maximum !== undefined) tried.push(['above', maximum + 1]);
  if (maxLength !== undefined)
    tried.push(['at most', 'a'.repeat(maxLength)], ['too long', 'a'.repeat(maxLength + 1)]);
  if (pattern !== undefined) tried.push(['no match', '-!-'], ['newline', 'Ready\n']);
  if (minItems !== undefined) tried.push(['too few', []]);
  if (maxItems !== undefined) tried.push(['too many', (items: unknown[]) => [...items, ...items]]);
  if (schema['x-kubernetes-list-map-keys'] !== undefined) {
    tried.push(['a twin', (items: unknown[]) => [...items, ...items]]);
  }
  return tried;
}

const QUANTITIES = [
  0,
  -3,
  7,
  1.5,
  true,
  '',
  '1',
  '1.5',
  '.5',
  '5.',
  '1Gi',
  '1 Gi',
  '1e3',
  '1E',
  '1gi',
  '+2k',
  '0x1',
];
const TIMES = [
  'now',
  '2026-01-31',
  '2026-01-31T10:00:00',
  '2026-01-31T10:00:00+02:00',
  '2026-01-31T10:00:00.123456Z',
  '2026-02-31T10:00:00Z',
  '2026-01-31 10:00:00Z',
];

/** A copy with the value at the path set, computed from the one there, or dropped. */
function withValue(target: unknown, path: Path, value: unknown): unknown {
  const [head, ...rest] = path;
  if (head === undefined) {
    return typeof value === 'function' ? (value as (old: unknown) => unknown)(target) : value;
  }
  if (Array.isArray(target)) {
    const items = target.map((item: unknown, i) =>
      i === head ? withValue(item, rest, value) : item,
    );
    return items.filter((item) => item !== DROP);
  }
  const object = { ...(target as Record<string, unknown>) };
  const next = withValue(object[head], rest, value);
  if (next === DROP) delete object[head];
  else object[head] = next;
  return object;
}

function textOf(path: Path): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`))
    .join('')
    .slice(1);
}
