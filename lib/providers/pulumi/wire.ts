import type { PlannedWave } from '../../engine/plan.js';
import type { FieldPath } from '../../engine/render/field-path.js';

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
const UNKNOWN = '04da6b54-80e4-46f7-96ec-b56ff0331ba9';

/** Whether a value that came through Pulumi is still unknown, at any depth. */
export function isUnknown(value: unknown): boolean {
  if (typeof value === 'string') return value === UNKNOWN;
  return typeof value === 'object' && value !== null && Object.values(value).some(isUnknown);
}

interface Common {
  readonly application: string;
  /** `''`: none. */
  readonly environment: string;
  /** The resource's URN, for status lines; `__` hides it from differences. */
  readonly __urn: string;
  readonly __provider: string;
}

/** How the provider process reaches one cluster. */
export interface ClusterAccess {
  readonly cluster: string;
  /** Files separated like `KUBECONFIG`; `''`: the default places. */
  readonly kubeconfigPath: string;
  readonly context: string;
  /** A kubeconfig text; `''`: use the files. Always a secret. */
  readonly kubeconfig: string;
}

export interface LockInputs extends Common {
  readonly kind: 'lock';
  readonly serial: number;
  /** Hash of the lock's content. */
  readonly content: string;
  /** Cluster to JSON of {@link ClusterAccess}, for a dry run. Only travels: what is kept does not have it. */
  readonly __clusters?: Readonly<Record<string, string>>;
}

/** A release as it travels: `manifests` for people and diffs, the rest beside it. */
export interface ReleaseWire extends ClusterAccess {
  /** `Deployment.apps/v1 shop/web` to canonical JSON; Secrets without data. */
  readonly manifests: Readonly<Record<string, string>>;
  /** JSON of {@link ReleaseFacts}; secret when it holds Secret data. */
  readonly __facts: string;
}

/** What is needed to apply, beside the manifests' texts. */
export interface ReleaseFacts {
  readonly wave: string;
  readonly manifests: Readonly<Record<string, ManifestFacts>>;
  /** Secret outputs of other resources that stand in manifests: nothing repeats them. */
  readonly masked?: readonly string[];
}

export interface ManifestFacts {
  readonly revision: string;
  readonly generation: number;
  readonly conflictResolution: 'Abort' | 'Overwrite';
  readonly preserveOnDeletion: boolean;
  readonly shared: boolean;
  readonly rank: number;
  /** Data of a Secret, and its revision annotation. */
  readonly secret?: { readonly data?: unknown; readonly stringData?: unknown };
  /** What the program's `Retain` leaves to the cluster: the rule itself stays in the program. */
  readonly memberFields?: readonly FieldPath[];
  /** Replicas to hold until the settle step. */
  readonly growing?: unknown;
}

export interface ReleaseInputs extends Common, ReleaseWire {
  readonly kind: 'release';
  /** Changes if and only if an object of the release changes; secret when Secrets are among them. */
  readonly hash: string;
  /** Waits for an approval: keeps what it had. */
  readonly held: boolean;
  /** The cluster has left the fleet: nothing is asked of it, and nothing deleted there. */
  readonly orphaned: boolean;
  readonly deadlineSeconds: number;
  /** How many clusters of the wave may fail before no further one starts. */
  readonly __maxFailures: number;
  /** Waves that come before its own. */
  readonly __after?: readonly string[];
  readonly __dryRun: boolean;
}

export interface ReleaseOutputs extends ClusterAccess {
  readonly schemaVersion: number;
  readonly kind: 'release';
  readonly application: string;
  readonly environment: string;
  readonly hash: string;
  readonly orphaned: boolean;
  /**
   * `failed`: not ready at this plan's revisions; reported as a change on every later run. `held`: never applied yet.
   * `drifted`: found by refresh. `orphaned`: the cluster left the fleet.
   */
  readonly status: 'ready' | 'failed' | 'held' | 'drifted' | 'orphaned';
  /** Names this application of the release: a gate has seen exactly this one, or not yet. */
  readonly applied?: string;
  /** One line per object that is not as it should be. */
  readonly reasons: readonly string[];
  /** JSON of key to the object as the cluster shows it, cut down to what the aggregated status is made of. */
  readonly observed: string;
  /** Packed: what was applied, Secret data left out; refresh compares the cluster with it. */
  readonly __applied: string;
  readonly __provider: string;
}

export interface GateInputs extends Common {
  readonly kind: 'gate';
  readonly wave: string;
  /** Over this wave's releases and all later ones: a later change re-verifies this wave. */
  readonly hash: string;
  /** Cluster to status and reasons: outputs of the releases, JSON texts. */
  readonly releases: Readonly<Record<string, string>>;
  readonly maxFailures: number;
  readonly soakSeconds: number;
  readonly held: boolean;
  /** What it means when the wave fails. */
  readonly onFailure: 'pause' | 'continue' | 'rollback';
  /** For going back, and for applying again what had gone back. */
  readonly __wave: {
    readonly maxConcurrent: number;
    readonly deadlineSeconds: number;
    readonly lockSerial: number;
    readonly now: string;
  };
  /** Secret, packed: {@link ReleaseWire}[], to look at the clusters again. */
  readonly __releases: string;
}

export interface SettleInputs extends Common {
  readonly kind: 'settle';
  /** Over all releases. */
  readonly hash: string;
  readonly held: boolean;
  readonly deadlineSeconds: number;
  /** Cluster to status and reasons, as for gates: what was applied again has to settle again. */
  readonly releases: Readonly<Record<string, string>>;
  /** Hash of what is removed; `''`: nothing. */
  readonly removes: string;
  /** What is kept for later rollbacks, beside the releases. */
  readonly __keep: {
    readonly waves: readonly PlannedWave[];
    readonly lockSerial: number;
    readonly now: string;
  };
  /** Secret, packed: {@link SettleWork}[]. */
  readonly __work: string;
}

export interface SettleWork extends ReleaseWire {
  readonly deletions: readonly {
    readonly resource: {
      readonly apiVersion: string;
      readonly kind: string;
      readonly namespace?: string;
      readonly name: string;
    };
    readonly reason: string;
  }[];
}

export type Inputs = LockInputs | ReleaseInputs | GateInputs | SettleInputs;
