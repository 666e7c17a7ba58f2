import type { ObjectRef } from './object.js';
import type { PlanOptions } from './input.js';
import { applicationMark } from './plan.js';

/** The object on each cluster that stands for all of an application's objects there (KEP-3659's parent). */
export function applySetParent(
  options: Pick<PlanOptions, 'application' | 'environment'>,
): ObjectRef {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    namespace: 'default',
    name: `fleetwright-${applicationMark(options)}`,
  };
}

/** KEP-3659: `applyset-<base64url(sha256("<name>.<namespace>.<kind>.<group>"))>-v1`. */
export function applySetId(
  { name, namespace = '', kind }: ObjectRef,
  hash: (text: string) => string,
): string {
  return `applyset-${base64Url(hash(`${name}.${namespace}.${kind}.`))}-v1`;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Hex to unpadded base64url. */
function base64Url(hex: string): string {
  let text = '';
  for (let i = 0; i < hex.length; i += 3) {
    // Three hex digits are twelve bits: two characters; a rest of one or two digits is filled up with zeros.
    const bits = Number.parseInt(hex.slice(i, i + 3).padEnd(3, '0'), 16);
    text +=
      ALPHABET.charAt(bits >> 6) +
      (i + 2 <= hex.length - 1 || hex.length - i === 2 ? ALPHABET.charAt(bits & 63) : '');
  }
  return text;
}
