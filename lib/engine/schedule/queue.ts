import type { ResourceBindingSpec } from '../../api/resource-binding.js';
import { compareBy, compareNumbers, descending, inOrder, sorted } from '../compare.js';
import type { Gates } from './gates.js';
import { bindingName } from '../object.js';

/**
 * Bindings in the order in which they are decided, so that scarce room goes to the important ones.
 *
 * Karmada takes the highest schedule priority first and then the one that waited longest; a plan has no waiting time, so
 * equals follow by (1) namespace, (2) binding name, (3) apiVersion. Source: scheduling reference §17.
 */
export function queueOrder<B extends { readonly spec: ResourceBindingSpec }>(
  bindings: readonly B[],
  gates: Pick<Gates, 'PriorityBasedScheduling'>,
): B[] {
  const priority = ({ spec }: B): number =>
    gates.PriorityBasedScheduling ? (spec.schedulePriority?.priority ?? 0) : 0;
  return sorted(
    bindings,
    inOrder<B>(
      descending((a, b) => compareNumbers(priority(a), priority(b))),
      compareBy(({ spec }) => spec.resource.namespace ?? ''),
      compareBy(({ spec }) => bindingName(spec.resource)),
      compareBy(({ spec }) => spec.resource.apiVersion),
    ),
  );
}
