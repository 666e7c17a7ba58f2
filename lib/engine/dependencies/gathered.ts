import type { ObjectRef } from '../../api/object.js';
import type { TargetCluster } from '../../api/resource-binding.js';
import type { SourcedObject } from '../input.js';
import type { DependentReference } from '../interpret/index.js';

/** A template that a policy has placed. */
export interface Leader {
  readonly key: string;
  readonly resource: ObjectRef;
  readonly template: SourcedObject;
  readonly policyDocument: SourcedObject;
  /** Where it was placed; leaders without a cluster lead nobody. */
  readonly clusters: readonly TargetCluster[];
}

/** One object that another one brings along. @internal */
export interface Step {
  readonly template: SourcedObject;
  readonly key: string;
  readonly reason: string;
}

/** What is known of a follower while leaders are looked at one by one. @internal */
export interface Gathered {
  readonly key: string;
  readonly template: SourcedObject;
  readonly leaders: Map<string, Leader>;
  /** Direct predecessors by key. */
  readonly follows: Map<string, { readonly resource: ObjectRef; readonly reason: string }>;
}

/** @internal */
export interface MissingReference {
  readonly reference: DependentReference;
  readonly from: SourcedObject;
  readonly reason: string;
}
