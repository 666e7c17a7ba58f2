/** A request to a simulated API server, taken apart. */
export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Parsed body; `undefined` when there was none. */
  readonly body: unknown;
  readonly contentType: string;
}

/** Which resource a path names. */
export interface ResourcePath {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly subresource?: string;
}

/**
 * Take a resource path apart: `/api/v1/namespaces/shop/pods/web/status`, `/apis/apps/v1/deployments`.
 * `undefined` for paths that name no resource.
 */
export function parseResourcePath(path: string): ResourcePath | undefined {
  const parts = path
    .split('/')
    .filter((part) => part !== '')
    .map(safeDecode);
  const [root, ...rest] = parts;
  if (root !== 'api' && root !== 'apis') return undefined;
  const group = root === 'api' ? '' : rest.shift();
  const version = rest.shift();
  if (group === undefined || version === undefined || rest.length === 0) return undefined;
  const base = { group, version };
  const [first = '', second, third, ...more] = rest;
  if (
    first === 'namespaces' &&
    second !== undefined &&
    third !== undefined &&
    !isNamespaceSubresource(third, more)
  ) {
    return { ...base, resource: third, namespace: second, ...named(more) };
  }
  return { ...base, resource: first, ...named(rest.slice(1)) };
}

function isNamespaceSubresource(part: string, more: readonly string[]): boolean {
  return more.length === 0 && (part === 'status' || part === 'finalize');
}

function named(parts: readonly string[]): { name?: string; subresource?: string } {
  const [name, subresource] = parts;
  return { ...(name !== undefined && { name }), ...(subresource !== undefined && { subresource }) };
}

function safeDecode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // A malformed escape names nothing; the path will not be found.
    return part;
  }
}
