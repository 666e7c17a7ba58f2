import type { ObjectRef } from '../../api/object.js';
import { compareBy, sorted } from '../compare.js';
import type { SourcedObject } from '../input.js';
import { refKey, refOf } from '../object.js';
import { type FollowInput, leads } from './follow.js';
import type { Leader } from './gathered.js';
import { indexTemplates, resolve, type TemplateIndex } from './template-index.js';

/** Whom a template would go along with, if nothing were wrong there. */
export interface LostLeader {
  readonly leader: ObjectRef;
  /** `maybe`: the rule that says what the leader needs has failed, so nobody knows. */
  readonly refers: 'yes' | 'maybe';
}

export interface Losses {
  /** Claimed, and with an error of their own that keeps them from every cluster. */
  readonly unplaced: readonly Leader[];
  /** Objects whose dependencies could not be told. */
  readonly untold: readonly ObjectRef[];
}

/**
 * By key, the templates that go nowhere because an error is about somebody else: the object that they would follow has no
 * place, or its rule for dependencies has failed. Each with the first such object by key; what is known counts before what may be.
 */
export function findLostLeaders(
  input: FollowInput,
  { unplaced, untold }: Losses,
): ReadonlyMap<string, LostLeader> {
  const found = new Map<string, LostLeader>();
  const index = indexTemplates(input.templates);
  const leaders = sorted(
    unplaced.filter((leader) => leads(leader, input)),
    compareBy((leader) => leader.key),
  );
  for (const { template, resource } of leaders) {
    for (const key of neededBy(template, input, index)) {
      if (!found.has(key)) found.set(key, { leader: resource, refers: 'yes' });
    }
  }
  // The first by key is set last.
  const descending = sorted(untold, compareBy(refKey)).reverse();
  const unknown = new Map(descending.map((ref) => [ref.namespace, ref]));
  for (const { object } of input.templates) {
    const key = refKey(refOf(object));
    const leader = unknown.get(object.metadata.namespace);
    if (leader !== undefined && !found.has(key) && refKey(leader) !== key)
      found.set(key, { leader, refers: 'maybe' });
  }
  return found;
}

/** Directly and, in profile `default`, by way of others; each key once, so that circles end. */
function neededBy(
  template: SourcedObject,
  input: FollowInput,
  index: TemplateIndex,
): ReadonlySet<string> {
  const keys = new Set<string>();
  let front: readonly SourcedObject[] = [template];
  while (front.length > 0) {
    const next: SourcedObject[] = [];
    for (const needed of front.flatMap(input.references).flatMap((r) => resolve(index, r))) {
      const key = refKey(refOf(needed.object));
      if (keys.has(key)) continue;
      keys.add(key);
      next.push(needed);
    }
    front = input.profile === 'default' ? next : [];
  }
  return keys;
}
