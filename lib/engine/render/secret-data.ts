import type { KubeObject } from '../../api/object.js';
import { fieldsOf, objectAt } from '../interpret/field.js';

/**
 * A Secret with its `stringData` in `data`, as every API server stores it.
 *
 * The field can be written and never read: what is stored would always differ from what is planned, and a key that leaves
 * `stringData` would stay in the cluster, since no manager owns it there. Encrypted documents (SOPS) stay as they are.
 */
export function withStoredData(object: KubeObject): KubeObject {
  const texts = objectAt(object, 'stringData');
  const isSecret = object.apiVersion === 'v1' && object.kind === 'Secret';
  if (!isSecret || texts === undefined || object['sops'] !== undefined) return object;
  if (!Object.values(texts).every((text) => typeof text === 'string')) return object;
  const { stringData: _, ...rest } = object;
  const stored = Object.entries(texts).map(([key, text]) => [key, base64(String(text))]);
  return {
    ...rest,
    data: { ...fieldsOf(object['data']), ...(Object.fromEntries(stored) as object) },
  };
}

function base64(text: string): string {
  return btoa(
    Array.from(new TextEncoder().encode(text), (byte) => String.fromCodePoint(byte)).join(''),
  );
}
