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

/** What the lifetime of a credential is measured with, in milliseconds; tests give their own. */
export interface Watches {
  /** Since the epoch: what `expiresAt` is about. May jump. */
  readonly wall: () => number;
  /** Since any moment: what waits are about. */
  readonly steady: () => number;
}

const MACHINE: Watches = { wall: Date.now, steady: () => performance.now() };

export interface CredentialSource {
  fetch(): Promise<Credential>;
  /** Whether fetching again may give another credential (exec plugins, token files). */
  readonly renewable: boolean;
}

/**
 * Keep the credential of one cluster for as long as it lasts.
 *
 * The machine's clock is read once, when a credential comes, to learn how long it lasts; from then on a steady clock counts, so
 * that a jump neither ends it early nor keeps it too long. What is over on arrival (the clock is wrong, or the issuer's is) is used
 * until a server refuses it: otherwise every request would run the plugin.
 */
export function cacheCredentials(
  source: CredentialSource,
  { wall, steady }: Watches = MACHINE,
): Credentials {
  let cached: Promise<Credential> | undefined;
  let settled: Credential | undefined;
  let staleAt = Infinity;
  const fetch = (): Promise<Credential> => {
    const fetching = source.fetch();
    cached = fetching;
    settled = undefined;
    fetching.then(
      (credential) => {
        if (cached !== fetching) return;
        settled = credential;
        staleAt = steady() + lifetimeMs(credential, wall());
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
      const isStale = settled !== undefined && source.renewable && steady() >= staleAt;
      return cached === undefined || isStale ? fetch() : cached;
    },
    renew: (used) => {
      // Thirty requests that were refused together renew once: all but the first find another credential here.
      if (source.renewable && settled === used) cached = settled = undefined;
      return source.renewable;
    },
  };
}

/** How long to use it. Short ones are renewed at half time: a minute before their end they have not begun. */
function lifetimeMs({ expiresAt }: Credential, now: number): number {
  if (expiresAt === undefined || expiresAt <= now) return Infinity;
  const left = expiresAt - now;
  return left > 2 * SKEW_MS ? left - SKEW_MS : left / 2;
}
