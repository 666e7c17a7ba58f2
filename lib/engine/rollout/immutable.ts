import type { KubeObject } from '../../api/object.js';
import { equalData } from '../canonical.js';
import { compareStrings, sorted } from '../compare.js';
import { fieldAt, fieldsOf, withField, withoutField } from '../interpret/field.js';
import { findDrift } from './drift.js';
import { droppedFields } from './dropped-fields.js';
import { immutablePaths, type Path } from './immutable-rules.js';

/** Compared as a whole: a key that is gone is a change too. */
const WHOLE = new Set(['data', 'binaryData', 'parameters', 'roleRef', 'selector']);

/** What the server fills in again when it is no longer applied, with the value it had in all likelihood. */
const DEFAULTED = new Set([
  'accessModes',
  'completionMode',
  'completions',
  'podManagementPolicy',
  'preemptionPolicy',
  'reclaimPolicy',
  'storageClassName',
  'type',
  'volumeBindingMode',
  'volumeMode',
]);

/**
 * Fields that applying `desired` would change and that an API server does not let change on an object that is there, as
 * paths for people (`.spec.selector`), sorted; empty: it can be applied in place, as far as is known here.
 *
 * Kinds of Kubernetes are known. Rules of custom resources are not: there the server's refusal is all there is. Never holds
 * a value. A Secret's texts must be in `data` already, as manifests have them.
 */
export function immutableChanges(desired: KubeObject, live: KubeObject): readonly string[] {
  const found = immutablePaths(desired, live).flatMap((path) => changesAt(desired, live, path));
  return sorted(new Set(found), compareStrings);
}

function changesAt(desired: KubeObject, live: KubeObject, path: Path): readonly string[] {
  const wanted = fieldAt(desired, ...path);
  const there = fieldAt(live, ...path);
  const name = path.at(-1) ?? '';
  if (wanted === undefined) {
    const isDropped = there !== undefined && !DEFAULTED.has(name);
    return isDropped ? droppedFields(desired, live, path) : [];
  }
  if (WHOLE.has(name)) return equalData(wanted, there ?? {}) ? [] : [`.${path.join('.')}`];
  const fixed = fixedPart(wanted, desired.kind, name, live);
  return [...driftAt(fixed, there, path), ...droppedFields(desired, live, path)];
}

/** Without what may change although the rest of the field may not: a Pod's images, what schedules a Job that waits. */
function fixedPart(wanted: unknown, kind: string, name: string, live: KubeObject): unknown {
  if (kind === 'Pod' && Array.isArray(wanted))
    return wanted.map((item: unknown) =>
      typeof item === 'object' ? withoutField(fieldsOf(item), ['image']) : item,
    );
  if (kind !== 'Job' || name !== 'template' || hasStarted(live)) return wanted;
  return LOOSE_BEFORE_START.reduce((value, path) => withoutField(value, path), fieldsOf(wanted));
}

const LOOSE_BEFORE_START: readonly Path[] = [
  ['metadata', 'annotations'],
  ['metadata', 'labels'],
  ['spec', 'affinity'],
  ['spec', 'nodeSelector'],
  ['spec', 'schedulingGates'],
  ['spec', 'tolerations'],
];

function hasStarted(job: KubeObject): boolean {
  const isSuspended = fieldAt(job, 'spec', 'suspend') === true;
  return !isSuspended || fieldAt(job, 'status', 'startTime') !== undefined;
}

function driftAt(wanted: unknown, there: unknown, path: Path): readonly string[] {
  const bare: KubeObject = { apiVersion: '', kind: '', metadata: {} };
  const live = there === undefined ? bare : withField(bare, path, there);
  return findDrift(withField(bare, path, wanted), live).map((field) => field.path);
}
