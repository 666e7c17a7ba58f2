import type { TargetCluster } from '../../../lib/api/resource-binding.js';

/** A target list as recorded: by name where its order has no meaning. */
export function sortedTargets(
  clusters: readonly TargetCluster[],
  unordered: boolean | undefined,
): readonly TargetCluster[] {
  return unordered === true ? [...clusters].sort((a, b) => (a.name < b.name ? -1 : 1)) : clusters;
}
