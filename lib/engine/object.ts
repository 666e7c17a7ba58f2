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

/**
 * A map key for what a reference points at: `apps/Deployment/shop/web`; cluster-scoped objects have an empty namespace part.
 *
 * Without the version: a cluster serves one object in all versions of its kind, and lists it in whichever one asks for. Told
 * apart by version, a HorizontalPodAutoscaler written as v2 and listed as v1 would be two, and one of them surplus.
 */
export function refKey(ref: ObjectRef): string {
  const { apiVersion, kind, namespace = '', name } = ref;
  const slash = apiVersion.indexOf('/');
  // The core group has no name and one version, which stands for it.
  const group = slash < 0 ? apiVersion : apiVersion.slice(0, slash);
  return `${group}/${kind}/${namespace}/${name}`;
}

/** For people: `Deployment shop/web`, `Namespace shop`. */
export function describeRef(ref: ObjectRef): string {
  return ref.namespace === undefined
    ? `${ref.kind} ${ref.name}`
    : `${ref.kind} ${ref.namespace}/${ref.name}`;
}

/** As people name it in flags: `Deployment/shop/web`, `Namespace/shop`. */
export function flagName({ kind, namespace, name }: ObjectRef): string {
  return namespace === undefined ? `${kind}/${name}` : `${kind}/${namespace}/${name}`;
}

/** Karmada's name for the binding of a template: `web-deployment`. Source: scheduling reference §4. */
export function bindingName({ kind, name }: Pick<ObjectRef, 'kind' | 'name'>): string {
  return `${name.replaceAll(':', '.')}-${kind}`.toLowerCase();
}

/**
 * Whether an object is of this kind, whatever the version: `isOf(object, '', 'Namespace')`. Custom groups may define kinds of
 * the same name, which are something else.
 */
export function isOf(
  object: Pick<ObjectRef, 'apiVersion' | 'kind'>,
  group: string,
  kind: string,
): boolean {
  return object.kind === kind && groupOf(object.apiVersion) === group;
}

/** API group of an apiVersion; the core group is the empty string. */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? '' : apiVersion.slice(0, slash);
}
