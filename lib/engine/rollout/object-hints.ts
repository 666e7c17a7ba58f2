import type { KubeObject } from '../../api/object.js';

/**
 * What the author of a template permits for this one object. Part of the template, so that it is reviewed with it and
 * comes to every cluster the same way.
 */
export const OBJECT_HINTS = {
  /** `ignore`: gates take the object as rolled out once its cluster has it, e.g. an Ingress that never gets an address. */
  readiness: 'fleetwright.dev/readiness',
  /** `immutable`: it may be deleted and made anew where a field changes that cannot change in place. */
  replace: 'fleetwright.dev/replace',
} as const;

const ALLOWED: Readonly<Record<keyof typeof OBJECT_HINTS, string>> = {
  readiness: 'ignore',
  replace: 'immutable',
};

/** Whether gates wait for more than that it is stored. */
export function isWaived(object: KubeObject): boolean {
  return saysSo(object, 'readiness');
}

/** Whether it may be replaced without a word on the command line. */
export function mayBeReplaced(object: KubeObject): boolean {
  return saysSo(object, 'replace');
}

/** Annotations of these names with a value that means nothing, each with the one that does. */
export function invalidHints(
  object: KubeObject,
): readonly { readonly key: string; readonly value: string; readonly allowed: string }[] {
  const names = Object.keys(OBJECT_HINTS).sort() as (keyof typeof OBJECT_HINTS)[];
  return names.flatMap((name) => {
    const key = OBJECT_HINTS[name];
    const value = object.metadata.annotations?.[key];
    const allowed = ALLOWED[name];
    return value === undefined || value === allowed ? [] : [{ key, value, allowed }];
  });
}

function saysSo({ metadata }: KubeObject, name: keyof typeof OBJECT_HINTS): boolean {
  return metadata.annotations?.[OBJECT_HINTS[name]] === ALLOWED[name];
}
