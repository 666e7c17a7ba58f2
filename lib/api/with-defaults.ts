import type { DefaultOptions } from './defaults/cluster.js';
import { withTable } from './defaults/table.js';
import { KINDS } from './kinds.js';
import type { KubeObject } from './object.js';
import { withoutNulls } from './shape.js';

/**
 * The document as Karmada's API server would store it: fields without value dropped, defaults of the schema and of
 * the mutating webhook set. Pure; the input is not changed, and unchanged parts are shared with it.
 *
 * Left out is what depends on chance or is bookkeeping of Karmada: permanent-id labels and finalizers. A document of
 * an unknown kind, or one that does not fit its schema, gets no defaults from webhooks.
 * Source: scheduling reference §1.1, §1.3; api reference.
 */
export function withDefaults<T extends KubeObject>(object: T, options: DefaultOptions = {}): T {
  const entry = KINDS[`${object.apiVersion}/${object.kind}`];
  if (entry === undefined) return object;
  const stored = withTable(withoutNulls(entry.schema, object), entry.defaults);
  if (entry.mutation === undefined || !entry.schema.safeParse(stored).success) return stored;
  // The rules of a kind keep the kind.
  return entry.mutation(stored, options) as T;
}
