import type { ClusterClient } from '../../../lib/providers/cluster/index.js';
import {
  openHttpClient,
  type HttpClientOptions,
} from '../../../lib/providers/cluster/http-client.js';
import {
  aClock,
  startFakeApiServer,
  type Answer,
  type FakeApiServer,
  type Seen,
} from './fake-api-server.js';

export interface Rigged {
  readonly client: ClusterClient;
  readonly server: FakeApiServer;
  readonly pauses: readonly number[];
}

/** Runs `work` with a client of a fake server, and closes both. */
export async function withClient(
  answers: readonly Answer[] | ((seen: Seen) => Answer),
  work: (rigged: Rigged) => Promise<void>,
  options: Partial<HttpClientOptions> = {},
): Promise<void> {
  const server = await startFakeApiServer(answers);
  const clock = aClock();
  const client = openHttpClient({
    cluster: 'eu-1',
    server: server.url,
    credentials: { current: () => Promise.resolve({ headers: {}, tls: {} }), renew: () => false },
    clock,
    ...options,
  });
  try {
    await work({ client, server, pauses: clock.pauses });
  } finally {
    await client.close();
    await server.close();
  }
}

export const CONFIG_MAP = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  namespace: 'shop',
  name: 'settings',
} as const;

export const A_CONFIG_MAP = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace: 'shop', name: 'settings' },
  data: { key: 'value' },
} as const;
