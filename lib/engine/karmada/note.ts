import { type Fields, isFields } from '../interpret/field.js';

/** What an annotation of ours holds; `undefined` when there is none, or somebody edited it into something else. */
export function parseNote(text: string | undefined): Fields | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The texts in a list; none in anything else. */
export function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
}
