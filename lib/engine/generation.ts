import type { LockedBinding } from '../api/fleet-lock.js';
import { canonicalJson } from './canonical.js';

import type { LiveState, Tools } from './input.js';
import type { KubeObject } from './object.js';
import { refKey, refOf } from './object.js';
import { MARKS } from './plan.js';
import { prune } from './render/prune.js';

/** A template's version: a content hash that may stand in a committed file, and a counter. */
export interface TemplateVersion {
  /** First 16 hex digits; Secret data left out, since short secrets can be guessed from a hash. */
  readonly hash: string;
  /** Grows by one when the hash changes; never lower than what the clusters already carry. */
  readonly generation: number;
}

/** Design §7: the lock keeps the counter; live objects can only push it up. */
export function versionOf(
  template: KubeObject,
  locked: LockedBinding | undefined,
  liveGenerations: ReadonlyMap<string, number>,
  tools: Tools,
): TemplateVersion {
  const hash = contentHash(template, tools.hash);
  const seen = liveGenerations.get(refKey(refOf(template))) ?? 0;
  const before = Math.max(locked?.generation ?? 0, seen);
  const generation = locked?.template === hash ? Math.max(1, before) : before + 1;
  return { hash, generation };
}

/** Hash of an object that may stand in a committed file: first 16 hex digits, without what belongs to API servers and Secret data. */
export function contentHash(object: KubeObject, hash: Tools['hash']): string {
  return hash(canonicalJson(withoutSecretData(prune(object)))).slice(0, 16);
}

/** Highest template generation that any member object carries, by resource key. */
export function liveGenerations(live: LiveState | undefined): ReadonlyMap<string, number> {
  const highest = new Map<string, number>();
  for (const objects of Object.values(live?.members ?? {})) {
    for (const object of objects) {
      const carried = Number(object.metadata.annotations?.[MARKS.generation] ?? 0);
      const key = refKey(refOf(object));
      if (Number.isSafeInteger(carried) && carried > (highest.get(key) ?? 0))
        highest.set(key, carried);
    }
  }
  return highest;
}

function withoutSecretData(template: KubeObject): unknown {
  if (template.kind !== 'Secret' || template.apiVersion !== 'v1') return template;
  const { data: _data, stringData: _stringData, ...rest } = template;
  const annotations = { ...rest.metadata.annotations };
  delete annotations['kubectl.kubernetes.io/last-applied-configuration'];
  return { ...rest, metadata: { ...rest.metadata, annotations } };
}
