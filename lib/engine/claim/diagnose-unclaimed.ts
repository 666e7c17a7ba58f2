import type { Diagnostic } from '../diagnostic.js';
import type { SourcedObject } from '../input.js';
import { describeRef, isOf } from '../object.js';
import { about } from '../validate.js';
import type { Claim } from './decided-claim.js';
import type { LostLeader, Unfollowed } from '../dependencies/index.js';
import { closestPolicy } from './diagnose-selectors.js';
import { asPolicy, describePolicy, policyRef } from './policy.js';

/** The search for what came closest is for people, who do not read a thousand of them. */
const TEMPLATES_LOOKED_INTO = 100;

/** Asked only when something is lost; by key. */
export interface Reasons {
  /** What a workload refers to that does not take its dependencies along. */
  readonly wouldFollow: () => ReadonlyMap<string, Unfollowed>;
  /** What would follow somebody who has an error of their own. */
  readonly lostLeaders: () => ReadonlyMap<string, LostLeader>;
}

/**
 * Templates that go nowhere: no policy claims them and they follow nothing.
 *
 * `isPlaced` tells by key which ones have a place for another reason. Namespaces are never reported, since they are
 * created wherever something lives in them.
 */
export function diagnoseUnclaimed(
  claims: readonly Claim[],
  isPlaced: (key: string) => boolean,
  policies: readonly SourcedObject[],
  reasons: Partial<Reasons> = {},
): readonly Diagnostic[] {
  const lost = claims.filter(
    ({ policy, key, resource }) =>
      policy === null && !isPlaced(key) && !isOf(resource, '', 'Namespace'),
  );
  // Asking what everything refers to costs something: only when something is lost.
  const unfollowed = lost.length === 0 ? undefined : reasons.wouldFollow?.();
  const lostLeaders = lost.length === 0 ? undefined : reasons.lostLeaders?.();
  const candidates = policies.map(({ object }) => asPolicy(object));
  return lost.map((claim, i) => {
    const held = unfollowed?.get(claim.key);
    if (held !== undefined) return withoutPropagateDeps(claim, held);
    const leader = claim.outcome === 'unselected' ? lostLeaders?.get(claim.key) : undefined;
    if (leader !== undefined) return withoutLeader(claim, leader);
    const closest =
      claim.outcome !== 'unselected' || i >= TEMPLATES_LOOKED_INTO
        ? undefined
        : closestPolicy(claim.template.object, candidates);
    const near =
      closest === undefined
        ? ''
        : ` The closest is ${describePolicy(policyRef(closest.policy))}: ${closest.miss.cause}.`;
    return about(claim.template, {
      code: 'TEMPLATE_UNCLAIMED',
      severity: 'warning',
      summary: `${describeRef(claim.resource)} goes to no cluster: ${claim.why}.${near}`,
      hint: closest?.miss.hint ?? 'Add a policy that selects it, or a selector to one that exists.',
    });
  });
}

function withoutPropagateDeps(claim: Claim, { leader, policy }: Unfollowed): Diagnostic {
  const summary = `${describeRef(claim.resource)} goes to no cluster: ${claim.why}, and ${describeRef(policy)} does not send it along with ${describeRef(leader)}, which refers to it.`;
  return about(claim.template, {
    code: 'TEMPLATE_UNCLAIMED',
    severity: 'warning',
    summary,
    hint: `Set \`propagateDeps: true\` in the spec of ${describeRef(policy)}, or add a policy that selects it.`,
  });
}

/** The cause is elsewhere, and has a finding of its own: a policy for this one would hide it. */
function withoutLeader(claim: Claim, { leader, refers }: LostLeader): Diagnostic {
  const name = describeRef(leader);
  const because =
    refers === 'yes'
      ? `${name}, which it goes along with, has no place itself`
      : `what ${name} needs is not known, since its rule for dependencies fails`;
  return about(claim.template, {
    code: 'TEMPLATE_UNCLAIMED',
    severity: 'info',
    summary: `${describeRef(claim.resource)} goes to no cluster: ${claim.why}, and ${because}.`,
    hint: `Correct the error about ${name} first.`,
  });
}
