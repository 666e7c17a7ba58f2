import { ProviderError, type ClusterClient } from '../cluster/client.js';

/**
 * A client for a look that nobody wants to wait for: each verb fails as `timeout` when there is no answer within some
 * seconds, retries included. What is abandoned ends with its own deadline, or when the client is closed.
 */
export function impatientClient(client: ClusterClient, seconds: number): ClusterClient {
  const { cluster } = client;
  const impatiently = <T>(work: () => Promise<T>): Promise<T> => orTimeout(work, cluster, seconds);
  return {
    cluster,
    discover: (options) => impatiently(() => client.discover(options)),
    get: (ref) => impatiently(() => client.get(ref)),
    list: (kind, options) => impatiently(() => client.list(kind, options)),
    watch: (kind, options, signal) => client.watch(kind, options, signal),
    apply: (object, options) => impatiently(() => client.apply(object, options)),
    delete: (ref, options) => impatiently(() => client.delete(ref, options)),
    raw: (path) => impatiently(() => client.raw(path)),
    close: () => client.close(),
  };
}

/** @throws {@link ProviderError} `timeout` */
export async function orTimeout<T>(
  work: () => Promise<T>,
  cluster: string,
  seconds: number,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const message = `${cluster}: no answer within ${seconds} s`;
      reject(new ProviderError('timeout', message, { cluster }));
    }, seconds * 1000);
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}
