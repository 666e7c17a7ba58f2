import type { ListOptions, ServedKind } from './client.js';

/** Where a namespaced object without a namespace lives, as for kubectl without a context's own. */
const DEFAULT_NAMESPACE = 'default';

type Query = Readonly<Record<string, string | undefined>>;

/** Path of one object. */
export function objectPath(
  served: ServedKind,
  namespace: string | undefined,
  name: string,
  query: Query = {},
): string {
  const scope = served.namespaced ? (namespace ?? DEFAULT_NAMESPACE) : undefined;
  return `${collectionPath(served, scope)}/${encodeURIComponent(name)}${queryOf(query)}`;
}

/** Path of the list of a kind; all namespaces when none is given. */
export function listPath(served: ServedKind, options: ListOptions, query: Query = {}): string {
  const scope = served.namespaced ? options.namespace : undefined;
  return `${collectionPath(served, scope)}${queryOf({ labelSelector: options.labelSelector, ...query })}`;
}

function collectionPath(
  { apiVersion, resource }: ServedKind,
  namespace: string | undefined,
): string {
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const scope = namespace === undefined ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
  return `${root}${scope}/${resource}`;
}

function queryOf(query: Query): string {
  const pairs = Object.entries(query).flatMap(([key, value]) =>
    value === undefined || value === '' ? [] : [[key, value] as [string, string]],
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
}
