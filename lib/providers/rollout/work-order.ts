import type { LiveState } from '../../engine/input.js';
import type { Interpreter } from '../../engine/interpret/index.js';
import { refKey, refOf } from '../../engine/object.js';
import type { Plan, PlannedWave, Release } from '../../engine/plan.js';
import { gateReadiness } from '../../engine/rollout/index.js';
import { own } from '../../engine/own.js';

/**
 * The waves with their clusters in the order in which work on them starts: (1) those that this plan changes, (2) those that
 * an earlier run left unready, (3) those that are only looked at again. Within each, the wave's own order.
 *
 * It matters where fewer clusters may be at work than the wave has: a change must not wait behind what is unchanged.
 */
export function inWorkOrder(
  { waves, releases }: Pick<Plan, 'waves' | 'releases'>,
  unready: ReadonlySet<string>,
): readonly PlannedWave[] {
  const changed = new Set(releases.filter(isChanging).map(({ cluster }) => cluster));
  const urgency = (cluster: string): number =>
    changed.has(cluster) ? 0 : unready.has(cluster) ? 1 : 2;
  return waves.map((wave) => ({
    ...wave,
    clusters: [0, 1, 2].flatMap((level) =>
      wave.clusters.filter((cluster) => urgency(cluster) === level),
    ),
  }));
}

function isChanging({ manifests }: Release): boolean {
  return manifests.some(({ action, growing }) => action !== 'none' || growing !== undefined);
}

/** Clusters where something of the plan was not there, or not rolled out, when they were read. */
export function unreadyClusters(
  { releases }: Pick<Plan, 'releases'>,
  { members }: LiveState,
  interpreters: readonly Interpreter[] = [],
): ReadonlySet<string> {
  const isUnready = ({ cluster, manifests }: Release): boolean => {
    const objects = own(members, cluster);
    if (objects === undefined) return false;
    const live = new Map(objects.map((object) => [refKey(refOf(object)), object]));
    return manifests.some(({ resource, object: planned }) => {
      const object = live.get(refKey(resource));
      return object === undefined || !gateReadiness(planned, object, interpreters).ready;
    });
  };
  return new Set(releases.filter(isUnready).map(({ cluster }) => cluster));
}
