import { compareBy, inOrder, sorted } from '../lib/engine/compare.js';
import { describeRef, type ObjectRef, refKey, refOf } from '../lib/engine/object.js';
import type { LiveState } from '../lib/engine/input.js';
import type { Plan } from '../lib/engine/plan.js';
import { driftedFields } from '../lib/engine/rollout/index.js';

/** An object that is not on a cluster as the plan has it. */
export interface Drift {
  readonly cluster: string;
  readonly resource: ObjectRef;
  readonly state: 'missing' | 'differs' | 'unwanted';
  /** Of `differs`: fields with another value than the plan's. */
  readonly fields: readonly string[];
  /** Of `differs`: who else writes to the object, as its managed fields say; sorted. */
  readonly managers: readonly string[];
}

/** What differs between a plan and the clusters that were read; sorted by cluster, then object. */
export function driftOf(plan: Plan, live: LiveState): Drift[] {
  const found = plan.releases.flatMap(({ cluster, manifests, deletions }): Drift[] => {
    const objects = live.members[cluster];
    if (objects === undefined) return [];
    const byKey = new Map(objects.map((object) => [refKey(refOf(object)), object]));
    const held = manifests.flatMap(({ resource, object, shared }): Drift[] => {
      const there = byKey.get(refKey(resource));
      if (there === undefined)
        return [{ cluster, resource, state: 'missing', fields: [], managers: [] }];
      const fields = shared ? [] : driftedFields(object, there);
      return fields.length === 0
        ? []
        : [
            {
              cluster,
              resource,
              state: 'differs',
              fields,
              managers: othersOf(there.metadata.managedFields),
            },
          ];
    });
    const unwanted = deletions
      .filter(({ resource }) => byKey.has(refKey(resource)))
      .map(({ resource }): Drift => ({
        cluster,
        resource,
        state: 'unwanted',
        fields: [],
        managers: [],
      }));
    return [...held, ...unwanted];
  });
  return sorted(
    found,
    inOrder(
      compareBy((d) => d.cluster),
      compareBy((d) => refKey(d.resource)),
    ),
  );
}

export function describeDrift(found: readonly Drift[]): string {
  if (found.length === 0) return 'The clusters are as planned.\n';
  return found
    .map(({ cluster, resource, state, fields, managers }) => {
      const head = `${{ missing: '+', differs: '~', unwanted: '-' }[state]} ${cluster}  ${describeRef(resource)} ${state}`;
      const by = managers.length === 0 ? '' : `\n    also written by ${managers.join(', ')}`;
      return `${head}${fields.map((field) => `\n    ${field}`).join('')}${by}\n`;
    })
    .join('');
}

function othersOf(managedFields: readonly unknown[] = []): string[] {
  const names = managedFields.map((entry) => (entry as { readonly manager?: unknown }).manager);
  return [
    ...new Set(
      names.filter(
        (name): name is string => typeof name === 'string' && !name.startsWith('fleetwright'),
      ),
    ),
  ].sort();
}
