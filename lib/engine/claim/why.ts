import type { PolicyRef } from '../plan.js';
import type { Match } from './policy-index.js';
import { describePolicy, policyKey, policyRef, priorityOf, type Policy } from './policy.js';
import type { MatchLevel } from './selector.js';

const LEVELS = {
  0: 'not at all',
  1: 'by kind',
  2: 'by label',
  3: 'by name',
} as const satisfies Record<MatchLevel, string>;

/** Why a policy owns a template, as one clause. `before` is the owner on record. */
export function whyItWins(
  winner: Policy,
  matches: readonly Match[],
  before: PolicyRef | undefined,
): string {
  const ref = policyRef(winner);
  if (before !== undefined && policyKey(before) === policyKey(ref)) {
    const isBest = matches[0]?.policy === winner;
    return isBest ? 'it owns it already' : 'it owns it already, and what is owned stays';
  }
  if (before !== undefined) return `it takes over from ${describePolicy(before)}`;
  const [first, second] = matches;
  if (first === undefined || second === undefined) return 'the only policy that selects it';
  return whyAhead(first, second);
}

/** Why one match ranks ahead of another. */
export function whyAhead(winner: Match, loser: Match): string {
  if (winner.policy.kind !== loser.policy.kind)
    return 'namespaced policies come before cluster-wide ones';
  const [high, low] = [priorityOf(winner.policy), priorityOf(loser.policy)];
  if (high !== low) return `priority ${high} over ${low}`;
  if (winner.level !== loser.level) {
    return `equal priority, selected ${LEVELS[winner.level]} rather than ${LEVELS[loser.level]}`;
  }
  return 'equal priority and match, so the smaller name wins';
}
