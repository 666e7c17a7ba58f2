import type { KubeObject } from '../../api/object.js';
import type { SourcedObject } from '../input.js';
import { fieldAt, listAt, objectAt, textAt } from '../interpret/field.js';
import { compileLabelSelector, type LabelSelector } from '../label-selector.js';
import { groupOf } from '../object.js';
import { podTemplateOf, type PodTemplate } from './pod-template.js';
import { templatesOf, type TemplateIndex } from './template-index.js';

/** On a policy: which companions of its workloads come along although Karmada would leave them behind. */
export const FOLLOW_ANNOTATION = 'fleetwright.dev/follow';

/** Objects that point at a workload, where dependencies are objects that a workload points at. */
export const COMPANIONS = {
  /** HorizontalPodAutoscalers of the workload. */
  autoscalers: autoscalersOf,
  /** PodDisruptionBudgets that select its pods. */
  budgets: budgetsOf,
  /** Role bindings of its service account, and their roles. */
  rbac: roleBindingsOf,
  /** Services that select its pods. */
  services: servicesOf,
} as const satisfies Record<string, FindCompanions>;

export type CompanionKind = keyof typeof COMPANIONS;

export interface Companion {
  readonly template: SourcedObject;
  readonly reason: string;
}

type FindCompanions = (
  index: TemplateIndex,
  workload: KubeObject,
  pods: PodTemplate,
) => readonly Companion[];

/**
 * What the annotation asks for: names of {@link COMPANIONS}, separated by commas, or `all`.
 * Unknown names are returned apart.
 */
export function companionsAskedFor(annotation: string | undefined): {
  readonly kinds: readonly CompanionKind[];
  readonly unknown: readonly string[];
} {
  const names = (annotation ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const all = Object.keys(COMPANIONS) as CompanionKind[];
  return {
    kinds: names.includes('all') ? all : all.filter((kind) => names.includes(kind)),
    unknown: names.filter((name) => name !== 'all' && !Object.hasOwn(COMPANIONS, name)),
  };
}

/** The companions of a workload, of the kinds asked for; objects without pods have none. */
export function companionsOf(
  index: TemplateIndex,
  workload: KubeObject,
  kinds: readonly CompanionKind[],
): readonly Companion[] {
  const pods = kinds.length === 0 ? undefined : podTemplateOf(workload);
  if (pods === undefined) return [];
  return kinds.flatMap((kind) => COMPANIONS[kind](index, workload, pods));
}

/** The role that a role binding grants: it has to come along, wherever the binding goes. */
export function rolesOf(index: TemplateIndex, binding: KubeObject): readonly Companion[] {
  if (groupOf(binding.apiVersion) !== RBAC || !binding.kind.endsWith('Binding')) return [];
  const kind = textAt(binding, 'roleRef', 'kind');
  const namespace = kind === 'Role' ? binding.metadata.namespace : undefined;
  const name = textAt(binding, 'roleRef', 'name');
  return templatesOf(index, `${RBAC}/v1`, kind, namespace)
    .filter(({ object }) => object.metadata.name === name)
    .map((template) => ({ template, reason: 'the role it grants' }));
}

const RBAC = 'rbac.authorization.k8s.io';

function servicesOf(index: TemplateIndex, workload: KubeObject, pods: PodTemplate): Companion[] {
  return templatesOf(index, 'v1', 'Service', workload.metadata.namespace)
    .filter(({ object }) => {
      // A Service without a selector, or with an empty one, selects nothing.
      const selector = objectAt(object, 'spec', 'selector') ?? {};
      const wanted = Object.entries(selector);
      return wanted.length > 0 && wanted.every(([key, value]) => pods.labels[key] === value);
    })
    .map((template) => ({ template, reason: 'selects its pods' }));
}

function budgetsOf(index: TemplateIndex, workload: KubeObject, pods: PodTemplate): Companion[] {
  return templatesOf(index, 'policy/v1', 'PodDisruptionBudget', workload.metadata.namespace)
    .filter(({ object }) => {
      const selector = objectAt(object, 'spec', 'selector') as LabelSelector | undefined;
      return compileLabelSelector(selector)(pods.labels);
    })
    .map((template) => ({ template, reason: 'protects its pods' }));
}

function autoscalersOf(index: TemplateIndex, workload: KubeObject): Companion[] {
  const { apiVersion, kind, metadata } = workload;
  return ['autoscaling/v2', 'autoscaling/v1']
    .flatMap((version) =>
      templatesOf(index, version, 'HorizontalPodAutoscaler', metadata.namespace),
    )
    .filter(({ object }) => {
      const target = fieldAt(object, 'spec', 'scaleTargetRef');
      return (
        textAt(target, 'kind') === kind &&
        textAt(target, 'name') === metadata.name &&
        groupOf(textAt(target, 'apiVersion')) === groupOf(apiVersion)
      );
    })
    .map((template) => ({ template, reason: 'scales it' }));
}

function roleBindingsOf(
  index: TemplateIndex,
  workload: KubeObject,
  pods: PodTemplate,
): Companion[] {
  const { namespace } = workload.metadata;
  const inNamespace = templatesOf(index, `${RBAC}/v1`, 'RoleBinding', namespace);
  const clusterWide = templatesOf(index, `${RBAC}/v1`, 'ClusterRoleBinding', undefined);
  return [...inNamespace, ...clusterWide]
    .filter(({ object }) =>
      listAt(object, 'subjects').some(
        (subject) =>
          textAt(subject, 'kind') === 'ServiceAccount' &&
          textAt(subject, 'name') === pods.serviceAccount &&
          (textAt(subject, 'namespace') || object.metadata.namespace) === namespace,
      ),
    )
    .map((template) => ({
      template,
      reason: `grants roles to its service account "${pods.serviceAccount}"`,
    }));
}
