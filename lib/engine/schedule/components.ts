import type { Component } from '../../api/replica-requirements.js';
import type { CompiledPlacement } from './placement.js';

/**
 * Whether a workload of several pod templates is placed as complete sets on one cluster: it has components and the
 * placement spreads over exactly one cluster. Source: scheduling reference §15.
 */
export function isMultiTemplate(
  { placement }: CompiledPlacement,
  components: readonly Component[],
): boolean {
  return (
    components.length > 0 &&
    (placement.spreadConstraints ?? []).some(
      ({ spreadByField, minGroups, maxGroups }) =>
        spreadByField === 'cluster' && minGroups === 1 && maxGroups === 1,
    )
  );
}
