import type { KubeObject } from '../../../api/object.js';
import { equalData } from '../../canonical.js';
import { managersAt } from '../managers-at.js';
import { FIELD_MANAGERS } from '../ownership.js';
import { count, part } from './readiness.js';

const REPLICAS = [
  { kind: 'member', name: 'spec' },
  { kind: 'member', name: 'replicas' },
] as const;

/**
 * Whether an object that has been ready (`was`) is at most being scaled, by somebody who decides its replicas in our place,
 * such as an autoscaler: nothing else of its spec changed, and as many replicas are available as were before, or as
 * are wanted now where that is fewer. New pods that are on their way then say nothing about the release.
 *
 * Where the field is ours, other replicas are drift, and this says no.
 */
export function isOnlyScaled(was: KubeObject, live: KubeObject): boolean {
  const [before, now] = [part(was, 'spec'), part(live, 'spec')];
  if (typeof before['replicas'] !== 'number' || typeof now['replicas'] !== 'number') return false;
  if (live.metadata.deletionTimestamp !== undefined) return false;
  const managers = managersAt(live, REPLICAS);
  if (managers.length === 0 || managers.includes(FIELD_MANAGERS.own)) return false;
  if (!equalData({ ...before, replicas: 0 }, { ...now, replicas: 0 })) return false;
  const status = part(live, 'status');
  const available = count(status['availableReplicas'], count(status['readyReplicas']));
  return available >= Math.min(before['replicas'], now['replicas']);
}
