import type { KubeObject } from '../../../../api/object.js';
import type { Component } from '../../../../api/resource-binding.js';
import { fieldAt, listAt, textAt, withoutField } from '../../field.js';
import type { AggregatedStatusItem, DependentReference } from '../../interpreter.js';
import { reporting } from '../../aggregate/counters.js';
import { numberOf } from '../pattern/number.js';
import { componentOf, referencesOf } from '../pattern/pod-template.js';

/** The head of a Ray cluster, then one component per group of workers. */
export function clusterComponents(clusterSpec: unknown): readonly Component[] {
  const head = fieldAt(clusterSpec, 'headGroupSpec', 'template');
  const workers = listAt(clusterSpec, 'workerGroupSpecs').map((group, position) =>
    componentOf(
      textAt(group, 'groupName') || `worker-${position + 1}`,
      numberOf(fieldAt(group, 'replicas'), 0),
      fieldAt(group, 'template'),
    ),
  );
  return head === undefined ? workers : [componentOf('ray-head', 1, head), ...workers];
}

/** References of the pod templates of a Ray cluster and of further ones; ephemeral containers are not looked into. */
export function clusterReferences(
  object: KubeObject,
  clusterSpec: unknown,
  ...further: readonly unknown[]
): readonly DependentReference[] {
  const templates = [
    fieldAt(clusterSpec, 'headGroupSpec', 'template'),
    ...listAt(clusterSpec, 'workerGroupSpecs').map((group) => fieldAt(group, 'template')),
    ...further,
  ].filter((template) => template !== undefined);
  const lasting = templates.map((template) =>
    withoutField(template as object, ['spec', 'ephemeralContainers']),
  );
  return referencesOf(object, ...lasting);
}

/** The first value of a field that is neither absent nor empty. */
export function firstOf(items: readonly AggregatedStatusItem[], field: string): unknown {
  return reporting(items)
    .map(({ status }) => fieldAt(status, field))
    .find(
      (value) =>
        value !== undefined &&
        value !== '' &&
        (typeof value !== 'object' || Object.keys(value as object).length > 0),
    );
}

/** All members' conditions, one after the other. */
export function allConditions(items: readonly AggregatedStatusItem[]): readonly unknown[] {
  return reporting(items).flatMap(({ status }) => listAt(status, 'conditions'));
}

/** Karmada's answers have no spec: only the status of them is ever written. */
export function withoutSpec(template: KubeObject): KubeObject {
  return withoutField(template, ['spec']);
}
