import type { KubeObject } from '../../../api/object.js';
import { fieldAt, fieldsOf } from '../../interpret/field.js';
import type { Edited } from '../fault.js';
import { edited, faulty } from '../fault.js';

/** Where the pod spec of a well-known kind is. Told by kind name alone, so a Kruise StatefulSet is treated like a built-in one. */
const POD_SPEC: Readonly<Record<string, readonly string[]>> = {
  Pod: ['spec'],
  ReplicaSet: ['spec', 'template', 'spec'],
  Deployment: ['spec', 'template', 'spec'],
  DaemonSet: ['spec', 'template', 'spec'],
  StatefulSet: ['spec', 'template', 'spec'],
  Job: ['spec', 'template', 'spec'],
};

/** The regular containers of a well-known kind, with the JSON pointer of their list. */
export interface Containers {
  readonly pointer: string;
  readonly items: readonly Readonly<Record<string, unknown>>[];
}

/**
 * The containers that image, command and args overriders edit: no init containers, no CronJob. Kinds not listed have none.
 */
export function containersOf(object: KubeObject): Edited<Containers> {
  const path = Object.hasOwn(POD_SPEC, object.kind) ? POD_SPEC[object.kind] : undefined;
  if (path === undefined) return edited({ pointer: '', items: [] });
  const pointer = `/${path.join('/')}/containers`;
  const items = fieldAt(object, ...path, 'containers') ?? [];
  if (!Array.isArray(items)) return faulty('type', pointer, 'a list is expected there');
  return edited({ pointer, items: items.map(fieldsOf) });
}

/** Karmada reads the whole typed object to find images: a map that an earlier edit broke stops it here. */
export function findBrokenMap(object: KubeObject): string | undefined {
  const podSpec = POD_SPEC[object.kind] ?? [];
  const maps = [
    ['metadata', 'labels'],
    ['metadata', 'annotations'],
    [...podSpec, 'nodeSelector'],
  ];
  const broken = maps.find((path) => !isMapOrAbsent(fieldAt(object, ...path)));
  return broken === undefined ? undefined : `/${broken.join('/')}`;
}

function isMapOrAbsent(value: unknown): boolean {
  return value === undefined || (typeof value === 'object' && !Array.isArray(value));
}
