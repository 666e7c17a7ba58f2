import type { KubeObject } from '../../api/object.js';
import type { Component, ReplicaRequirements } from '../../api/resource-binding.js';

/** One kind an interpreter is for. */
export interface InterpretedKind {
  readonly apiVersion: string;
  readonly kind: string;
}

/** What one cluster reports about a binding; Karmada's AggregatedStatusItem. */
export interface AggregatedStatusItem {
  readonly clusterName: string;
  readonly status?: unknown;
  readonly applied?: boolean;
  readonly appliedMessage?: string;
  readonly health?: Health;
}

export type Health = 'Healthy' | 'Unhealthy' | 'Unknown';

/** Karmada's DependentObjectReference. */
export interface DependentReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly labelSelector?: unknown;
}

/**
 * What Fleetwright must know of a kind; Karmada's eight interpreter operations by their names.
 * All pure and synchronous; inputs are read-only; a missing operation means the kind does not have it.
 * Source: lifecycle reference §2, §3, §5.
 */
export interface Interpreter {
  readonly kinds: readonly InterpretedKind[];
  readonly interpretReplica?: (object: KubeObject) => {
    readonly replicas: number;
    readonly requirements?: ReplicaRequirements;
  };
  readonly interpretComponent?: (object: KubeObject) => readonly Component[];
  readonly reviseReplica?: (object: KubeObject, replicas: number) => KubeObject;
  readonly retain?: (desired: KubeObject, observed: KubeObject) => KubeObject;
  /** `undefined`: nothing to report. */
  readonly interpretStatus?: (object: KubeObject) => unknown;
  /** `items` absent means no list at all, which some kinds tell from an empty one. `now` dates new conditions. */
  readonly aggregateStatus?: (
    object: KubeObject,
    items: readonly AggregatedStatusItem[] | undefined,
    now?: string,
  ) => KubeObject;
  readonly interpretHealth?: (object: KubeObject) => boolean;
  readonly interpretDependency?: (object: KubeObject) => readonly DependentReference[];
}
