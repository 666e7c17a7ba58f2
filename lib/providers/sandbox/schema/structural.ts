import {
  cloneJson,
  equalJson,
  isObject,
  listAt,
  objectAt,
  type JsonObject,
} from '../merge/json.js';
import { ANY, typeNamed, type ListRelation, type Schema } from './schema.js';
import { pruned } from './validate-types.js';

export interface SchemaFault {
  /** `spec.size`, without a leading dot. */
  readonly field: string;
  readonly reason: string;
  readonly message: string;
}

/** The schema of a CRD version's `openAPIV3Schema`; the root gets `apiVersion`, `kind` and `metadata`. */
export function rootSchema(openApi: JsonObject): Schema {
  const schema = structuralSchema(openApi);
  const fields = new Map(schema.kind === 'struct' ? schema.fields : []);
  fields.set('apiVersion', { kind: 'scalar', type: 'string' });
  fields.set('kind', { kind: 'scalar', type: 'string' });
  fields.set('metadata', typeNamed('ObjectMeta'));
  const open = schema.kind === 'any' || (schema.kind === 'struct' && schema.open);
  return { kind: 'struct', fields, atomic: false, open, builtin: false };
}

/** Fill in the defaults the schema names, and drop fields it does not know. Returns a new value. */
export function completed(object: unknown, openApi: JsonObject, schema: Schema): unknown {
  const kept = cloneJson(pruned(object, schema));
  fillDefaults(kept, openApi);
  return kept;
}

/**
 * Where an object breaks its CRD's schema. Covers type, required, enum, bounds, lengths, pattern and item counts;
 * not CEL rules (`x-kubernetes-validations`) and not `oneOf`, `anyOf`, `allOf`, `not`.
 */
export function schemaFaults(object: unknown, openApi: JsonObject): SchemaFault[] {
  const faults: SchemaFault[] = [];
  check(object, openApi, '', faults);
  return faults;
}

function structuralSchema(openApi: JsonObject): Schema {
  if (openApi['x-kubernetes-int-or-string'] === true)
    return { kind: 'scalar', type: 'intOrString' };
  switch (openApi['type']) {
    case 'object':
      return objectSchema(openApi);
    case 'array':
      return {
        kind: 'list',
        element: structuralSchema(objectAt(openApi, 'items')),
        relation: relationOf(openApi),
      };
    case 'string':
    case 'integer':
    case 'number':
    case 'boolean':
      return { kind: 'scalar', type: openApi['type'] };
    default:
      return ANY;
  }
}

function objectSchema(openApi: JsonObject): Schema {
  const open = openApi['x-kubernetes-preserve-unknown-fields'] === true;
  const atomic = openApi['x-kubernetes-map-type'] === 'atomic';
  const properties = Object.entries(objectAt(openApi, 'properties'));
  if (isObject(openApi['additionalProperties'])) {
    return { kind: 'map', element: structuralSchema(openApi['additionalProperties']), atomic };
  }
  if (open && properties.length === 0) return ANY;
  const fields = new Map(
    properties.map(([key, value]) => [key, structuralSchema(isObject(value) ? value : {})]),
  );
  if (openApi['x-kubernetes-embedded-resource'] === true)
    fields.set('metadata', typeNamed('ObjectMeta'));
  return { kind: 'struct', fields, atomic, open, builtin: false };
}

function relationOf(openApi: JsonObject): ListRelation {
  if (openApi['x-kubernetes-list-type'] === 'set') return { kind: 'set' };
  if (openApi['x-kubernetes-list-type'] !== 'map') return { kind: 'atomic' };
  const keys = listAt(openApi, 'x-kubernetes-list-map-keys').map(String);
  const properties = objectAt(openApi, 'items', 'properties');
  const keyDefaults = Object.fromEntries(
    keys.flatMap((key) => {
      const value = objectAt(properties, key)['default'];
      return value === undefined ? [] : [[key, value] as const];
    }),
  );
  return { kind: 'keyed', keys, keyDefaults };
}

function fillDefaults(value: unknown, openApi: JsonObject): void {
  if (Array.isArray(value)) {
    for (const item of value) fillDefaults(item, objectAt(openApi, 'items'));
    return;
  }
  if (!isObject(value)) return;
  const properties = objectAt(openApi, 'properties');
  for (const [key, schema] of Object.entries(properties)) {
    if (!isObject(schema)) continue;
    const isAbsent =
      value[key] === undefined || (value[key] === null && schema['nullable'] !== true);
    if (isAbsent && schema['default'] !== undefined) value[key] = cloneJson(schema['default']);
    fillDefaults(value[key], schema);
  }
  const rest = openApi['additionalProperties'];
  if (!isObject(rest)) return;
  for (const [key, child] of Object.entries(value))
    if (!(key in properties)) fillDefaults(child, rest);
}

function check(value: unknown, openApi: JsonObject, field: string, faults: SchemaFault[]): void {
  const wrong = (reason: string, message: string, at = field): number =>
    faults.push({ field: at, reason, message });
  if (value === null && openApi['nullable'] === true) return;
  const type = openApi['type'];
  if (
    typeof type === 'string' &&
    openApi['x-kubernetes-int-or-string'] !== true &&
    !hasType(value, type)
  ) {
    const seen = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
    wrong(
      'FieldValueTypeInvalid',
      `Invalid value: "${seen}": ${field} in body must be of type ${type}: "${seen}"`,
    );
    return;
  }
  const allowed = listAt(openApi, 'enum');
  if (allowed.length > 0 && !allowed.some((each) => equalJson(each, value))) {
    const list = allowed.map((each) => JSON.stringify(each)).join(', ');
    wrong(
      'FieldValueNotSupported',
      `Unsupported value: ${JSON.stringify(value)}: supported values: ${list}`,
    );
  }
  if (typeof value === 'number') checkNumber(value, openApi, field, wrong);
  if (typeof value === 'string') checkText(value, openApi, field, wrong);
  if (Array.isArray(value)) {
    checkCount(value.length, openApi, 'Items', field, 'items', wrong);
    value.forEach((item, index) =>
      check(item, objectAt(openApi, 'items'), `${field}[${index}]`, faults),
    );
  }
  if (!isObject(value)) return;
  for (const key of listAt(openApi, 'required').map(String)) {
    if (value[key] === undefined) wrong('FieldValueRequired', 'Required value', join(field, key));
  }
  const properties = objectAt(openApi, 'properties');
  for (const [key, child] of Object.entries(value)) {
    const schema = properties[key] ?? openApi['additionalProperties'];
    if (isObject(schema)) check(child, schema, join(field, key), faults);
  }
}

type Report = (reason: string, message: string) => void;

function checkNumber(value: number, openApi: JsonObject, field: string, wrong: Report): void {
  const { minimum, maximum } = openApi;
  const bound = (word: string, limit: number): void =>
    wrong(
      'FieldValueInvalid',
      `Invalid value: ${value}: ${field} in body should be ${word} than or equal to ${limit}`,
    );
  if (typeof minimum === 'number' && value < minimum) bound('greater', minimum);
  if (typeof maximum === 'number' && value > maximum) bound('less', maximum);
}

function checkText(value: string, openApi: JsonObject, field: string, wrong: Report): void {
  checkCount(value.length, openApi, 'Length', field, 'chars long', wrong);
  const { pattern } = openApi;
  if (typeof pattern === 'string' && !new RegExp(pattern, 'u').test(value)) {
    wrong(
      'FieldValueInvalid',
      `Invalid value: "${value}": ${field} in body should match '${pattern}'`,
    );
  }
}

function checkCount(
  count: number,
  openApi: JsonObject,
  suffix: string,
  field: string,
  unit: string,
  wrong: Report,
): void {
  const least = openApi[`min${suffix}`];
  const most = openApi[`max${suffix}`];
  if (typeof least === 'number' && count < least)
    wrong(
      'FieldValueInvalid',
      `Invalid value: ${count}: ${field} in body should be at least ${least} ${unit}`,
    );
  if (typeof most === 'number' && count > most)
    wrong('FieldValueTooMany', `Too many: ${count}: must have at most ${most} ${unit}`);
}

function hasType(value: unknown, type: string): boolean {
  switch (type) {
    case 'object':
      return isObject(value);
    case 'array':
      return Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

function join(field: string, key: string): string {
  return field === '' ? key : `${field}.${key}`;
}
