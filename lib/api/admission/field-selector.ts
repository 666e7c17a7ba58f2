import type { FieldPath, Finding } from '../finding.js';
import type { ClusterAffinity, FieldSelector } from '../placement.js';
import { each, refused } from './report.js';

const KEYS = ['provider', 'region', 'zone'];
const OPERATORS = ['In', 'NotIn'];

/** Karmada takes three keys and two operators. */
export function fieldSelectorRules(
  path: FieldPath,
  selector: FieldSelector | undefined,
): readonly Finding[] {
  return each([...path, 'matchExpressions'], selector?.matchExpressions, (requirement, at) => [
    ...(KEYS.includes(requirement.key)
      ? []
      : [refused([...at, 'key'], `must be one of ${KEYS.join(', ')}`, requirement.key)]),
    ...(OPERATORS.includes(requirement.operator)
      ? []
      : [refused([...at, 'operator'], 'must be In or NotIn', requirement.operator)]),
  ]);
}

export function affinityRules(
  path: FieldPath,
  affinity: ClusterAffinity | undefined,
): readonly Finding[] {
  return fieldSelectorRules([...path, 'fieldSelector'], affinity?.fieldSelector);
}
