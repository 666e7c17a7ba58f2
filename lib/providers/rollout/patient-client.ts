import { ProviderError, type ClusterClient, type ProviderFailure } from '../cluster/client.js';
import type { Clock } from './clock.js';

/** What may pass by itself: a server that restarts, a webhook that is not up yet. */
const PASSING: ReadonlySet<ProviderFailure> = new Set([
  'unreachable',
  'timeout',
  'server',
  'throttled',
]);

export interface Patience {
  readonly clock: Clock;
  /** How long a cluster may give no usable answer before it counts as unreachable. Milliseconds. */
  readonly silenceMs: number;
  readonly signal: AbortSignal;
}

/**
 * A client that tries again while the cluster is away for a short time. Every verb is safe to repeat: applying is
 * idempotent, deleting names a UID or means the same thing the second time.
 *
 * Watches are left as they are: they have their own patience. A verb that is told to stop fails as `aborted`.
 */
export function patientClient(client: ClusterClient, patience: Patience): ClusterClient {
  let answeredAt = patience.clock.now();
  const patiently = async <T>(work: () => Promise<T>): Promise<T> => {
    for (let attempt = 0; ; attempt++) {
      if (patience.signal.aborted) throw stopped(client.cluster);
      try {
        const value = await work();
        answeredAt = patience.clock.now();
        return value;
      } catch (error) {
        if (!ProviderError.is(error)) throw error;
        if (!PASSING.has(error.failure)) answeredAt = patience.clock.now();
        const silent = patience.clock.now() - answeredAt;
        if (!PASSING.has(error.failure) || silent >= patience.silenceMs) throw error;
        const pause = Math.min(5_000, 250 * 2 ** attempt);
        await patience.clock.sleep(pause * (0.5 + patience.clock.random() / 2), patience.signal);
      }
    }
  };
  return {
    cluster: client.cluster,
    discover: (options) => patiently(() => client.discover(options)),
    get: (ref) => patiently(() => client.get(ref)),
    list: (kind, options) => patiently(() => client.list(kind, options)),
    watch: (kind, options, signal) => client.watch(kind, options, signal),
    apply: (object, options) => patiently(() => client.apply(object, options)),
    delete: (ref, options) => patiently(() => client.delete(ref, options)),
    raw: (path) => patiently(() => client.raw(path)),
    close: () => client.close(),
  };
}

function stopped(cluster: string): ProviderError {
  return new ProviderError('aborted', `${cluster}: stopped`, { cluster });
}
