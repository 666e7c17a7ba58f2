import type { FleetLock, LockedBinding } from '../../api/fleet-lock.js';
import type { KubeObject, ObjectRef } from '../../api/object.js';
import type { Profile, SourcedObject } from '../input.js';
import type { PolicyRef } from '../plan.js';
import type { Gates } from '../schedule/gates.js';
import type { Decision } from './decide.js';
import type { Match } from './policy-index.js';

export interface ClaimInput {
  /** Namespaced ones have a namespace. */
  readonly templates: readonly SourcedObject[];
  /** Of both scopes, with defaults filled in. */
  readonly policies: readonly SourcedObject[];
  /** Override policies of both scopes: a policy may wait for some (`dependentOverrides`). */
  readonly overrides: readonly SourcedObject[];
  readonly lock: FleetLock;
  /** Whether a template is the one that the lock has seen. */
  readonly isUnchanged: (template: KubeObject, locked: LockedBinding) => boolean;
  /** Whether a policy's spec is another than when the lock was written. @default nothing is known */
  readonly hasChanged?: (policy: SourcedObject) => boolean | undefined;
  /** Bindings of a control plane: where one exists, its owner counts in place of the lock's. */
  readonly liveBindings?: readonly KubeObject[];
  readonly gates: Pick<Gates, 'PriorityBasedScheduling' | 'PropagationPolicyPreemption'>;
  readonly profile: Profile;
  /** Regular expressions for whole names. @default ['kube-.*'] */
  readonly skippedNamespaces?: readonly string[];
}

/** Who owns a template, and who else would like to. */
export interface Claim {
  readonly key: string;
  readonly resource: ObjectRef;
  readonly template: SourcedObject;
  /** `ignored`: policies do not look at it. `waiting`: its policy waits for an override policy. */
  readonly outcome: 'owned' | 'unselected' | 'waiting' | 'ignored';
  /** Null unless owned. The template may still follow another one. */
  readonly policy: PolicyRef | null;
  readonly policyDocument?: SourcedObject;
  /** Policies that select it too and lost, most important first. */
  readonly shadowed: readonly PolicyRef[];
  /**
   * `held`: the policy's fields as they are now do not reach the binding, which stays as the lock has it. Either the
   * template no longer matches its owner, or the owner is lazy, or it waits for an override policy.
   */
  readonly reach: 'applied' | 'held';
  /** One clause for people. */
  readonly why: string;
}

/** A claim with what led to it. @internal */
export interface DecidedClaim {
  readonly claim: Claim;
  /** Every policy that selects the template, strongest first. */
  readonly matches: readonly Match[];
  /** Absent: policies do not look at the template. */
  readonly decision?: Decision;
  readonly locked?: LockedBinding;
}
