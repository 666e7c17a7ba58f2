import type { CheckFailure } from './release-lifecycle.js';
import type { LockInputs } from './wire.js';

/** Refuse a lock that is older than the one last applied, or of the same serial with other content. */
export function checkLock(olds: Partial<LockInputs>, news: LockInputs): readonly CheckFailure[] {
  const { serial, content } = olds;
  if (serial === undefined || content === undefined) return [];
  if (news.serial < serial) {
    return [
      {
        property: 'serial',
        reason: `LOCK_OUTDATED: the lock has serial ${news.serial}, and serial ${serial} was applied already. Somebody else deployed since: pull, merge fleet.lock.yaml and plan again.`,
      },
    ];
  }
  if (news.serial === serial && news.content !== content) {
    return [
      {
        property: 'content',
        reason: `LOCK_DIVERGED: a different lock of the same serial ${serial} was applied. Two people decided at the same time: pull, merge fleet.lock.yaml, run \`fleetwright lock\` and plan again.`,
      },
    ];
  }
  return [];
}

export function diffLock(olds: Partial<LockInputs>, news: LockInputs): { changes: boolean } {
  return { changes: olds.serial !== news.serial || olds.content !== news.content };
}
