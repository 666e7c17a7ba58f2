import type { ObjectRef } from '../api/object.js';
import { compareBy, inOrder } from './compare.js';

/**
 * Stable identifiers of everything Fleetwright can find wrong; the value is the page's one-line summary.
 * Area first, never renamed once released. Each has a page in `docs/diagnostics/` and a test that provokes it.
 * Keep sorted.
 */
export const CODES = {
  ADOPT_INCOMPLETE: 'A proposal does not place an object where it runs.',
  ADOPT_WOULD_RESTART: 'Taking over an object would restart its pods.',
  APPLY_CONFLICT: 'Another manager owns an object or a field.',
  APPLY_REFUSED: 'A cluster refused an object.',
  AUTOSCALER_DUPLICATED:
    'An autoscaler multiplies its bounds over the clusters of a divided workload.',
  CAPACITY_UNKNOWN: 'Replicas are divided by capacity that is unknown.',
  CHANGED_DURING_ROLLOUT: 'Somebody changed an object after the rollout had applied it.',
  CHANGE_WITHOUT_EFFECT: 'A change makes no difference on a cluster.',
  CHECK_FAILED: 'The plan lacks a property that a Check asks for.',
  CLAIM_FROZEN: 'A template no longer matches the policy that placed it.',
  CLUSTER_AMBIGUOUS: 'Two clusters of the fleet are one and the same server.',
  CLUSTER_FORBIDDEN: 'The credentials lack a right in a cluster.',
  CLUSTER_UNAUTHORIZED: 'A cluster does not accept the credentials.',
  CLUSTER_UNREACHABLE: 'A cluster did not answer in time.',
  COMMAND_FAILED: 'A command ended before it could do its work.',
  COMPANION_LEFT_BEHIND: 'A workload is placed without what belongs to it.',
  CONTROL_PLANE_STUCK: 'A control plane would fail on a template again and again.',
  DELETES_DATA: 'The plan would delete an object that holds data or other objects.',
  DELETE_REFUSED: 'An object was not removed.',
  DELETION_PROTECTED: 'An object is protected from deletion.',
  DEPENDENCY_CONFLICT: 'Objects that share a dependency disagree on how it is handled.',
  DEPENDENCY_MISSING: 'A template refers to an object that is not among the templates.',
  DOCUMENT_DUPLICATE: 'Two documents describe the same object.',
  DOCUMENT_INVALID: 'A document is not a Kubernetes object.',
  DOCUMENT_MISPLACED_FIELD: 'A field stands at the wrong level of the document.',
  DOCUMENT_UNPARSABLE: 'A file is not valid YAML or JSON.',
  DRY_RUN_INCOMPLETE: 'A cluster could not check all objects in a dry run.',
  EVICTION_NOWHERE_TO_GO: 'A workload should leave a cluster and fits nowhere else.',
  EVICTION_PENDING: 'A workload will have to leave a cluster.',
  FIELD_IMMUTABLE: 'A field would change that cannot change in place.',
  FIELD_INVALID: 'A field has a value that its schema refuses.',
  FIELD_REMOVED: 'A field was removed from the API.',
  FIELD_REQUIRED: 'A required field is missing.',
  FIELD_UNKNOWN: 'A field is not part of the schema.',
  FILE_FOREIGN: 'A file that is not ours stands where one would be written.',
  FILE_NAME_REFUSED: 'A name cannot become a file name.',
  FILE_NOT_WRITTEN: 'A file cannot be written.',
  FLAG_MATCHES_NOTHING: 'A flag names something that is not there.',
  FLEET_DUPLICATE_CLUSTER: 'The fleet lists a cluster twice.',
  FLEET_EMPTY: 'The fleet has no clusters.',
  FLEET_MISSING: 'No fleet was given.',
  FLEET_SHRANK: 'The fleet has fewer clusters than the lock.',
  FLEET_STALE: 'The fleet snapshot is old.',
  GATE_NOT_FORESEEN: 'A feature gate changes decisions in a way that the plan does not foresee.',
  GATE_WAIVED: 'Gates do not wait for an object.',
  HINT_INVALID: 'An annotation of Fleetwright has a value that cannot be read.',
  INTERPRETER_CONFLICT: 'Two customizations teach the same operation of a kind.',
  INTERPRETER_FAILED: 'A rule that a user taught cannot answer for an object.',
  INTERPRETER_SCRIPT_INVALID: 'A customization has a script that cannot run.',
  KARMADA_DEPENDENCY_NOT_HELD: 'A changed dependency reaches all clusters at once.',
  KARMADA_MANIFEST_MISSING: 'A control plane did not build the manifest for a cluster.',
  KARMADA_STOPPED: 'A rollout through a control plane stopped before its waves were done.',
  KARMADA_SUSPENDED_BY_OTHERS: 'Somebody else keeps a cluster suspended.',
  KIND_NOT_ACTED_ON: 'The target does not act on this kind yet.',
  KIND_NOT_SERVED: 'A cluster does not serve a kind.',
  KUBECONFIG_INVALID: 'The kubeconfig cannot be read or lacks a context.',
  LOCK_DIVERGED: 'A different lock of the same serial was applied already.',
  LOCK_INVALID: 'The lock file cannot be read.',
  LOCK_LOST: 'Objects are on the clusters, and there is no lock.',
  LOCK_OUTDATED: 'A newer lock was applied already.',
  LOCK_WOULD_CHANGE: 'The plan differs from the frozen lock.',
  MANIFEST_NOT_RENDERED: 'A tree of manifests would lack an object that runs.',
  OBJECT_NOT_READY: 'An object did not become ready.',
  OBJECT_TOO_LARGE: 'An object is larger than clusters or tools take.',
  OUTPUT_IN_DECISION: 'The output of another resource stands where the plan must decide.',
  OVERRIDE_BY_INDEX: 'An override addresses a list item by its position.',
  OVERRIDE_CHANGES_IDENTITY: 'An override makes another object of an object.',
  OVERRIDE_CONTAINER_IGNORED: 'A control plane ignores overrides by container name.',
  OVERRIDE_FAILED: 'An override cannot be applied to an object.',
  OVERRIDE_MATCHES_NOTHING: 'An override policy changes nothing in this plan.',
  OVERRIDE_PATH_MISSING: 'An override changes a path that the object does not have.',
  OVERRIDE_REPLACES_MAP: 'An override replaces a whole map and drops what was in it.',
  OVERRIDE_TOP_LEVEL_IGNORED:
    'An override policy has rules beside the deprecated fields, which then do nothing.',
  OVERRIDE_UNDONE: 'Another override undoes what an override does.',
  OVERRIDE_UNSCOPED: 'An override policy without selectors changes every object.',
  OVERRIDE_VALUE_INVALID: 'An override sets a value that clusters would refuse.',
  PLACEMENT_NOT_ENOUGH_CAPACITY: 'The clusters that fit have too little room.',
  PLACEMENT_NO_CLUSTER_FITS: 'No cluster passes every filter.',
  PLACEMENT_SELECTOR_MALFORMED: 'A label selector of a placement is malformed and matches nothing.',
  PLACEMENT_SPREAD_UNMET: 'A spread constraint asks for more groups than fit.',
  PLACEMENT_TERM_MATCHES_NOTHING: 'One of the cluster affinities matches no cluster.',
  PLACEMENT_UNKNOWN_CLUSTER: 'A placement names a cluster that the fleet does not have.',
  PLACEMENT_WORKLOAD_AFFINITY_OFF: 'A workload affinity is set while its feature gate is off.',
  PLAN_REMOVES_EVERYTHING: 'The plan would remove the whole application.',
  PLAN_TOO_LARGE: 'A plan is too large for the state of a Pulumi stack.',
  POLICY_LAZY: 'A changed policy waits for its templates to change.',
  POLICY_MATCHES_NOTHING: 'A policy selects no template.',
  POLICY_OVERRIDE_MISSING: 'A policy waits for an override policy that does not exist.',
  POLICY_PRIORITY_CLASS_MISSING: 'A policy asks for a schedule priority that cannot be found.',
  POLICY_REMOVED: 'A template lost its policy.',
  POLICY_SELECTOR_MATCHES_NOTHING: 'One of the selectors of a policy selects no template.',
  POLICY_SHADOWED: 'A policy lost a template to another policy.',
  PROJECT_INVALID: 'The project file cannot be used.',
  REPLICAS_NOT_WRITTEN: 'Manifests ask for other replicas than the plan divides.',
  ROLLOUT_DUPLICATE: 'An application has more than one Rollout.',
  ROLLOUT_SUPERSEDED: 'Another rollout wrote over an object of this one.',
  SECRET_IN_CLEAR: 'A Secret with readable data would be written to a repository.',
  SERVICE_EXPORTED_TWICE: 'A Service is made reachable across clusters twice.',
  SERVICE_HEADLESS_EXPORTED: 'A headless Service is made reachable across clusters.',
  SOURCE_MISSING: 'A source path does not exist or holds no documents.',
  SPREAD_BY_LABEL_IGNORED: 'Spreading by label has no effect.',
  SPREAD_DEBT: 'A soft spread constraint is not reached.',
  SPREAD_FIELD_ONLY_FILTERS: 'Spreading by zone or provider only leaves clusters out.',
  SPREAD_IGNORED_BY_STATIC_WEIGHTS: 'Spread constraints have no effect beside static weights.',
  SPREAD_MAX_GROUPS_MISSING: 'A spread constraint without maxGroups chooses nothing.',
  SUSPENDED_CLUSTER_WOULD_CHANGE: 'A cluster that a policy suspends would change.',
  TEMPLATE_UNCLAIMED: 'No policy selects a template.',
  TEMPLATE_UNREADABLE: 'A template is not a valid object of its kind.',
  WAVE_CLUSTER_UNASSIGNED: 'A cluster belongs to no wave.',
  WAVE_EMPTY: 'A wave has no cluster.',
  WEIGHTS_IGNORED: 'Weights have no effect beside the chosen strategy.',
  WEIGHT_LEAVES_CLUSTER_OUT: 'A cluster matches the affinity but has no weight.',
  WEIGHT_RULE_MATCHES_NOTHING: 'A static weight rule matches no cluster.',
  WORKLOAD_MOVES: 'A running workload would leave a cluster.',
} as const satisfies Record<string, string>;

export type DiagnosticCode = keyof typeof CODES;

export type Severity = 'error' | 'warning' | 'info';

/** Something the user should know. Plain data; the text is made from the facts, never parsed back. */
export interface Diagnostic {
  readonly code: DiagnosticCode;
  readonly severity: Severity;
  /** One sentence: what is wrong, with the value seen and the value expected. Never a Secret value. */
  readonly summary: string;
  /** One sentence: what to do. Omit it only if nothing can be done. */
  readonly hint?: string;
  /** The object it is about. */
  readonly resource?: ObjectRef;
  /** Field path inside that document, e.g. `['spec', 'placement', 'clusterAffinity']`. */
  readonly path?: readonly (string | number)[];
  /** Where the document was read from; the shell fills in line and column of `path`. */
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  /** Construct path, when the document came from a construct. */
  readonly construct?: string;
}

const RANK = { error: 0, warning: 1, info: 2 } as const satisfies Record<Severity, number>;

/** Order for people: (1) severity, (2) file, (3) line, (4) code, (5) resource, (6) path, (7) summary. */
export const compareDiagnostics = inOrder<Diagnostic>(
  compareBy((d) => RANK[d.severity]),
  compareBy((d) => d.file ?? ''),
  compareBy((d) => d.line ?? 0),
  compareBy((d) => d.code),
  compareBy((d) => JSON.stringify(d.resource ?? null)),
  compareBy((d) => JSON.stringify(d.path ?? [])),
  compareBy((d) => d.summary),
);
