import type { ConnectionOptions } from 'node:tls';

/** What opens the door of one cluster, for a while. Never printed, never stored. */
export interface Credential {
  /** Request headers, e.g. `Authorization`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly tls: Pick<
    ConnectionOptions,
    'ca' | 'cert' | 'key' | 'servername' | 'rejectUnauthorized'
  >;
  /** HTTP proxy that leads to the cluster. */
  readonly proxy?: string;
  /** Milliseconds since the epoch; absent when it does not say. */
  readonly expiresAt?: number;
}

/** The credential of one cluster: fetched once for all requests that wait for it, renewed before it expires. */
export interface Credentials {
  current(): Promise<Credential>;
  /**
   * The server refused `used`: the next {@link current} fetches a new one.
   * `false` when that cannot help, because it never changes.
   */
  renew(used: Credential): boolean;
}

/** Renewed that long before it expires, so that no request starts with a credential that ends on the way. */
const SKEW_MS = 60_000;

export interface CredentialSource {
  fetch(): Promise<Credential>;
  /** Whether fetching again may give another credential (exec plugins, token files). */
  readonly renewable: boolean;
}

export function cacheCredentials(
  source: CredentialSource,
  now: () => number = Date.now,
): Credentials {
  let cached: Promise<Credential> | undefined;
  let settled: Credential | undefined;
  const fetch = (): Promise<Credential> => {
    const fetching = source.fetch();
    cached = fetching;
    settled = undefined;
    fetching.then(
      (credential) => {
        if (cached === fetching) settled = credential;
      },
      () => {
        // A failure is not remembered: the plugin may work a second later. Those who waited see it.
        if (cached === fetching) cached = undefined;
      },
    );
    return fetching;
  };
  return {
    current: () => {
      const expired = settled?.expiresAt !== undefined && settled.expiresAt - SKEW_MS <= now();
      return cached === undefined || (expired && source.renewable) ? fetch() : cached;
    },
    renew: (used) => {
      // Thirty requests that were refused together renew once: all but the first find another credential here.
      if (source.renewable && settled === used) cached = settled = undefined;
      return source.renewable;
    },
  };
}
