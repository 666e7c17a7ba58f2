import { Agent, ProxyAgent, type Dispatcher } from 'undici';

import type { Credential } from './credentials.js';
import { NetworkFailure } from './network-failure.js';

export interface PoolOptions {
  /** Connections for requests; streams have their own. Default 16. */
  readonly connections?: number;
  /** Longest time to open a connection. Milliseconds, default 10 s. */
  readonly connectTimeoutMs?: number;
}

const CONNECTIONS = 16;
const CONNECT_MS = 10_000;

/** The connections of one cluster; opened anew when the credential brings another client certificate. */
export class Pools {
  private readonly options: PoolOptions;
  private closed = false;
  private tls: Credential['tls'] | undefined;
  private opened: { readonly requests: Dispatcher; readonly streams: Dispatcher } | undefined;

  constructor(options: PoolOptions) {
    this.options = options;
  }

  requests(credential: Credential): Dispatcher {
    return this.open(credential).requests;
  }

  /** Watches last for minutes each: with a bound they could take all connections from the requests. */
  streams(credential: Credential): Dispatcher {
    return this.open(credential).streams;
  }

  async close(): Promise<void> {
    const { opened } = this;
    this.closed = true;
    this.opened = undefined;
    await Promise.all([opened?.requests.destroy(), opened?.streams.destroy()]);
  }

  private open(credential: Credential): { requests: Dispatcher; streams: Dispatcher } {
    // A request that was waiting for something else must not open what nobody closes.
    if (this.closed) throw new NetworkFailure('aborted', 'the client was closed', false);
    if (this.opened !== undefined && this.tls !== undefined && sameTls(this.tls, credential.tls))
      return this.opened;
    const stale = this.opened;
    this.tls = credential.tls;
    this.opened = {
      requests: this.pool(credential, this.options.connections ?? CONNECTIONS),
      streams: this.pool(credential, null),
    };
    // Running requests finish on the old connections.
    void stale?.requests.close();
    void stale?.streams.close();
    return this.opened;
  }

  private pool(credential: Credential, connections: number | null): Dispatcher {
    const timeout = this.options.connectTimeoutMs ?? CONNECT_MS;
    const shared = {
      connections,
      // undici would speak HTTP/2 with API servers: then the bound means little, one broken connection breaks all watches,
      // and destroying a session whose streams are just being closed throws an error that nobody can catch.
      allowH2: false,
      pipelining: 1,
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: 30_000,
    };
    const connect = { timeout, keepAlive: true, keepAliveInitialDelay: 30_000, ...credential.tls };
    if (credential.proxy === undefined) return new Agent({ ...shared, connect });
    return new ProxyAgent({
      ...shared,
      uri: credential.proxy,
      requestTls: connect,
      proxyTunnel: true,
    });
  }
}

function sameTls(a: Credential['tls'], b: Credential['tls']): boolean {
  return (
    String(a.cert) === String(b.cert) &&
    String(a.key) === String(b.key) &&
    String(a.ca) === String(b.ca)
  );
}
