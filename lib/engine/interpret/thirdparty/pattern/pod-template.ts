import type { KubeObject } from '../../../../api/object.js';
import type { Component, ReplicaRequirements } from '../../../../api/resource-binding.js';
import { fieldAt } from '../../field.js';
import { InterpretError } from '../../interpret-error.js';
import type { DependentReference, Interpreter } from '../../interpreter.js';
import { namespaceOf, podReferences, uniqueReferences } from '../../pod/references.js';
import { podRequirements } from '../../pod/requirements.js';

/** References of pod templates; an object without a namespace counts as one of `default`. */
export function referencesOf(
  object: KubeObject,
  ...templates: readonly unknown[]
): readonly DependentReference[] {
  const namespace = namespaceOf(object) ?? 'default';
  return uniqueReferences(
    templates.flatMap((template) => podReferences(fieldAt(template, 'spec'), namespace)),
  );
}

/** References of `spec.template` (lifecycle reference §5.2, PODDEPS). */
export const templateReferences: NonNullable<Interpreter['interpretDependency']> = (object) =>
  referencesOf(object, fieldAt(object, 'spec', 'template'));

/** A count with the requirements of a pod template, where it has any. */
export function replicasOf(
  replicas: number,
  template: unknown,
): { readonly replicas: number; readonly requirements?: ReplicaRequirements } {
  const requirements = podRequirements(fieldAt(template, 'spec'));
  return { replicas, ...(requirements !== undefined && { requirements }) };
}

/** One component of a workload made of several kinds of pods. */
export function componentOf(name: string, replicas: number, template: unknown): Component {
  const replicaRequirements = podRequirements(fieldAt(template, 'spec'));
  return {
    name,
    replicas,
    ...(replicaRequirements !== undefined && { replicaRequirements }),
  } as Component;
}

/** The number in `spec.<field>`. Scripts take what they find: anything else is an error. */
export function specCount(object: KubeObject, field: string, fallback?: number): number {
  const value = fieldAt(object, 'spec', field) ?? fallback;
  if (typeof value === 'number') return Math.trunc(value);
  throw new InterpretError(
    `spec.${field} of ${object.kind} ${object.metadata.name ?? ''} is not a number`,
  );
}
