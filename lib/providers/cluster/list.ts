import type { KubeObject } from '../../api/object.js';
import type { ListOptions, ServedKind } from './client.js';
import { toProviderError } from './errors.js';
import { listPath } from './paths.js';
import type { Transport } from './transport.js';

export interface Listed {
  readonly objects: readonly KubeObject[];
  /** Where a watch goes on from. */
  readonly resourceVersion: string;
}

const PAGE = 500;
const GONE = 410;

/**
 * Everything of a kind, in the server's order (namespace, name), page by page.
 *
 * When a page token expires on the way, the list starts again and comes in one piece, as client-go does.
 */
export async function listAll(
  cluster: string,
  transport: Transport,
  served: ServedKind,
  options: ListOptions,
  signal?: AbortSignal,
): Promise<Listed> {
  const objects: KubeObject[] = [];
  let token: string | undefined;
  let limit: number | undefined = PAGE;
  for (;;) {
    const path = listPath(served, options, { limit: limit?.toString(), continue: token });
    const response = await transport.request({
      method: 'GET',
      path,
      idempotent: true,
      ...(signal && { signal }),
    });
    if (response.status === GONE && token !== undefined) {
      objects.length = 0;
      token = limit = undefined;
      continue;
    }
    if (response.status !== 200)
      throw toProviderError({ cluster, verb: 'list', subject: served.resource }, response);
    const page = response.body as ListPage;
    for (const item of page.items ?? []) objects.push(withType(item, served));
    token = page.metadata?.continue;
    if (token === undefined || token === '')
      return { objects, resourceVersion: page.metadata?.resourceVersion ?? '' };
  }
}

interface ListPage {
  readonly metadata?: { readonly continue?: string; readonly resourceVersion?: string };
  readonly items?: readonly Omit<KubeObject, 'apiVersion' | 'kind'>[] | null;
}

/** Items of built-in lists do not say what they are. */
function withType(item: Omit<KubeObject, 'apiVersion' | 'kind'>, served: ServedKind): KubeObject {
  const { metadata, ...rest } = item;
  return {
    apiVersion: served.apiVersion,
    kind: served.kind,
    metadata: metadata as KubeObject['metadata'],
    ...rest,
  };
}
