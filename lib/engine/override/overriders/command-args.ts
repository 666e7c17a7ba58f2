import type { KubeObject } from '../../../api/object.js';
import type { CommandArgsOverrider } from '../../../api/overriders.js';
import type { Edited } from '../fault.js';
import type { PatchOperation } from '../json-patch.js';
import { applyPatch } from '../json-patch.js';
import { containersOf } from './pod-spec.js';

/**
 * Append to, or filter, `command` or `args` of the containers of a name. A missing list is created, an empty one for
 * `remove`; no such container means no effect. Source: lifecycle reference §7.4.
 */
export function overrideList(
  field: 'command' | 'args',
): (object: KubeObject, overrider: CommandArgsOverrider) => Edited<KubeObject> {
  return (object, { containerName, operator, value = [] }) => {
    const containers = containersOf(object);
    if (!containers.ok) return containers;
    const { pointer, items } = containers.value;
    const operations: PatchOperation[] = [];
    for (const [position, container] of items.entries()) {
      if (container['name'] !== containerName) continue;
      const current = Array.isArray(container[field])
        ? (container[field] as readonly unknown[])
        : [];
      const removed = new Set<unknown>(value);
      const next =
        operator === 'add' ? [...current, ...value] : current.filter((item) => !removed.has(item));
      operations.push({ op: 'add', path: `${pointer}/${position}/${field}`, value: next });
    }
    return applyPatch(object, operations) as Edited<KubeObject>;
  };
}
