import type { KubeObject } from '../../../api/object.js';
import { fieldAt, withField } from '../field.js';
import { InterpretError } from '../interpret-error.js';
import type { DependentReference, Interpreter } from '../interpreter.js';
import { namespaceOf, podReferences } from './references.js';
import { podRequirements } from './requirements.js';

/** Replica count in `spec.replicas`, requirements from the pod template: Deployment, ReplicaSet, StatefulSet. */
export const interpretReplicas: NonNullable<Interpreter['interpretReplica']> = (object) => ({
  replicas: wholeNumberAt(object, 'replicas') ?? 0,
  ...templateRequirements(object),
});

/** Requirements of `spec.template.spec`, as a spreadable member. */
export function templateRequirements(
  object: KubeObject,
): Pick<ReturnType<NonNullable<Interpreter['interpretReplica']>>, 'requirements'> {
  const requirements = podRequirements(fieldAt(object, 'spec', 'template', 'spec'));
  return requirements === undefined ? {} : { requirements };
}

/** References of `spec.template.spec`. */
export function templateReferences(object: KubeObject): readonly DependentReference[] {
  return podReferences(fieldAt(object, 'spec', 'template', 'spec'), namespaceOf(object));
}

/**
 * A reviser that writes the count to `spec.<field>`, only where the template has that field.
 * A field of another type is an error.
 */
export function revise(field: string): NonNullable<Interpreter['reviseReplica']> {
  return (object, replicas) => {
    const current = wholeNumberAt(object, field);
    if (current === undefined || current === replicas) return object;
    return withField(object, ['spec', field], replicas);
  };
}

/** The number in `spec.<field>`; `undefined` when absent. */
export function wholeNumberAt(object: KubeObject, field: string): number | undefined {
  const value = fieldAt(object, 'spec', field);
  if (value === undefined || Number.isInteger(value)) return value as number | undefined;
  throw new InterpretError(
    `spec.${field} of ${object.kind} ${object.metadata.name ?? ''} is not a whole number`,
  );
}
