import type { OpenApi } from './definition.js';

/** A value that the schema takes, with every field there is and one item in every list and map. */
export function richValue(schema: OpenApi): unknown {
  if (schema['x-kubernetes-int-or-string'] === true) return '500m';
  if (schema.enum !== undefined) return schema.enum[0];
  switch (schema.type) {
    case 'array':
      return [richValue(schema.items ?? {})];
    case 'boolean':
      return true;
    case 'integer':
      return schema.maximum ?? schema.minimum ?? 7;
    case 'object':
      return richObject(schema);
    case 'string':
      return richText(schema);
    default:
      return { any: ['value', 1, null] };
  }
}

function richObject(schema: OpenApi): Readonly<Record<string, unknown>> {
  if (schema.additionalProperties !== undefined) {
    return { cpu: richValue(schema.additionalProperties) };
  }
  if (schema['x-kubernetes-preserve-unknown-fields'] === true)
    return { apiVersion: 'v1', free: [1] };
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, field]) => [name, richValue(field)]),
  );
}

function richText(schema: OpenApi): string {
  if (schema.format === 'date-time') return '2026-01-31T10:00:00Z';
  if (schema.format === 'byte') return 'Y2E=';
  return 'Ready';
}

/** A rich object of one version of a definition. */
export function richObjectOf(
  schema: OpenApi,
  identity: { readonly apiVersion: string; readonly kind: string; readonly metadata: object },
): Readonly<Record<string, unknown>> {
  return { ...richObject(schema), ...identity };
}
