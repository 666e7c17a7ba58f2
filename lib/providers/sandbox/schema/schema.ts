import { BUILTIN_KINDS, BUILTIN_TYPES } from './types/index.js';

/** How a list relates to its items when two managers write it. Keys that an item leaves out take `keyDefaults`. */
export type ListRelation =
  | { readonly kind: 'atomic' }
  | { readonly kind: 'set' }
  | {
      readonly kind: 'keyed';
      readonly keys: readonly string[];
      readonly keyDefaults: Readonly<Record<string, unknown>>;
    };

/**
 * The structure of a value as server-side apply sees it: which fields exist, and what is owned as a whole.
 * `any` is unknown structure: its maps are separable and its lists atomic, as Kubernetes deduces it.
 */
export type Schema =
  | { readonly kind: 'scalar'; readonly type: ScalarType }
  | { readonly kind: 'any' }
  | {
      readonly kind: 'struct';
      readonly fields: ReadonlyMap<string, Schema>;
      readonly atomic: boolean;
      readonly open: boolean;
      /** One of the server's own types, not one of a CRD. */
      readonly builtin: boolean;
    }
  | { readonly kind: 'map'; readonly element: Schema; readonly atomic: boolean }
  | { readonly kind: 'list'; readonly element: Schema; readonly relation: ListRelation };

export type ScalarType =
  'string' | 'integer' | 'number' | 'boolean' | 'bytes' | 'quantity' | 'intOrString' | 'time';

export const ANY: Schema = { kind: 'any' };

const SCALARS: Readonly<Record<string, ScalarType>> = {
  s: 'string',
  i: 'integer',
  n: 'number',
  b: 'boolean',
  B: 'bytes',
  q: 'quantity',
  x: 'intOrString',
  t: 'time',
};

/** Key fields of keyed lists that Kubernetes defaults before it compares. */
const KEY_DEFAULTS: Readonly<Record<string, unknown>> = { protocol: 'TCP' };

const lines = new Map(
  BUILTIN_TYPES.trim()
    .split(/\n+/)
    .map((line) => [/^[^ !]+/.exec(line)?.[0] ?? '', line] as const),
);
const kinds = new Map(
  BUILTIN_KINDS.trim()
    .split('\n')
    .map((line) => line.split('=') as [string, string]),
);
/** Parsed on first use: most runs touch a tenth of the types. */
const parsed = new Map<string, Schema>();

/** The schema of a built-in kind, or `undefined` if the sandbox has none. */
export function builtinSchema(apiVersion: string, kind: string): Schema | undefined {
  const name = kinds.get(`${apiVersion}/${kind}`);
  return name === undefined ? undefined : typeNamed(name);
}

/** A built-in type by its short name, such as `ObjectMeta`. */
export function typeNamed(name: string): Schema {
  const known = parsed.get(name);
  if (known !== undefined) return known;
  const line = lines.get(name);
  if (line === undefined) return ANY;
  const [head = '', ...rest] = line.split(' ');
  const fields = new Map<string, Schema>();
  const atomic = head.endsWith('!');
  const schema: Schema = { kind: 'struct', fields, atomic, open: false, builtin: true };
  // Before the fields: types such as JSONSchemaProps contain themselves.
  parsed.set(name, schema);
  for (const field of rest) {
    const colon = field.indexOf(':');
    if (colon > 0) fields.set(field.slice(0, colon), parseType(field.slice(colon + 1)));
  }
  return schema;
}

function parseType(text: string): Schema {
  const atomic = text.endsWith('!');
  const body = atomic ? text.slice(0, -1) : text;
  if (body.startsWith('#')) return asAtomic(typeNamed(body.slice(1)), atomic);
  if (body.startsWith('<')) return { kind: 'map', element: parseType(body.slice(1, -1)), atomic };
  if (body.startsWith('[')) return parseList(body.slice(1, -1));
  const type = SCALARS[body];
  return type === undefined ? ANY : { kind: 'scalar', type };
}

function parseList(body: string): Schema {
  const bar = body.lastIndexOf('|');
  if (bar < 0) return { kind: 'list', element: parseType(body), relation: { kind: 'atomic' } };
  const element = parseType(body.slice(0, bar));
  const keys = body
    .slice(bar + 1)
    .split(',')
    .filter((key) => key !== '');
  if (keys.length === 0) return { kind: 'list', element, relation: { kind: 'set' } };
  const keyDefaults = Object.fromEntries(
    keys.filter((key) => key in KEY_DEFAULTS).map((key) => [key, KEY_DEFAULTS[key]]),
  );
  return { kind: 'list', element, relation: { kind: 'keyed', keys, keyDefaults } };
}

function asAtomic(schema: Schema, atomic: boolean): Schema {
  return atomic && schema.kind === 'struct' ? { ...schema, atomic: true } : schema;
}
