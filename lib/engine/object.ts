import type { KubeObject, ObjectRef } from '../api/object.js';

export type { KubeObject, ObjectMeta, ObjectRef } from '../api/object.js';

/** The reference of an object; an absent name becomes the empty string, which validation refuses. */
export function refOf(object: KubeObject): ObjectRef {
  const { name = '', namespace } = object.metadata;
  const { apiVersion, kind } = object;
  return {
    apiVersion,
    kind,
    ...(namespace !== undefined && namespace !== '' && { namespace }),
    name,
  };
}

/** A map key for a reference: `apps/v1/Deployment/shop/web`; cluster-scoped objects have an empty namespace part. */
export function refKey(ref: ObjectRef): string {
  return `${ref.apiVersion}/${ref.kind}/${ref.namespace ?? ''}/${ref.name}`;
}

/** For people: `Deployment shop/web`, `Namespace shop`. */
export function describeRef(ref: ObjectRef): string {
  return ref.namespace === undefined
    ? `${ref.kind} ${ref.name}`
    : `${ref.kind} ${ref.namespace}/${ref.name}`;
}

/** Karmada's name for the binding of a template: `web-deployment`. Source: scheduling reference §4. */
export function bindingName({ kind, name }: Pick<ObjectRef, 'kind' | 'name'>): string {
  return `${name.replaceAll(':', '.')}-${kind}`.toLowerCase();
}

/** API group of an apiVersion; the core group is the empty string. */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? '' : apiVersion.slice(0, slash);
}
