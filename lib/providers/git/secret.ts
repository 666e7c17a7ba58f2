import type { KubeObject } from '../../engine/object.js';

/**
 * Whether a committed file would give a Secret's values away: it has data, and SOPS did not encrypt it.
 * SealedSecret and ExternalSecret are other kinds and hold no readable values.
 */
export function isReadableSecret(object: KubeObject): boolean {
  if (object.apiVersion !== 'v1' || object.kind !== 'Secret') return false;
  const values = [...valuesOf(object['data']), ...valuesOf(object['stringData'])];
  return values.some((value) => value !== '' && !isEncrypted(value, object));
}

function valuesOf(data: unknown): readonly unknown[] {
  return typeof data === 'object' && data !== null ? Object.values(data) : [];
}

function isEncrypted(value: unknown, object: KubeObject): boolean {
  const { sops } = object as { readonly sops?: unknown };
  return (
    typeof sops === 'object' &&
    sops !== null &&
    typeof value === 'string' &&
    /^ENC\[AES256_GCM,/.test(value)
  );
}
