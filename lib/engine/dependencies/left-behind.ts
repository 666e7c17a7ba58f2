import type { ObjectRef } from '../../api/object.js';
import { asPolicy, describePolicy, policyKey, policyRef } from '../claim/policy.js';
import { compareBy, compareStrings, sorted } from '../compare.js';
import type { Diagnostic } from '../diagnostic.js';
import type { Profile } from '../input.js';
import { describeRef, refKey, refOf } from '../object.js';
import { about } from '../validate.js';
import {
  COMPANIONS,
  companionsOf,
  FOLLOW_ANNOTATION,
  type CompanionIndex,
  type CompanionKind,
} from './companions.js';
import type { Leader } from './gathered.js';

const SHOWN = 4;

/**
 * Companions that go nowhere although their workload is placed: what the annotation `fleetwright.dev/follow` is for.
 * One finding per policy. `isPlaced` tells by key what has a place.
 */
export function diagnoseLeftBehind(
  leaders: readonly Leader[],
  index: CompanionIndex,
  isPlaced: (key: string) => boolean,
  profile: Profile,
): readonly Diagnostic[] {
  const byPolicy = new Map<string, LeftBehind>();
  const all = Object.keys(COMPANIONS) as CompanionKind[];
  for (const leader of sorted(
    leaders,
    compareBy((one) => one.key),
  )) {
    for (const { kind, template } of companionsOf(index, leader.template.object, all)) {
      const resource = refOf(template.object);
      const key = refKey(resource);
      if (isPlaced(key)) continue;
      const policy = policyKey(policyRef(asPolicy(leader.policyDocument.object)));
      const entry = byPolicy.get(policy) ?? { leader, kinds: new Set(), objects: new Map() };
      byPolicy.set(policy, entry);
      entry.kinds.add(kind);
      entry.objects.set(key, resource);
    }
  }
  return [...byPolicy.values()].map((entry) => finding(entry, profile));
}

interface LeftBehind {
  /** The first workload, for the text. */
  readonly leader: Leader;
  readonly kinds: Set<CompanionKind>;
  readonly objects: Map<string, ObjectRef>;
}

function finding({ leader, kinds, objects }: LeftBehind, profile: Profile): Diagnostic {
  const policy = describePolicy(policyRef(asPolicy(leader.policyDocument.object)));
  const names = sorted(objects.keys(), compareStrings).flatMap((key) => {
    const resource = objects.get(key);
    return resource === undefined ? [] : [describeRef(resource)];
  });
  const more = names.length > SHOWN ? ` and ${names.length - SHOWN} more` : '';
  const wanted = sorted(kinds, compareStrings).join(', ');
  return about(leader.policyDocument, {
    code: 'COMPANION_LEFT_BEHIND',
    severity: 'info',
    summary: `${policy} places ${describeRef(leader.resource)} and goes without what belongs to its workloads: ${names.slice(0, SHOWN).join(', ')}${more}.`,
    hint:
      profile === 'default'
        ? `Annotate the policy with \`${FOLLOW_ANNOTATION}: ${wanted}\`, or select them with a policy.`
        : 'Select them with a policy: Karmada does not propagate them with their workload.',
  });
}
