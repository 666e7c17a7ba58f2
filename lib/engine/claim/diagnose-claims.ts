import { canonicalJson } from '../canonical.js';
import { compareBy, sorted } from '../compare.js';
import type { Diagnostic } from '../diagnostic.js';
import type { SourcedObject } from '../input.js';
import { describeRef } from '../object.js';
import { about } from '../validate.js';
import type { ClaimInput, DecidedClaim } from './decided-claim.js';
import { diagnoseSelectors } from './diagnose-selectors.js';
import type { Match } from './policy-index.js';
import {
  asPolicy,
  describePolicy,
  isBeingDeleted,
  policyKey,
  policyRef,
  type Policy,
} from './policy.js';
import { priorityFault } from './priority.js';
import { whyAhead } from './why.js';

/** Everything about policies and templates that a person should know; in no order. */
export function diagnoseClaims(
  decided: readonly DecidedClaim[],
  input: ClaimInput,
): readonly Diagnostic[] {
  const documents = new Map(
    input.policies.map((d) => [policyKey(policyRef(asPolicy(d.object))), d]),
  );
  return [
    ...shadowed(decided, documents),
    ...held(decided),
    ...waiting(decided, documents, input),
    ...priorities(decided, documents, input),
    ...diagnoseSelectors(decided, input),
  ];
}

type Documents = ReadonlyMap<string, SourcedObject>;

/** A policy that cannot act as written: a mistake at deploy time; a control plane may have what is missing here. */
function severityOf(input: ClaimInput): 'error' | 'warning' {
  return input.profile === 'karmada' ? 'warning' : 'error';
}

function* shadowed(decided: readonly DecidedClaim[], documents: Documents): Generator<Diagnostic> {
  const losses = new Map<string, { loser: Match; by: DecidedClaim }[]>();
  const owners = new Set<string>();
  for (const one of decided) {
    const { policy } = one.claim;
    if (policy === null) continue;
    owners.add(policyKey(policy));
    for (const match of one.matches) {
      const key = policyKey(policyRef(match.policy));
      if (key === policyKey(policy)) continue;
      const list = losses.get(key);
      if (list === undefined) losses.set(key, [{ loser: match, by: one }]);
      else list.push({ loser: match, by: one });
    }
  }
  for (const [key, list] of sorted(
    losses,
    compareBy(([k]) => k),
  )) {
    const [first] = list;
    const document = documents.get(key);
    if (first === undefined || document === undefined) continue;
    const { loser, by } = first;
    const { why, hint } = whyLost(loser, by);
    const more = list.length === 1 ? '' : `, and ${list.length - 1} more`;
    const owner = by.claim.policy === null ? 'nobody' : describePolicy(by.claim.policy);
    yield about(document, {
      code: 'POLICY_SHADOWED',
      // A policy that owns nothing at all is more than a default that others refine.
      severity: owners.has(key) ? 'info' : 'warning',
      summary: `${describePolicy(policyRef(loser.policy))} also selects ${describeRef(by.claim.resource)}${more}, but ${owner} owns it: ${why}.`,
      hint,
    });
  }
}

function whyLost(loser: Match, by: DecidedClaim): { why: string; hint: string } {
  const winner = by.matches.find(
    ({ policy }) =>
      by.claim.policy !== null && policyKey(policyRef(policy)) === policyKey(by.claim.policy),
  );
  if (winner === undefined || by.matches.indexOf(loser) < by.matches.indexOf(winner)) {
    return {
      why: 'it was placed by that one before, and what is owned stays',
      hint: 'A policy of higher priority with `preemption: Always` that names the template takes it over, where the feature gate PropagationPolicyPreemption is on (profile `default`; off in a stock control plane and so in profile `karmada`).',
    };
  }
  return {
    why: whyAhead(winner, loser),
    hint: 'If the other one should win, change the priorities or narrow the selectors.',
  };
}

function* held(decided: readonly DecidedClaim[]): Generator<Diagnostic> {
  for (const { claim, decision, locked } of decided) {
    if (claim.reach !== 'held' || decision === undefined || claim.policy === null) continue;
    const policy = describePolicy(claim.policy);
    const template = describeRef(claim.resource);
    if (decision.kind === 'frozen') {
      yield about(claim.template, {
        code: 'CLAIM_FROZEN',
        severity: 'warning',
        path: ['metadata', 'labels'],
        summary: `${template} no longer matches ${policy}, which placed it: it stays where it is, and neither its replicas nor the policy reach the clusters.`,
        hint: 'Make the policy select it again, or change the policy so that it lets go; then another one can claim it.',
      });
    } else if (
      decision.kind === 'apply' &&
      isPlacementChanged(decision.policy, locked?.placement)
    ) {
      yield about(claim.template, {
        code: 'POLICY_LAZY',
        severity: 'info',
        summary: `${policy} has changed, and ${template} keeps its placement: the policy is lazy (activationPreference: Lazy) and the template has not changed.`,
        hint: 'It takes effect with the next change of the template; remove activationPreference to have it now.',
      });
    }
  }
}

/** Whether a policy asks for another placement than the one on record; unknown counts as unchanged. */
export function isPlacementChanged(policy: Policy, locked: unknown): boolean {
  if (locked === undefined) return false;
  const before = typeof locked === 'string' ? locked : canonicalJson(locked);
  return canonicalJson(policy.spec.placement ?? {}) !== before;
}

function* waiting(
  decided: readonly DecidedClaim[],
  documents: Documents,
  input: ClaimInput,
): Generator<Diagnostic> {
  const seen = new Set<string>();
  for (const { decision } of decided) {
    if (decision?.kind !== 'waiting') continue;
    const ref = policyRef(decision.policy);
    const document = documents.get(policyKey(ref));
    if (document === undefined || seen.has(policyKey(ref))) continue;
    seen.add(policyKey(ref));
    const kind = ref.kind === 'PropagationPolicy' ? 'OverridePolicy' : 'ClusterOverridePolicy';
    yield about(document, {
      code: 'POLICY_OVERRIDE_MISSING',
      severity: severityOf(input),
      path: ['spec', 'dependentOverrides'],
      summary: `${describePolicy(ref)} waits for ${kind} ${decision.missing.join(', ')}, which ${decision.missing.length === 1 ? 'does' : 'do'} not exist, so it places nothing.`,
      hint: 'Add the override policy, or remove it from dependentOverrides.',
    });
  }
}

function* priorities(
  decided: readonly DecidedClaim[],
  documents: Documents,
  input: ClaimInput,
): Generator<Diagnostic> {
  const seen = new Set<string>();
  for (const { claim, decision } of decided) {
    if (decision?.kind !== 'apply' || claim.policy === null) continue;
    const key = policyKey(claim.policy);
    const document = documents.get(key);
    if (document === undefined || seen.has(key) || isBeingDeleted(document.object)) continue;
    const fault = priorityFault(claim.template.object, decision.policy, input);
    if (fault === undefined) continue;
    seen.add(key);
    yield about(document, {
      code: 'POLICY_PRIORITY_CLASS_MISSING',
      severity: severityOf(input),
      path: ['spec', 'schedulePriority'],
      summary: `${describePolicy(claim.policy)} cannot give ${describeRef(claim.resource)} a schedule priority: ${fault}. Karmada would not place it.`,
      hint: 'Add the PriorityClass to the documents, or correct schedulePriority.',
    });
  }
}
