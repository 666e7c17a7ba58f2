import type { KubeObject } from '../../api/object.js';
import { compareBy, sorted } from '../compare.js';
import type { SourcedObject } from '../input.js';
import { fieldAt, listAt, objectAt, textAt } from '../interpret/field.js';
import {
  candidates,
  indexByPairs,
  pairsOfLabels,
  requiredPairs,
  type PairIndex,
} from '../label-pairs.js';
import {
  compileLabelSelector,
  findLabelSelectorFault,
  type Labels,
  type LabelSelector,
} from '../label-selector.js';
import { groupOf, refKey, refOf } from '../object.js';
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
  readonly kind: CompanionKind;
  readonly template: SourcedObject;
  readonly reason: string;
}

type FindCompanions = (
  index: CompanionIndex,
  workload: KubeObject,
  pods: PodTemplate,
) => readonly Companion[];

/** Templates that may come along, arranged by what they point at. */
export interface CompanionIndex {
  readonly templates: TemplateIndex;
  /** By namespace. */
  readonly services: ReadonlyMap<string, PairIndex<SourcedObject>>;
  readonly budgets: ReadonlyMap<string, PairIndex<SourcedObject>>;
  /** By `targetKey`, sorted by resource key. */
  readonly autoscalers: ReadonlyMap<string, readonly SourcedObject[]>;
}

export function indexCompanions(templates: TemplateIndex): CompanionIndex {
  const autoscalers = new Map<string, SourcedObject[]>();
  const services = new Map<string, SourcedObject[]>();
  const budgets = new Map<string, SourcedObject[]>();
  for (const template of templates.byKey.values()) {
    const { object } = template;
    const namespace = object.metadata.namespace ?? '';
    switch (`${groupOf(object.apiVersion)}/${object.kind}`) {
      case '/Service':
        if (Object.keys(serviceSelector(object)).length > 0) push(services, namespace, template);
        break;
      case 'policy/PodDisruptionBudget':
        if (isWellFormed(budgetSelector(object))) push(budgets, namespace, template);
        break;
      case 'autoscaling/HorizontalPodAutoscaler':
        push(autoscalers, targetOf(object), template);
        break;
      default:
    }
  }
  return {
    templates,
    services: mapValues(services, (list) =>
      indexByPairs(list, ({ object }) => pairsOfLabels(serviceSelector(object))),
    ),
    budgets: mapValues(budgets, (list) =>
      indexByPairs(list, ({ object }) => requiredPairs(budgetSelector(object) ?? {})),
    ),
    autoscalers: mapValues(autoscalers, inKeyOrder),
  };
}

/** Without a selector a budget protects nothing. */
function isWellFormed(selector: LabelSelector | undefined): boolean {
  return selector !== undefined && findLabelSelectorFault(selector) === undefined;
}

function targetOf(autoscaler: KubeObject): string {
  const target = fieldAt(autoscaler, 'spec', 'scaleTargetRef');
  const group = groupOf(textAt(target, 'apiVersion'));
  const { namespace } = autoscaler.metadata;
  return targetKey(namespace, group, textAt(target, 'kind'), textAt(target, 'name'));
}

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

function mapValues<A, B>(
  map: ReadonlyMap<string, A>,
  change: (value: A) => B,
): ReadonlyMap<string, B> {
  return new Map([...map].map(([key, value]) => [key, change(value)]));
}

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
  index: CompanionIndex,
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
    .map((template) => ({ kind: 'rbac', template, reason: 'the role it grants' }));
}

const RBAC = 'rbac.authorization.k8s.io';

function servicesOf(index: CompanionIndex, workload: KubeObject, pods: PodTemplate): Companion[] {
  const found = index.services.get(workload.metadata.namespace ?? '');
  if (found === undefined) return [];
  return inKeyOrder(candidates(found, pods.labels))
    .filter(({ object }) =>
      Object.entries(serviceSelector(object)).every(([key, value]) => pods.labels[key] === value),
    )
    .map((template) => ({ kind: 'services', template, reason: 'selects its pods' }));
}

/** A Service without a selector, or with an empty one, selects nothing. */
function serviceSelector(service: KubeObject): Labels {
  return (objectAt(service, 'spec', 'selector') ?? {}) as Labels;
}

function budgetsOf(index: CompanionIndex, workload: KubeObject, pods: PodTemplate): Companion[] {
  const found = index.budgets.get(workload.metadata.namespace ?? '');
  if (found === undefined) return [];
  return inKeyOrder(candidates(found, pods.labels))
    .filter(({ object }) => compileLabelSelector(budgetSelector(object))(pods.labels))
    .map((template) => ({ kind: 'budgets', template, reason: 'protects its pods' }));
}

function budgetSelector(budget: KubeObject): LabelSelector | undefined {
  return objectAt(budget, 'spec', 'selector') as LabelSelector | undefined;
}

function autoscalersOf(index: CompanionIndex, workload: KubeObject): Companion[] {
  const { apiVersion, kind, metadata } = workload;
  const key = targetKey(metadata.namespace, groupOf(apiVersion), kind, metadata.name ?? '');
  const found = index.autoscalers.get(key) ?? [];
  return found.map((template) => ({ kind: 'autoscalers', template, reason: 'scales it' }));
}

function targetKey(
  namespace: string | undefined,
  group: string,
  kind: string,
  name: string,
): string {
  return `${namespace ?? ''}|${group}|${kind}|${name}`;
}

function inKeyOrder(templates: readonly SourcedObject[]): readonly SourcedObject[] {
  return sorted(
    templates,
    compareBy(({ object }) => refKey(refOf(object))),
  );
}

function roleBindingsOf(
  { templates }: CompanionIndex,
  workload: KubeObject,
  pods: PodTemplate,
): Companion[] {
  const { namespace } = workload.metadata;
  const inNamespace = templatesOf(templates, `${RBAC}/v1`, 'RoleBinding', namespace);
  const clusterWide = templatesOf(templates, `${RBAC}/v1`, 'ClusterRoleBinding', undefined);
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
      kind: 'rbac',
      template,
      reason: `grants roles to its service account "${pods.serviceAccount}"`,
    }));
}
