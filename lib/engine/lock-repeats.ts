import type { FleetLock } from '../api/fleet-lock.js';
import { describePolicy, policyKey } from './claim/policy.js';
import type { Diagnostic } from './diagnostic.js';
import { describeRef, refKey } from './object.js';

/** An entry of a lock whose subject has one already: which of two decisions holds, nobody can say. */
export interface LockRepeat {
  /** Where the second one stands, from the lock's root. */
  readonly path: readonly (string | number)[];
  readonly diagnostic: Pick<Diagnostic, 'code' | 'severity' | 'summary' | 'hint'>;
}

/** Subjects that a lock speaks of twice, as it does after a merge that kept both sides; in the lock's order. */
export function lockRepeats(lock: FleetLock): readonly LockRepeat[] {
  const { bindings, policies = [], tombstones } = lock;
  return [
    ...repeats(
      'bindings',
      bindings,
      ({ resource }) => refKey(resource),
      ({ resource }) => `decisions for ${describeRef(resource)}`,
    ),
    ...repeats(
      'policies',
      policies,
      ({ policy }) => policyKey(policy),
      ({ policy }) => `entries for ${describePolicy(policy)}`,
    ),
    ...repeats(
      'tombstones',
      tombstones,
      ({ cluster }) => cluster,
      ({ cluster }) => `tombstones for cluster ${cluster}`,
    ),
  ];
}

function repeats<T>(
  list: string,
  items: readonly T[],
  keyOf: (item: T) => string,
  describe: (item: T) => string,
): readonly LockRepeat[] {
  const seen = new Set<string>();
  return items.flatMap((item, index) => {
    const key = keyOf(item);
    if (!seen.has(key)) {
      seen.add(key);
      return [];
    }
    const summary = `The lock has two ${describe(item)}.`;
    return [
      {
        path: [list, index],
        diagnostic: { code: 'LOCK_INVALID', severity: 'error', summary, hint: HINT },
      },
    ];
  });
}

const HINT =
  'If both sides of a merge were kept, remove one of the two, or take one side whole (`git checkout --theirs` or `--ours`); then run `fleetwright lock` to decide again.';
