import type { KubeObject } from '../../api/object.js';

/** Karmada's label: with the value `Always` nobody may delete the object. Source: API reference, deletion protection. */
export const PROTECTION_LABEL = 'resourcetemplate.karmada.io/deletion-protected';

/** Why an object must not be deleted, by itself or with its namespace; `undefined`: it may. */
export function protectionOf(
  object: KubeObject,
  namespace: KubeObject | undefined,
): string | undefined {
  if (isProtected(object)) return `it is protected (label ${PROTECTION_LABEL}: Always)`;
  return namespace !== undefined && isProtected(namespace)
    ? `Namespace ${namespace.metadata.name ?? ''} is protected (label ${PROTECTION_LABEL}: Always)`
    : undefined;
}

function isProtected({ metadata }: KubeObject): boolean {
  return metadata.labels?.[PROTECTION_LABEL] === 'Always';
}
