import type { Diagnostic } from '../../engine/diagnostic.js';
import { type KubeObject, type ObjectRef, refKey, refOf } from '../../engine/object.js';
import type { Position } from './yaml.js';

/** Where a document stands, and how to find its fields. */
export interface Place {
  readonly object: KubeObject;
  readonly file: string;
  /** First line of the document, from 1. */
  readonly line: number;
  readonly locate: (path: readonly (string | number)[]) => Position;
}

/**
 * Diagnostics with file, line and column of the field they are about, as far as it can be told.
 *
 * A diagnostic finds its document by resource, and by file and first line where several documents describe the same
 * object. A path that does not exist points at its nearest ancestor. What matches no document is returned unchanged.
 */
export function locate(diagnostics: readonly Diagnostic[], places: readonly Place[]): Diagnostic[] {
  const byKey = new Map<string, Place[]>();
  if (diagnostics.length > 0) {
    for (const place of places) {
      const key = keyOf(refOf(place.object));
      byKey.set(key, [...(byKey.get(key) ?? []), place]);
    }
  }
  return diagnostics.map((diagnostic) => {
    const place = placeOf(diagnostic, byKey);
    if (place === undefined) return diagnostic;
    return { ...diagnostic, file: place.file, ...place.locate(diagnostic.path ?? []) };
  });
}

/** A document without a namespace is planned in `default`, and findings name it there. */
function keyOf(resource: ObjectRef): string {
  return refKey({ namespace: 'default', ...resource });
}

function placeOf(
  diagnostic: Diagnostic,
  byKey: ReadonlyMap<string, readonly Place[]>,
): Place | undefined {
  const { resource, file, line } = diagnostic;
  if (resource === undefined) return undefined;
  const places = byKey.get(keyOf(resource)) ?? [];
  const exact = places.find((place) => place.file === file && place.line === line);
  return (
    exact ??
    (line === undefined ? (places.find((place) => place.file === file) ?? places[0]) : undefined)
  );
}
