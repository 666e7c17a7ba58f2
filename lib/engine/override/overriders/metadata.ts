import type { KubeObject } from '../../../api/object.js';
import type { LabelAnnotationOverrider } from '../../../api/overriders.js';
import { objectAt } from '../../interpret/field.js';
import type { Edited } from '../fault.js';
import { edited } from '../fault.js';

/**
 * Labels or annotations of the object itself. `add` sets keys; `replace` and `remove` touch only those that are there.
 * Source: lifecycle reference §7.5.
 */
export function overrideMetadata(
  field: 'labels' | 'annotations',
): (object: KubeObject, overrider: LabelAnnotationOverrider) => Edited<KubeObject> {
  return (object, { operator, value }) => {
    const current = objectAt(object.metadata, field) ?? {};
    const touched = Object.keys(value).filter(
      (key) => operator === 'add' || Object.hasOwn(current, key),
    );
    if (touched.length === 0) return edited(object);
    const next: Record<string, unknown> = { ...current };
    for (const key of touched) {
      if (operator === 'remove') delete next[key];
      else next[key] = value[key];
    }
    return edited({ ...object, metadata: { ...object.metadata, [field]: next } } as KubeObject);
  };
}
