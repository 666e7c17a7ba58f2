/**
 * What travels between the Pulumi program and our provider process, and what Pulumi keeps in its state. Everything is
 * plain JSON without `undefined`. Manifests are canonical JSON texts: a nested object costs half a millisecond per field
 * group in Pulumi's RPC, and the CLI decodes JSON texts when it prints differences.
 */

/** Raised when the outputs change their meaning; old state must stay readable. */
export const SCHEMA_VERSION = 1;

/**
 * The whole "serialized provider" of every resource: state holds no code, and the installed version always runs.
 * Resolved from the Pulumi project's folder, so `fleetwright` must be one of its dependencies.
 */
export const PROVIDER = 'exports.handler=()=>require("fleetwright/pulumi/provider")';

const PREFIX = 'pulumi-nodejs:dynamic/fleetwright';

/** Type tokens; never renamed, they are part of every URN. */
export const TYPES = {
  lock: `${PREFIX}:LockGuard`,
  release: `${PREFIX}:Release`,
  gate: `${PREFIX}:Gate`,
  settle: `${PREFIX}:Settle`,
} as const;

/** What Pulumi puts where a value is not known yet (during preview). */
export const UNKNOWN = '04da6b54-80e4-46f7-96ec-b56ff0331ba9';

/** Whether a value that came through Pulumi is still unknown, at any depth. */
export function isUnknown(value: unknown): boolean {
  if (typeof value === 'string') return value === UNKNOWN;
  return typeof value === 'object' && value !== null && Object.values(value).some(isUnknown);
}

/** How the provider process reaches a cluster. Kubeconfig texts travel as secrets, in a key of their own. */
export interface Access {
  /** Path of a kubeconfig file; absent with a text: the text is used. */
  readonly kubeconfigPath?: string;
  readonly context: string;
}

interface Common {
  readonly application: string;
  readonly environment?: string;
  /** The resource's URN, for status lines; `__` hides it from differences. */
  readonly __urn: string;
  readonly __provider: string;
}

export interface LockInputs extends Common {
  readonly kind: 'lock';
  readonly serial: number;
  /** Hash of the lock's content. */
  readonly content: string;
}

/** Bookkeeping of one manifest, beside its text. */
export interface ManifestFacts {
  readonly revision: string;
  readonly generation: number;
  readonly conflictResolution: 'Abort' | 'Overwrite';
  readonly preserveOnDeletion: boolean;
  readonly shared: boolean;
  readonly rank: number;
}

export interface ReleaseInputs extends Common {
  readonly kind: 'release';
  readonly cluster: string;
  readonly access: Access;
  /** Secret; `''` without. */
  readonly kubeconfig: string;
  /** `Deployment.apps/shop/web` to canonical JSON, Secret data left out. */
  readonly manifests: Readonly<Record<string, string>>;
  /** Secret: canonical JSON of `{ key: { data?, stringData? } }`. */
  readonly secretData: string;
  /** Hash over revisions: changes if and only if an object here changes. */
  readonly hash: string;
  readonly held: boolean;
  readonly deadlineSeconds: number;
  /** JSON of `{ key: ManifestFacts }`. */
  readonly __facts: string;
  /** JSON of `{ key: object }`: what is applied first where replicas shrink later. */
  readonly __growing: string;
  /** `true`: `check` asks the cluster with a server-side dry run. */
  readonly __dryRun: boolean;
}

/** What one cluster reports about one object. */
export interface ObservedItem {
  readonly generation: number;
  readonly observed: boolean;
  readonly ready: boolean;
  readonly healthy: boolean;
  /** The object's status as its interpreter reports it; small. */
  readonly status?: unknown;
}

export interface ReleaseOutputs {
  readonly schemaVersion: number;
  readonly kind: 'release';
  readonly application: string;
  readonly environment?: string;
  readonly cluster: string;
  readonly access: Access;
  readonly kubeconfig: string;
  readonly hash: string;
  readonly status: 'ready' | 'failed' | 'held';
  /** One line per object that is not ready. */
  readonly reasons: readonly string[];
  /** Key to revision. */
  readonly revisions: Readonly<Record<string, string>>;
  /** JSON of `{ key: ObservedItem }`. */
  readonly observed: string;
  readonly __provider: string;
}

/** What a gate looks for on one cluster. */
export interface Expected {
  readonly cluster: string;
  readonly access: Access;
  /** Secret; `''` without. */
  readonly kubeconfig: string;
  /** Release inputs as JSON, manifests reduced to what verification needs. */
  readonly release: string;
}

export interface GateInputs extends Common {
  readonly kind: 'gate';
  readonly wave: string;
  /** Hash over this wave's releases and all later ones: a later change re-verifies this wave. */
  readonly hash: string;
  /** Cluster to status, outputs of the releases. */
  readonly statuses: Readonly<Record<string, string>>;
  /** Cluster to reasons. */
  readonly reasons: Readonly<Record<string, readonly string[]>>;
  readonly maxFailures: number;
  readonly soakSeconds: number;
  readonly deadlineSeconds: number;
  readonly held: boolean;
  /** Secret when it holds kubeconfigs: JSON of Expected[]. */
  readonly __expected: string;
}

export interface SettleInputs extends Common {
  readonly kind: 'settle';
  /** Hash over all releases. */
  readonly hash: string;
  readonly held: boolean;
  readonly deadlineSeconds: number;
  /** JSON of SettleWork[]; not compared: what is left to do is found on the clusters. */
  readonly __work: string;
}

export interface SettleWork extends Expected {
  readonly deletions: readonly {
    readonly apiVersion: string;
    readonly kind: string;
    readonly namespace?: string;
    readonly name: string;
    readonly reason: string;
  }[];
}

export type Inputs = LockInputs | ReleaseInputs | GateInputs | SettleInputs;
