import type { TemplateVersion } from './generation.js';
import { liveGenerations, versionOf } from './generation.js';
import { refKey, refOf } from './object.js';
import type { Snapshot } from './snapshot.js';

/** Template versions by resource key. */
export type Versions = ReadonlyMap<string, TemplateVersion>;

/** Hash every template once: claims, the lock and the diff all ask whether it changed. */
export function versionTemplates(snapshot: Snapshot): Versions {
  const seen = liveGenerations(snapshot.live);
  return new Map(
    snapshot.templates.map(({ object }) => {
      const key = refKey(refOf(object));
      return [key, versionOf(object, snapshot.locked.get(key), seen, snapshot.tools)];
    }),
  );
}
