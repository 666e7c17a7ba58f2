import { isObject } from '../merge/json.js';
import { childOf } from '../merge/typed.js';
import { canonicalQuantity } from './quantity.js';
import type { Schema } from './schema.js';

/**
 * What a built-in object looks like after it went through the server's own types: nulls and empty maps and lists are
 * absent, quantities are canonical. Values of unknown structure are kept.
 */
export function normalized(value: unknown, schema: Schema): unknown {
  if (schema.kind === 'scalar' && schema.type === 'quantity') {
    return typeof value === 'string' || typeof value === 'number'
      ? canonicalQuantity(value)
      : value;
  }
  if (Array.isArray(value)) {
    return schema.kind === 'list' ? value.map((item) => normalized(item, schema.element)) : value;
  }
  if (!isObject(value) || schema.kind === 'any') return value;
  const entries = Object.entries(value)
    .map(
      ([key, child]) =>
        [key, normalized(child, childOf(schema, key)[0]), childOf(schema, key)[0]] as const,
    )
    .filter(([key, child, type]) => !isAbsent(key, child, type, schema));
  return Object.fromEntries(entries.map(([key, child]) => [key, child]));
}

/** Fields whose zero the server does not tell from absence. OpenAPI does not say which; these are the common ones. */
const ZERO_IS_ABSENT = new Set(
  (
    'minReadySeconds paused hostNetwork hostPID hostIPC stdin stdinOnce tty readOnly publishNotReadyAddresses ' +
    'initialDelaySeconds hostPort nodePort value subPath workingDir nodeName unschedulable'
  ).split(' '),
);

function isAbsent(key: string, value: unknown, type: Schema, parent: Schema): boolean {
  if (value === null || value === undefined) return true;
  if (parent.kind !== 'struct') return false;
  if (ZERO_IS_ABSENT.has(key) && (value === 0 || value === false || value === '')) return true;
  if (type.kind === 'list') return Array.isArray(value) && value.length === 0;
  return type.kind === 'map' && isObject(value) && Object.keys(value).length === 0;
}
