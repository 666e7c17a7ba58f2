import type { KubeObject } from '../../../api/object.js';
import { countAt, textAt } from '../field.js';
import { InterpretError } from '../interpret-error.js';
import type { AggregatedStatusItem } from '../interpreter.js';

/** Annotation that carries the template's generation to the member object and back. */
export const TEMPLATE_GENERATION = 'resourcetemplate.karmada.io/generation';

/**
 * The federated `observedGeneration`: the template's generation if every item has caught up, else the value it had.
 *
 * Items without status count in the total, so one missing report holds it back; no items at all let it through.
 * Source: lifecycle reference §3.6.
 */
export function federatedGeneration(
  template: KubeObject,
  items: readonly AggregatedStatusItem[] | undefined,
  caughtUp: (status: unknown, generation: number) => boolean,
): number {
  const generation = template.metadata.generation ?? 0;
  const behind = (items ?? []).some(
    ({ status }) => status === undefined || !caughtUp(status, generation),
  );
  return behind ? countAt(template, 'status', 'observedGeneration') : generation;
}

/** Karmada's rule for Deployment, ReplicaSet and DaemonSet. */
export function hasCaughtUp(status: unknown, generation: number): boolean {
  return (
    countAt(status, 'observedGeneration') >= countAt(status, 'generation') &&
    countAt(status, 'resourceTemplateGeneration') >= generation
  );
}

/**
 * The two generation fields of a reflected status, zeros left out.
 *
 * @throws {@link InterpretError} when the annotation is missing or no 64-bit integer: the old status stays.
 */
export function generationFields(object: KubeObject): Record<string, number> {
  const text = textAt(object.metadata.annotations, TEMPLATE_GENERATION);
  if (!/^[+-]?\d+$/.test(text) || BigInt.asIntN(64, BigInt(text)) !== BigInt(text)) {
    throw new InterpretError(
      `annotation ${TEMPLATE_GENERATION} of ${object.kind} is ${JSON.stringify(text)}, not an integer`,
    );
  }
  const generation = object.metadata.generation ?? 0;
  const templateGeneration = Number(text);
  return {
    ...(generation !== 0 && { generation }),
    ...(templateGeneration !== 0 && { resourceTemplateGeneration: templateGeneration }),
  };
}
