import type { KubeObject, ObjectRef } from '../../api/object.js';

/** A kind as a cluster serves it. */
export interface ServedKind {
  readonly apiVersion: string;
  readonly kind: string;
  /** Plural, as in the URL. */
  readonly resource: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}

export interface KindRef {
  readonly apiVersion: string;
  readonly kind: string;
}

export interface ListOptions {
  /** Absent: all namespaces, or cluster-scoped. */
  readonly namespace?: string;
  readonly labelSelector?: string;
}

export interface ApplyOptions {
  /** Take fields from other managers. Only for `conflictResolution: Overwrite`. */
  readonly force?: boolean;
  readonly dryRun?: boolean;
  /** Default `fleetwright`. */
  readonly fieldManager?: string;
}

export type WatchEvent =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: KubeObject }
  /** The state was listed afresh (start, or after 410 Gone): `objects` is everything there is. */
  | { readonly type: 'LISTED'; readonly objects: readonly KubeObject[] };

/**
 * All that Fleetwright does to a member cluster, in seven verbs. One value per cluster; safe for concurrent use.
 * Every verb has a deadline and throws {@link ProviderError}; nothing else. Implemented over HTTP for real clusters
 * and the sandbox alike; both are held to one contract suite.
 */
export interface ClusterClient {
  readonly cluster: string;
  /** All kinds served, cached; `refresh` after CRDs changed. */
  discover(options?: { readonly refresh?: boolean }): Promise<readonly ServedKind[]>;
  get(ref: ObjectRef): Promise<KubeObject | undefined>;
  list(kind: KindRef, options?: ListOptions): Promise<readonly KubeObject[]>;
  /** Starts with LISTED; reconnects, and lists again on 410; ends when `signal` aborts. */
  watch(kind: KindRef, options: ListOptions, signal: AbortSignal): AsyncIterable<WatchEvent>;
  /** Server-side apply; returns the stored object. */
  apply(object: KubeObject, options?: ApplyOptions): Promise<KubeObject>;
  /** `absent` when it was not there: deleting is idempotent. */
  delete(ref: ObjectRef, options?: { readonly uid?: string }): Promise<'deleted' | 'absent'>;
  /** GET of what is no object (`/version`, a pod's log): parsed JSON, or the text where it is none. */
  raw(path: string): Promise<unknown>;
  close(): Promise<void>;
}

/** Opens a client by cluster name; credentials are resolved inside and appear nowhere else. */
export type Connect = (cluster: string) => Promise<ClusterClient>;

export type ProviderFailure =
  | 'unreachable'
  | 'timeout'
  | 'unauthorized'
  | 'forbidden'
  | 'conflict'
  | 'invalid'
  | 'notFound'
  | 'notServed'
  | 'throttled'
  | 'server'
  | 'aborted';

export interface ProviderFacts {
  readonly cluster: string;
  readonly resource?: ObjectRef;
  readonly status?: number;
  /** What was being done, in RBAC's words: `get`, `list`, `watch`, `patch`, `delete`. */
  readonly verb?: string;
  /** For conflicts: who owns which field. */
  readonly conflicts?: readonly { readonly manager: string; readonly field: string }[];
  /** Whether the request may have been carried out. */
  readonly mayHaveHappened?: boolean;
}

/** The world failed. The message names stage, cluster and object, and never holds a credential or Secret value. */
export class ProviderError extends Error {
  readonly __providerError = true as const;
  readonly failure: ProviderFailure;
  readonly facts: ProviderFacts;

  constructor(
    failure: ProviderFailure,
    message: string,
    facts: ProviderFacts,
    options?: { readonly cause?: unknown },
  ) {
    super(message, options);
    this.name = 'ProviderError';
    this.failure = failure;
    this.facts = facts;
  }

  static is(x: unknown): x is ProviderError {
    return typeof x === 'object' && x !== null && '__providerError' in x;
  }
}
