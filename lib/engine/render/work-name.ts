const DIGITS = '456789bcdf';

/**
 * Karmada's name of a Work: the manifest's name and a hash of where and what it is, after overrides.
 *
 * @example workName({ kind: 'Deployment', namespace: 'default', name: 'nginx' }) // nginx-687f7fb96f
 */
export function workName(manifest: {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}): string {
  const name = manifest.name.toLowerCase().replaceAll(':', '.');
  const { namespace = '', kind } = manifest;
  const identity = namespace === '' ? `${name}-${kind}` : `${namespace}-${name}-${kind}`;
  const hash = String(fnv1a32(identity.toLowerCase()));
  return `${name}-${hash.replace(/\d/g, (digit) => DIGITS[Number(digit)] ?? digit)}`;
}

/** FNV-1a, 32 bits, over the UTF-8 bytes. */
function fnv1a32(text: string): number {
  let hash = 2166136261;
  for (const byte of utf8(text)) hash = Math.imul(hash ^ byte, 16777619);
  return hash >>> 0;
}

function utf8(text: string): readonly number[] {
  return [...unescape(encodeURIComponent(text))].map((character) => character.charCodeAt(0));
}
