import type { PlanInput } from './input.js';
import type { KubeObject } from './object.js';
import { refKey, refOf } from './object.js';

/** What was read from clusters: objects by cluster, then by resource key. A cluster that was not read is not in it. */
export type LiveIndex = ReadonlyMap<string, ReadonlyMap<string, KubeObject>>;

export function indexLive({ live }: Pick<PlanInput, 'live'>): LiveIndex {
  return new Map(
    Object.entries(live?.members ?? {}).map(([cluster, objects]) => [
      cluster,
      new Map(objects.map((object) => [refKey(refOf(object)), object])),
    ]),
  );
}
