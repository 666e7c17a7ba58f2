import type { KubeObject } from '../../api/object.js';
import { groupOf } from '../object.js';

const STEPPED = new Set([
  'PropagationPolicy',
  'ClusterPropagationPolicy',
  'OverridePolicy',
  'ClusterOverridePolicy',
]);
/** Documents that change how objects are read, and objects that Karmada writes itself. */
const OTHER_GROUPS = new Set(['config.karmada.io', 'work.karmada.io', 'cluster.karmada.io']);

/** Whether a control plane's controllers act on the object by themselves: FederatedHPA, MultiClusterService, quotas, … */
export function isActing({ apiVersion, kind }: KubeObject): boolean {
  const group = groupOf(apiVersion);
  return group.endsWith('.karmada.io') && !OTHER_GROUPS.has(group) && !STEPPED.has(kind);
}
