import type { KubeObject, ObjectMeta } from '../../api/object.js';
import type { PolicyRef } from '../plan.js';
import { policyRef, type Policy } from './policy.js';
import { isSet } from './selector.js';

/** Labels and annotations in which Karmada records, on template and binding, which policy owns them. */
export const CLAIM_MARKS = {
  PropagationPolicy: {
    id: 'propagationpolicy.karmada.io/permanent-id',
    namespace: 'propagationpolicy.karmada.io/namespace',
    name: 'propagationpolicy.karmada.io/name',
  },
  ClusterPropagationPolicy: {
    id: 'clusterpropagationpolicy.karmada.io/permanent-id',
    namespace: undefined,
    name: 'clusterpropagationpolicy.karmada.io/name',
  },
} as const satisfies Record<PolicyRef['kind'], Marks>;

interface Marks {
  /** A label. */
  readonly id: string;
  /** Annotations. */
  readonly namespace: string | undefined;
  readonly name: string;
}

type Kind = PolicyRef['kind'];

/** The part of an object that carries claims. */
export type Claimable = Pick<KubeObject, 'metadata'>;

/** The policy that an object says it belongs to; incomplete marks do not count. Source: scheduling reference §3.4. */
export function claimOn({ metadata }: Claimable): PolicyRef | undefined {
  // An empty `labels:` in YAML is null.
  const labels = metadata.labels ?? {};
  const annotations = metadata.annotations ?? {};
  const own = CLAIM_MARKS.PropagationPolicy;
  const namespace = annotations[own.namespace];
  const name = annotations[own.name];
  if (isSet(namespace) && isSet(name) && isSet(labels[own.id])) {
    return { kind: 'PropagationPolicy', namespace, name };
  }
  const wide = CLAIM_MARKS.ClusterPropagationPolicy;
  const wideName = annotations[wide.name];
  if (isSet(wideName) && isSet(labels[wide.id])) {
    return { kind: 'ClusterPropagationPolicy', name: wideName };
  }
  return undefined;
}

/** The policy's id on an object, by the policy's kind; the empty string if there is none. */
export function claimIdOn({ metadata }: Claimable, kind: Kind): string {
  return metadata.labels?.[CLAIM_MARKS[kind].id] ?? '';
}

/** A policy's own id, which Karmada gives it on creation. */
export function permanentIdOf(policy: Policy): string {
  return claimIdOn({ metadata: policy.metadata }, policy.kind);
}

/**
 * A template after a policy has claimed it.
 *
 * Nothing changes when the label already holds the policy's id, so incomplete marks are not repaired; a namespaced
 * policy removes a cluster-wide claim, not the other way round.
 */
export function withClaim<T extends Claimable>(template: T, policy: Policy): T {
  const id = permanentIdOf(policy);
  const isHeld = claimIdOn(template, policy.kind) === id;
  if (policy.kind === 'ClusterPropagationPolicy') {
    return isHeld ? template : withMarks(template, policy);
  }
  const hasWideLabel =
    template.metadata.labels?.[CLAIM_MARKS.ClusterPropagationPolicy.id] !== undefined;
  if (isHeld && !hasWideLabel) return template;
  const freed = hasWideLabel ? withoutMarks(template, 'ClusterPropagationPolicy') : template;
  return withMarks(freed, policy);
}

/** An object with the marks of a policy, whatever it had before. */
export function withMarks<T extends Claimable>(object: T, policy: Policy): T {
  const { labels, annotations } = marksOf(policy);
  return withMetadata(object, {
    labels: { ...object.metadata.labels, ...labels },
    annotations: { ...object.metadata.annotations, ...annotations },
  });
}

/** The labels and annotations of a claim by this policy. */
export function marksOf(policy: Policy): {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
} {
  const marks = CLAIM_MARKS[policy.kind];
  const { name, namespace = '' } = policyRef(policy);
  return {
    labels: { [marks.id]: permanentIdOf(policy) },
    annotations: {
      ...(marks.namespace !== undefined && { [marks.namespace]: namespace }),
      [marks.name]: name,
    },
  };
}

/** An object without the marks of either kind of policy. */
export function withoutMarks<T extends Claimable>(object: T, kind: Kind): T {
  const marks = CLAIM_MARKS[kind];
  const annotations = without(object.metadata.annotations, [marks.namespace ?? '', marks.name]);
  return withMetadata(object, { labels: without(object.metadata.labels, [marks.id]), annotations });
}

function without(
  map: Readonly<Record<string, string>> | undefined,
  keys: readonly string[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(map ?? {}).filter(([key]) => !keys.includes(key)));
}

function withMetadata<T extends Claimable>(object: T, change: Partial<ObjectMeta>): T {
  return { ...object, metadata: { ...object.metadata, ...change } };
}
