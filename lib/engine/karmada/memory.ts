import { compareStrings, sorted } from '../compare.js';
import { parseNote, textsIn } from './note.js';

/** On a policy: which of its suspended clusters are ours. Written together with the field, in one request. */
export const SUSPENSION_MEMORY = 'fleetwright.dev/suspension';

/** What the annotation holds. Whatever else the field lists was suspended by somebody else. */
export interface SuspensionMemory {
  /** The change that they are held for. */
  readonly rollout: string;
  /** Clusters that we suspended and have not released; sorted. */
  readonly held: readonly string[];
  /** Clusters that the user's document suspends; sorted. */
  readonly document: readonly string[];
}

export function printMemory({ rollout, held, document }: SuspensionMemory): string {
  return JSON.stringify({
    rollout,
    held: sorted(held, compareStrings),
    document: sorted(document, compareStrings),
  });
}

/** `undefined` when there is none, or nothing that we wrote: then every suspended cluster is somebody else's. */
export function parseMemory(text: string | undefined): SuspensionMemory | undefined {
  // Somebody edited it: forgetting what was ours releases nothing.
  const { rollout, held, document } = parseNote(text) ?? {};
  if (typeof rollout !== 'string') return undefined;
  return { rollout, held: names(held), document: names(document) };
}

function names(value: unknown): readonly string[] {
  return sorted(textsIn(value), compareStrings);
}
