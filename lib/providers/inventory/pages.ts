import { ProviderError, type ClusterClient } from '../cluster/index.js';

const PAGE = 500;
const GONE = 410;

interface Page<T> {
  readonly metadata?: { readonly continue?: string };
  readonly items?: readonly T[] | null;
}

/**
 * The items of a list, page by page: a cluster's 20,000 pods never stand in memory together.
 *
 * When the page token expires on the way, the list starts again; the reader is told by `restart`.
 */
export async function* pagesOf<T>(
  client: ClusterClient,
  path: string,
): AsyncGenerator<{ readonly items: readonly T[]; readonly restart: boolean }> {
  let token = '';
  let restart = false;
  do {
    const query = `limit=${PAGE}${token === '' ? '' : `&continue=${encodeURIComponent(token)}`}`;
    try {
      const page = (await client.raw(`${path}?${query}`)) as Page<T>;
      yield { items: page.items ?? [], restart };
      token = page.metadata?.continue ?? '';
      restart = false;
    } catch (error) {
      if (!ProviderError.is(error) || error.facts.status !== GONE || token === '') throw error;
      token = '';
      restart = true;
      continue;
    }
  } while (token !== '' || restart);
}
