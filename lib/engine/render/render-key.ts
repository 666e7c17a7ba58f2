/**
 * What the lock remembers of the bytes that were rendered for a cluster. Together with what it says of the template, the
 * replicas and the placement it covers everything that the bytes depend on (ADR 0133).
 *
 * @module
 */
import type { LockedBinding } from '../../api/fleet-lock.js';
import type { KubeObject } from '../../api/object.js';
import { contentHash } from '../generation.js';
import type { Interpreter } from '../interpret/index.js';
import { InterpretError, isTaught } from '../interpret/index.js';
import { divideCompletions } from './completions.js';
import { own } from '../own.js';

/** Between what an override or autoscaler changed and what a rule of the user's made of the replicas. */
const REVISED = '.';

/**
 * `BASE` or `BASE.REVISED`: 8 hex digits of (template, overrides, autoscaler bounds), then 8 of what the user's
 * ReviseReplica made of the template, where there is one.
 */
export function renderKeyOf(base: string, revised: string): string {
  return revised === '' ? base : `${base}${REVISED}${revised}`;
}

/** What made the difference between two keys; `undefined`: nothing. A missing key is that of nothing rendered. */
export function keyDifference(
  before: string | undefined,
  after: string,
): 'override' | 'interpreter' | undefined {
  if (before === after) return undefined;
  return before?.split(REVISED)[0] === after.split(REVISED)[0] ? 'interpreter' : 'override';
}

/**
 * The second part of the key, by count: a hash of what a ReviseReplica that the user taught makes of the template; empty
 * for other kinds and where nothing changes. Its effect counts and not its text, so that a comment changes nothing and functions, which have no text
 * that is the same everywhere, are covered too.
 */
export function revisionMarks(
  template: KubeObject,
  templateHash: string,
  { reviseReplica }: Interpreter,
  tools: {
    readonly interpreters?: readonly Interpreter[];
    readonly hash: (text: string) => string;
  },
): (count: number | undefined) => string {
  if (reviseReplica === undefined || !isTaught(template, 'reviseReplica', tools.interpreters))
    return () => '';
  const known = new Map<number, string>();
  return (count) => {
    if (count === undefined) return '';
    const mark =
      known.get(count) ?? markOf(() => reviseReplica(template, count), templateHash, tools.hash);
    known.set(count, mark);
    return mark;
  };
}

/** A rule that fails renders nothing, which is a finding of its own. */
function markOf(
  revise: () => KubeObject,
  templateHash: string,
  hash: (text: string) => string,
): string {
  try {
    const revised = contentHash(revise(), hash);
    return revised === templateHash ? '' : revised.slice(0, 8);
  } catch (error) {
    if (InterpretError.is(error)) return '';
    throw error;
  }
}

/** What is written into one cluster's object: `undefined` leaves what the template says. */
export type WasRecounted = (
  cluster: string,
  replicas: number | undefined,
  completions: number | undefined,
) => boolean;

/**
 * Whether other counts are written than a locked decision gave, given that the template is the one it was made for. The
 * lock has all that a share of completions is computed from, so shares need no place of their own in it.
 */
export function recounting(
  template: KubeObject,
  { reviseReplica }: Interpreter,
  locked: LockedBinding | undefined,
): WasRecounted {
  if (locked === undefined) return () => false;
  const { replicas: total, clusters } = locked;
  const shares = lockedCompletions(template, locked);
  return (cluster, replicas, completions) => {
    const before = total === undefined ? undefined : own(clusters, cluster);
    // A count that nobody writes changes nothing.
    if (before !== replicas && reviseReplica !== undefined) return true;
    return shares?.get(cluster) !== completions;
  };
}

function lockedCompletions(
  template: KubeObject,
  { replicas, placement, clusters, seed, followed = [] }: LockedBinding,
): ReadonlyMap<string, number> | undefined {
  if (template.kind !== 'Job') return undefined;
  const targets = Object.entries(clusters).map(([name, share]) => ({ name, replicas: share }));
  const all = [...targets, ...followed.map((name) => ({ name }))];
  return divideCompletions(template, { replicas, placement }, all, seed);
}
