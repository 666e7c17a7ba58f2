import type { KubeObject } from '../../api/object.js';
import type { ResourceSelector } from '../../api/resource-selector.js';
import type { LabelSelector } from '../label-selector.js';
import { compileLabelSelector, findLabelSelectorFault } from '../label-selector.js';
import { describeRef, refOf } from '../object.js';
import { isSet } from './selector.js';
import type { Policy } from './policy.js';
import { isSimilar } from './similar.js';

/** The one thing that keeps a selector from a template. */
export interface NearMiss {
  /** The smaller, the likelier that this is the mistake. */
  readonly rank: number;
  /** What differs, as the end of a sentence that names the policy. */
  readonly cause: string;
  readonly hint: string;
}

/**
 * What keeps a selector from a template, if it is one thing only that could be a mistake; else `undefined`.
 * Ranks: apiVersion, kind, cluster scope, namespace, name, label, malformed selector.
 */
export function findNearMiss(
  policy: Policy,
  selector: ResourceSelector,
  template: KubeObject,
): NearMiss | undefined {
  if (!isSimilar(selector.kind, template.kind)) return undefined;
  const misses: NearMiss[] = [];
  for (const look of [apiVersionMiss, kindMiss, scopeMiss, nameMiss, labelMiss]) {
    const found = look(policy, selector, template);
    if (found === 'far') return undefined;
    if (found !== undefined) misses.push(found);
    if (misses.length > 1) return undefined;
  }
  return misses[0];
}

type Look = (
  policy: Policy,
  selector: ResourceSelector,
  template: KubeObject,
) => NearMiss | 'far' | undefined;

const apiVersionMiss: Look = (_policy, selector, template) => {
  if (selector.apiVersion === template.apiVersion) return undefined;
  return {
    rank: 1,
    cause: `its selector says apiVersion "${selector.apiVersion}", ${nameOf(template)} is "${template.apiVersion}"`,
    hint: `Write apiVersion: ${template.apiVersion} in the selector.`,
  };
};

const kindMiss: Look = (_policy, selector, template) => {
  if (selector.kind === template.kind) return undefined;
  return {
    rank: 2,
    cause: `its selector says kind "${selector.kind}", ${nameOf(template)} is a ${template.kind}`,
    hint: `Write kind: ${template.kind} in the selector.`,
  };
};

const scopeMiss: Look = (policy, selector, template) => {
  const { namespace } = template.metadata;
  if (!isSet(namespace)) {
    if (policy.kind === 'ClusterPropagationPolicy' && !isSet(selector.namespace)) return undefined;
    return {
      rank: 3,
      cause: `${nameOf(template)} is cluster-scoped and the selector looks in a namespace`,
      hint: 'Use a ClusterPropagationPolicy with a selector without namespace.',
    };
  }
  const scope = policy.kind === 'PropagationPolicy' ? policy.metadata.namespace : undefined;
  const wanted = isSet(selector.namespace) ? selector.namespace : scope;
  if ((wanted === undefined || wanted === namespace) && (scope ?? namespace) === namespace)
    return undefined;
  return {
    rank: 4,
    cause: `it selects in namespace "${wanted ?? ''}", ${nameOf(template)} is in "${namespace}"`,
    hint:
      policy.kind === 'PropagationPolicy'
        ? 'Move the policy into the namespace of the template, or use a ClusterPropagationPolicy.'
        : `Write namespace: ${namespace} in the selector.`,
  };
};

const nameMiss: Look = (_policy, { name }, template) => {
  const actual = template.metadata.name ?? '';
  if (!isSet(name) || name === actual) return undefined;
  if (!isSimilar(name, actual)) return 'far';
  return {
    rank: 5,
    cause: `its selector says name "${name}", and there is ${nameOf(template)}`,
    hint: `Did you mean name: ${actual}?`,
  };
};

const labelMiss: Look = (_policy, { name, labelSelector }, template) => {
  if (isSet(name) || labelSelector === undefined) return undefined;
  const fault = findLabelSelectorFault(labelSelector);
  if (fault !== undefined) {
    return {
      rank: 7,
      cause: `its label selector is malformed: ${fault}`,
      hint: 'Correct the label selector.',
    };
  }
  const unmet = requirements(labelSelector).filter(
    ({ selector }) => !compileLabelSelector(selector)(template.metadata.labels),
  );
  const [first] = unmet;
  if (first === undefined) return undefined;
  if (unmet.length > 1) return 'far';
  const value = template.metadata.labels?.[first.key];
  const has = value === undefined ? `has no label "${first.key}"` : `has ${first.key}=${value}`;
  return {
    rank: 6,
    cause: `its label selector wants ${first.text}, ${nameOf(template)} ${has}`,
    hint: 'Correct the label selector, or the labels of the template (not those of its pods).',
  };
};

/** The parts of a selector, each as a selector of its own. */
function requirements(
  selector: LabelSelector,
): { key: string; text: string; selector: LabelSelector }[] {
  const labels = Object.entries(selector.matchLabels ?? {}).map(([key, value]) => ({
    key,
    text: `${key}=${value}`,
    selector: { matchLabels: { [key]: value } },
  }));
  const expressions = (selector.matchExpressions ?? []).map((expression) => ({
    key: expression.key,
    text: `${expression.key} ${expression.operator} ${(expression.values ?? []).join(', ')}`.trim(),
    selector: { matchExpressions: [expression] },
  }));
  return [...labels, ...expressions];
}

function nameOf(template: KubeObject): string {
  return describeRef(refOf(template));
}
