import type { FieldPath, Finding } from '../finding.js';
import { isPathSegment } from '../format.js';
import type { CrossVersionObjectReference } from '../scale-target.js';
import { needed, refused } from './report.js';

/** Kind and name are given and can stand in a URL. */
export function scaleTargetRules(
  path: FieldPath,
  target: CrossVersionObjectReference,
): readonly Finding[] {
  return (['kind', 'name'] as const).flatMap((field) =>
    segmentRules([...path, field], target[field]),
  );
}

/** Given, and usable as a segment of a URL path. */
export function segmentRules(path: FieldPath, text: string): readonly Finding[] {
  if (text === '') return [needed(path)];
  return isPathSegment(text) ? [] : [refused(path, 'must contain neither "/" nor "%"', text)];
}
