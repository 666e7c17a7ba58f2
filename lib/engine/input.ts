import type { Cluster } from '../api/cluster.js';
import type { KubeObject } from '../api/object.js';
import type { FleetLock } from '../api/fleet-lock.js';
import type { DiagnosticCode } from './diagnostic.js';
import type { Interpreter } from './interpret/interpreter.js';

/** Where a document came from, for diagnostics. Either a file or a construct. */
export interface Source {
  readonly file?: string;
  /** 0-based position in a multi-document file; with `file` it finds the document again. */
  readonly document?: number;
  readonly line?: number;
  readonly column?: number;
  readonly construct?: string;
}

/** One document as the user wrote it. */
export interface SourcedObject {
  readonly object: KubeObject;
  readonly source?: Source;
}

/** What is known of the member clusters, and since when. Clusters in any order; names unique. */
export interface Fleet {
  readonly clusters: readonly Cluster[];
  /** RFC 3339; the oldest `fleetwright.dev/observed-at` of the clusters. Absent: unknown. */
  readonly observedAt?: string;
  /** Where it was read from, for findings about it as a whole. */
  readonly file?: string;
}

/**
 * Feature gates and flags that change a decision, by Karmada's names.
 * Profile `karmada` is a stock control plane's; `default` switches on what makes sense at deploy time (design §5).
 */
export type Profile = 'default' | 'karmada';

export interface PlanOptions {
  /** Name of the application; owner of the lock and of the releases. */
  readonly application: string;
  /** Free text that separates environments of one application (each has its own lock). */
  readonly environment?: string;
  readonly profile: Profile;
  /** Overrides of single feature gates. */
  readonly gates?: Readonly<Record<string, boolean>>;
  /** `--enable-empty-workload-propagation`. */
  readonly emptyWorkloadPropagation?: boolean;
  /** Decide afresh even where the lock has an answer: all bindings, or those whose `refKey` is listed. */
  readonly reschedule?: 'all' | readonly string[];
  /** Keys of bindings whose numbers (capacity, weights, division) the plan shall carry, for `explain`; costs time. */
  readonly explain?: readonly string[];
  /** Changes that guards would refuse and that the user has named, e.g. `FLEET_SHRANK`. */
  readonly acknowledge?: readonly string[];
  readonly target: 'members' | 'karmada' | 'git';
}

/** Everything a plan depends on. Same input, same bytes out, in whatever order its lists come. */
export interface PlanInput {
  /** Templates, policies, override policies, Rollouts, Checks, customizations: all in one list. */
  readonly documents: readonly SourcedObject[];
  readonly fleet: Fleet;
  readonly lock?: FleetLock;
  /** Live state, gathered before planning and only when asked for. */
  readonly live?: LiveState;
  /** RFC 3339. */
  readonly now: string;
  readonly options: PlanOptions;
}

/** Member objects as read from clusters: cluster name to objects. */
export interface LiveState {
  readonly members: Readonly<Record<string, readonly KubeObject[]>>;
  readonly bindings?: readonly KubeObject[];
}

/** One finding of schema or admission rules about one document. */
export interface SchemaFinding {
  readonly code: DiagnosticCode;
  readonly path: readonly (string | number)[];
  readonly summary: string;
  readonly hint?: string;
  /** The schema takes it; Karmada's admission does not. */
  readonly admission?: boolean;
  /** Karmada takes it and does nothing with it. */
  readonly ignored?: boolean;
  /** Likely a mistake, but another version of the API may take it: never more than a warning. */
  readonly suspected?: boolean;
}

/** Pure, synchronous functions that the engine needs from libraries. */
export interface Tools {
  /** SHA-256 of a UTF-8 text as lower-case hex. */
  readonly hash: (text: string) => string;
  readonly parseYaml: (text: string) => unknown;
  readonly printYaml: (value: unknown) => string;
  /** Schema and admission findings of a document we know, misspelt fields of built-in kinds; `[]` for other kinds. */
  readonly validate: (object: KubeObject) => readonly SchemaFinding[];
  /** The document with the API's defaults filled in; other kinds unchanged. `withDefaults` of lib/api. */
  readonly withDefaults: (object: KubeObject) => KubeObject;
  /** Interpreters that users brought (Lua customizations, TypeScript), in order of precedence, before the built-in ones. */
  readonly interpreters?: readonly Interpreter[];
}
