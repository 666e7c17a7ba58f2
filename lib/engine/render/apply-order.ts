import type { KubeObject, ObjectRef } from '../../api/object.js';
import { compareBy, inOrder, sorted } from '../compare.js';
import type { DependentReference } from '../interpret/interpreter.js';
import type { LabelSelector } from '../label-selector.js';
import { compileLabelSelector } from '../label-selector.js';
import { groupOf, refKey, refOf } from '../object.js';

/** Kinds by API group and name, in the order they are applied; equal ranks may be applied together. */
const RANKS: readonly (readonly string[])[] = [
  ['apiextensions.k8s.io/CustomResourceDefinition'],
  ['/Namespace'],
  [
    'networking.k8s.io/IngressClass',
    'node.k8s.io/RuntimeClass',
    'scheduling.k8s.io/PriorityClass',
    'storage.k8s.io/CSIDriver',
    'storage.k8s.io/StorageClass',
  ],
  ['/LimitRange', '/ResourceQuota', 'networking.k8s.io/NetworkPolicy'],
  ['/ServiceAccount', 'rbac.authorization.k8s.io/ClusterRole', 'rbac.authorization.k8s.io/Role'],
  ['rbac.authorization.k8s.io/ClusterRoleBinding', 'rbac.authorization.k8s.io/RoleBinding'],
  ['/ConfigMap', '/PersistentVolume', '/Secret'],
  ['/PersistentVolumeClaim', '/Service', 'policy/PodDisruptionBudget'],
  [
    '/Pod',
    '/ReplicationController',
    'apps/DaemonSet',
    'apps/Deployment',
    'apps/ReplicaSet',
    'apps/StatefulSet',
  ],
  ['batch/CronJob', 'batch/Job'],
  ['autoscaling/HorizontalPodAutoscaler', 'networking.k8s.io/Ingress'],
];

/** Kinds not listed: most often custom resources, which need the controllers above. */
const OTHER_RANK = RANKS.length;

/** What can refuse or answer for other objects comes when those are there. */
const LAST: readonly string[] = [
  'apiregistration.k8s.io/APIService',
  'admissionregistration.k8s.io/MutatingWebhookConfiguration',
  'admissionregistration.k8s.io/ValidatingAdmissionPolicy',
  'admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding',
  'admissionregistration.k8s.io/ValidatingWebhookConfiguration',
];

const RANK_OF: ReadonlyMap<string, number> = new Map([
  ...RANKS.flatMap((kinds, rank) => kinds.map((kind): [string, number] => [kind, rank])),
  ...LAST.map((kind): [string, number] => [kind, OTHER_RANK + 1]),
]);

/** Place of an object's kind in the order of applying: CRDs 0, namespaces 1, …, webhooks last. */
export function applyRank({ apiVersion, kind }: Pick<KubeObject, 'apiVersion' | 'kind'>): number {
  return RANK_OF.get(`${groupOf(apiVersion)}/${kind}`) ?? OTHER_RANK;
}

export interface Placed<T> {
  readonly item: T;
  /** Never smaller than the ranks before it; equal ranks may be applied together. */
  readonly rank: number;
}

/**
 * Put objects of one cluster into the order in which they are applied.
 *
 * An object comes after what it refers to, if that is among the items, and otherwise by the rank of its kind; a
 * reference that would run against the ranks lifts the object that refers. Objects that refer to each other in a circle
 * keep their kinds' ranks. Order: (1) rank, (2) position of references, (3) resource key.
 */
export function orderForApply<T>(
  items: readonly T[],
  objectOf: (item: T) => KubeObject,
  referencesOf: (object: KubeObject) => readonly DependentReference[],
): readonly Placed<T>[] {
  const nodes = sorted(
    items.map((item): Node<T> => {
      const object = objectOf(item);
      return {
        item,
        object,
        key: refKey(refOf(object)),
        rank: applyRank(object),
        level: 0,
        state: 'new',
      };
    }),
    compareBy(({ key }) => key),
  );
  const find = referenceFinder(nodes);
  for (const node of nodes) settle(node, find, referencesOf);
  const order = inOrder<Node<T>>(
    compareBy(({ rank }) => rank),
    compareBy(({ level }) => level),
    compareBy(({ key }) => key),
  );
  return sorted(nodes, order).map(({ item, rank }) => ({ item, rank }));
}

interface Node<T> {
  readonly item: T;
  readonly object: KubeObject;
  readonly key: string;
  rank: number;
  /** Longest chain of references within the rank. */
  level: number;
  state: 'new' | 'open' | 'done';
}

type Find<T> = (reference: DependentReference) => readonly Node<T>[];

/** Depth first: whatever an object refers to has its final rank before the object gets its own. */
function settle<T>(
  node: Node<T>,
  find: Find<T>,
  referencesOf: (object: KubeObject) => readonly DependentReference[],
): void {
  if (node.state !== 'new') return;
  node.state = 'open';
  for (const reference of referencesOf(node.object)) {
    for (const target of find(reference)) {
      settle(target, find, referencesOf);
      if (target.state !== 'done') continue;
      if (target.rank > node.rank) {
        node.rank = target.rank;
        node.level = 0;
      }
      if (target.rank === node.rank) node.level = Math.max(node.level, target.level + 1);
    }
  }
  node.state = 'done';
}

function referenceFinder<T>(nodes: readonly Node<T>[]): Find<T> {
  const byKey = new Map(nodes.map((node) => [node.key, node]));
  return (reference) => {
    if (reference.name !== undefined) {
      const found = byKey.get(refKey(reference as ObjectRef));
      return found === undefined ? [] : [found];
    }
    const matches = compileLabelSelector(reference.labelSelector as LabelSelector | undefined);
    return nodes.filter(
      ({ object }) =>
        object.apiVersion === reference.apiVersion &&
        object.kind === reference.kind &&
        (object.metadata.namespace ?? '') === (reference.namespace ?? '') &&
        matches(object.metadata.labels),
    );
  };
}
