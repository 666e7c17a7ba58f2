import type { FieldPath } from './render/field-path.js';
import type { KubeObject, ObjectRef } from '../api/object.js';
import type { FleetLock } from '../api/fleet-lock.js';
import type { AutoscalerBounds } from './autoscaler-bounds.js';
import type { Diagnostic } from './diagnostic.js';
import type { Taker } from './takers.js';
import type { Explanation } from './schedule/explanation.js';

/**
 * One run, decided: what, how many, why, and in which wave. Plain data, sorted by total orders.
 * `plan --json` is this without `releases` and `lock` (see `describe/json.ts`).
 */
export interface Plan {
  readonly schemaVersion: 1;
  readonly application: string;
  readonly environment?: string;
  readonly now: string;
  /** False when an error diagnostic forbids applying; everything else is filled in all the same. */
  readonly applicable: boolean;
  readonly fleet: FleetSummary;
  /** Sorted by resource key. */
  readonly bindings: readonly PlannedBinding[];
  /** Sorted by wave, cluster, apply order. Contains `none` only for objects kept as they are. */
  readonly changes: readonly Change[];
  /** In the order they run; every cluster with a release belongs to exactly one. */
  readonly waves: readonly PlannedWave[];
  /** One per cluster that holds or will hold something, sorted by cluster. */
  readonly releases: readonly Release[];
  readonly checks: readonly CheckResult[];
  readonly diagnostics: readonly Diagnostic[];
  /** The lock as it is after this plan; equal to the input's lock when nothing was decided. */
  readonly lock: FleetLock;
  /** One line per binding that the lock would gain, lose or change; empty: the lock stays byte for byte. */
  readonly lockChanges: readonly string[];
}

export interface FleetSummary {
  readonly clusters: number;
  readonly observedAt?: string;
  /** Hash of the facts that decisions rest on. */
  readonly hash: string;
}

/** A template with its policy's placement, scheduled. */
export interface PlannedBinding {
  readonly resource: ObjectRef;
  /** Null: nobody claims it (it follows others, or it stays unplaced). */
  readonly policy: PolicyRef | null;
  /** Policies that match too and lost, most important first. */
  readonly shadowed: readonly PolicyRef[];
  /** Why this policy owns it (or nobody does), one clause. */
  readonly claim: string;
  /** Why it is there although no policy claims it: the objects it follows. */
  readonly follows: readonly { readonly resource: ObjectRef; readonly reason: string }[];
  /** Absent for kinds without replicas. */
  readonly replicas?: number;
  /** `Duplicated`, `Divided by static weights`, …: for people. */
  readonly strategy: string;
  readonly generation: number;
  /** Content hash of the template. */
  readonly revision: string;
  /** Why it was decided anew, or that the lock's answer stays. */
  readonly decision: {
    readonly kind: 'kept' | 'scheduled' | 'failed' | 'follows';
    readonly reason: string;
  };
  /** Sorted by cluster name. */
  readonly assignments: readonly Assignment[];
  /** Clusters that the lock has it on and this plan has not, with their replicas there; sorted by name. */
  readonly left: readonly { readonly cluster: string; readonly replicas?: number }[];
  /** The numbers behind a decision made in this plan; only where asked for. */
  readonly explanation?: Explanation;
  /**
   * Where it would go if it were decided afresh (`--reschedule`), with the same input; only for bindings that are kept, and
   * where asked for. Sorted by cluster.
   */
  readonly fresh?:
    | { readonly kind: 'placed'; readonly clusters: readonly FreshShare[] }
    | { readonly kind: 'failed'; readonly reason: string };
  /** Not placed for want of room: bindings that took room in this plan where it fits; most replicas first. */
  readonly takenBy?: readonly Taker[];
  /** One per cluster of the fleet, chosen first, each group by cluster name. */
  readonly verdicts: readonly Verdict[];
}

export interface PolicyRef {
  readonly kind: 'PropagationPolicy' | 'ClusterPropagationPolicy';
  readonly namespace?: string;
  readonly name: string;
}

/** One cluster's share in a decision that was not taken. */
export interface FreshShare {
  readonly cluster: string;
  readonly replicas?: number;
}

/** One cluster's share of a binding. */
export interface Assignment {
  readonly cluster: string;
  readonly replicas?: number;
  /** Replicas in the lock; absent: was not there. */
  readonly previous?: number;
  /** Of an autoscaler whose bounds are divided: its share. Absent: as in the template. */
  readonly bounds?: AutoscalerBounds;
  readonly wave: string;
}

/** Per binding and cluster: chosen or rejected, by which rule, with the values seen. */
export interface Verdict {
  readonly cluster: string;
  readonly chosen: boolean;
  /** Name of the rule that rejected it, e.g. `TaintToleration`; for chosen ones what decided the count. */
  readonly code?: string;
  /** Karmada's reason text, verbatim, where Karmada has one. */
  readonly cause?: string;
  /** A sentence for people with the values seen. */
  readonly message: string;
}

/** Class of what could not be rendered. */
export const UNRENDERED = 'unrendered';

export type Action = 'create' | 'update' | 'replace' | 'delete' | 'none';

/** One object on one cluster that this plan changes, or keeps. */
export interface Change {
  readonly cluster: string;
  readonly resource: ObjectRef;
  readonly action: Action;
  /**
   * What kind of change: `template`, `override`, `replicas` (or a Job's completions), `interpreter` (what the user's
   * ReviseReplica makes of the template), `placement`, `drift`, `immutable`, `new`, `removed`,
   * `protected` (not deleted for that reason alone), `unrendered` (left as it is), `unchanged`.
   */
  readonly class: string;
  /** Of what somebody changed on the cluster: who, and which fields; never a value. Only where the clusters were read. */
  readonly reason?: string;
  readonly wave: string;
}

/** The condition to pass from one wave to the next. */
export interface Gate {
  readonly soakSeconds: number;
  /** To become ready, from the start of the wave; soaking and pauses do not count. */
  readonly deadlineSeconds: number;
  /** Clusters that may fail before the wave fails. */
  readonly maxFailures: number;
  readonly approval: boolean;
  /** The wave starts only inside one of these. Absent: at any time. */
  readonly windows?: readonly GateWindow[];
  /**
   * What a failure of this wave means. `continue`: later waves run all the same. `rollback`: the clusters of this run go
   * back to the newest kept revision, last wave first. Absent: later waves are left alone, and so is what was applied.
   */
  readonly onFailure?: 'continue' | 'rollback';
}

/** Opens at each time of the schedule (cron of five fields, in the time zone), for so long. */
export interface GateWindow {
  readonly schedule: string;
  readonly timeZone: string;
  readonly durationSeconds: number;
}

/** An ordered group of releases. Membership is frozen in the plan. */
export interface PlannedWave {
  readonly name: string;
  /** Sorted by the order inside the wave. */
  readonly clusters: readonly string[];
  /** Releases at work at the same time, 1 or more. */
  readonly maxConcurrent: number;
  readonly gate: Gate;
}

/** All manifests of one application for one cluster: what is applied as a unit. */
export interface Release {
  readonly application: string;
  readonly environment?: string;
  readonly cluster: string;
  readonly wave: string;
  /** In apply order: CRDs, namespaces, then by kind rank and dependency. */
  readonly manifests: readonly Manifest[];
  /** What the settle step removes here; named, never computed on the cluster. In deletion order. */
  readonly deletions: readonly Deletion[];
}

/** One object rendered for one cluster: replicas revised, overrides applied, bookkeeping annotations in place. */
export interface Manifest {
  readonly resource: ObjectRef;
  readonly object: KubeObject;
  /**
   * What is applied in the wave when it is more than `object`: the larger of old and new replicas.
   * Absent: `object` itself. The settle step applies `object`.
   */
  readonly growing?: KubeObject;
  /** Content hash of `object`, carried as annotation `fleetwright.dev/revision`; the gate looks for it. */
  readonly revision: string;
  /** Template generation, carried as annotation `resourcetemplate.karmada.io/generation`. */
  readonly generation: number;
  /** Whether this plan changes it (as far as lock and live state tell). */
  readonly action: Exclude<Action, 'delete'>;
  /** `Abort` never takes an object or a field from another manager. */
  readonly conflictResolution: 'Abort' | 'Overwrite';
  readonly preserveOnDeletion: boolean;
  /** Created where needed, belongs to nobody's prune set: namespaces. */
  readonly shared: boolean;
  /** Apply-order rank; objects of equal rank may be applied together. */
  readonly rank: number;
  /** What its kind's `Retain` leaves to the member cluster, where the rule itself cannot be taken along. */
  readonly memberFields?: readonly FieldPath[];
}

export interface Deletion {
  readonly resource: ObjectRef;
  readonly reason: string;
}

export interface CheckResult {
  readonly name: string;
  readonly passed: boolean;
  readonly message: string;
}

/** Annotations and labels that Fleetwright writes on member objects. */
export const MARKS = {
  revision: 'fleetwright.dev/revision',
  application: 'fleetwright.dev/application',
  generation: 'resourcetemplate.karmada.io/generation',
  /** KEP-3659: every member of the set carries it; the value is the set's id. */
  partOf: 'applyset.kubernetes.io/part-of',
} as const;

/** The owner written on member objects: the application, with its environment when it has one. */
export function applicationMark(options: {
  readonly application: string;
  readonly environment?: string;
}): string {
  return options.environment === undefined
    ? options.application
    : `${options.application}-${options.environment}`;
}
