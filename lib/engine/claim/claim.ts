import type { LockedBinding } from '../../api/fleet-lock.js';
import type { KubeObject, ObjectRef } from '../../api/object.js';
import { compareBy, sorted } from '../compare.js';
import { compareDiagnostics, type Diagnostic } from '../diagnostic.js';
import type { SourcedObject } from '../input.js';
import { refKey, refOf } from '../object.js';
import type { PolicyRef } from '../plan.js';
import type { Claim, ClaimInput, DecidedClaim } from './decided-claim.js';
import { decide, type Decision, type HasOverride } from './decide.js';
import { diagnoseClaims, isPlacementChanged } from './diagnose-claims.js';
import { claimOn } from './marks.js';
import { reasonToIgnore, SKIPPED_NAMESPACES } from './considered.js';
import {
  indexPolicies,
  matchingPolicies,
  tryFindPolicy,
  type Match,
  type PolicyIndex,
} from './policy-index.js';
import { asPolicy, describePolicy, policyKey, policyRef, type Policy } from './policy.js';
import { predictControlPlane } from './predict.js';
import { afterPreemption } from './preempt.js';
import { whyItWins } from './why.js';

export type { Claim, ClaimInput } from './decided-claim.js';

export interface Claims {
  /** One per template, sorted by key. */
  readonly claims: readonly Claim[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Decide which policy owns each template.
 *
 * A template without a recorded owner goes to the policy that ranks first. A recorded owner keeps it, as in Karmada,
 * unless it is gone, its own selectors changed, or another policy preempts. A function of its inputs alone: the order
 * of templates and policies does not matter. Templates that nobody claims are reported later, by
 * `diagnoseUnclaimed`, since they may follow others. Source: scheduling reference §3, ADR 0030.
 */
export function claimTemplates(input: ClaimInput): Claims {
  const claiming = prepare(input);
  const decided = sorted(
    input.templates.map((template) => claim(template, claiming)),
    compareBy((one) => one.claim.key),
  );
  return {
    claims: decided.map((one) => one.claim),
    diagnostics: sorted(
      [
        ...diagnoseClaims(decided, input),
        ...predictControlPlane(decided, input, claiming.index, claiming.hasOverride),
      ],
      compareDiagnostics,
    ),
  };
}

interface Claiming {
  readonly input: ClaimInput;
  readonly index: PolicyIndex;
  readonly documents: ReadonlyMap<string, SourcedObject>;
  readonly locked: ReadonlyMap<string, LockedBinding>;
  /** Owners that live bindings name, by template. */
  readonly live: ReadonlyMap<string, PolicyRef>;
  readonly hasOverride: HasOverride;
}

function prepare(input: ClaimInput): Claiming {
  const policies = input.policies.map(({ object }) => asPolicy(object));
  const overrides = new Set(
    input.overrides.map(({ object }) => overrideKey(object.kind, object.metadata)),
  );
  return {
    input,
    index: indexPolicies(policies),
    documents: new Map(input.policies.map((d) => [policyKey(policyRef(asPolicy(d.object))), d])),
    locked: new Map(input.lock.bindings.map((binding) => [refKey(binding.resource), binding])),
    live: new Map((input.liveBindings ?? []).flatMap(liveOwner)),
    hasOverride: (scope, namespace, name) =>
      overrides.has(
        scope === 'PropagationPolicy'
          ? overrideKey('OverridePolicy', { namespace, name })
          : overrideKey('ClusterOverridePolicy', { name }),
      ),
  };
}

function overrideKey(kind: string, of: { namespace?: string; name?: string }): string {
  return `${kind}/${of.namespace ?? ''}/${of.name ?? ''}`;
}

function liveOwner(binding: KubeObject): [string, PolicyRef][] {
  const owner = claimOn(binding);
  const { resource } = (binding['spec'] ?? {}) as { resource?: ObjectRef };
  return owner === undefined || resource === undefined ? [] : [[refKey(resource), owner]];
}

function claim(template: SourcedObject, claiming: Claiming): DecidedClaim {
  const { object } = template;
  const resource = refOf(object);
  const key = refKey(resource);
  const base = { key, resource, template };
  const ignored = reasonToIgnore(object, claiming.input.skippedNamespaces ?? SKIPPED_NAMESPACES);
  if (ignored !== undefined) {
    return {
      claim: { ...base, ...nobody('ignored', ignored) },
      matches: [],
    };
  }
  const locked = claiming.locked.get(key);
  const matches = matchingPolicies(claiming.index, object);
  const before = claiming.live.get(key) ?? ownerIn(locked) ?? claimOn(object);
  const owner = ownerAfterPreemption(object, before, claiming);
  const decision = decideAnew(object, owner, locked, claiming);
  const isSettled = locked !== undefined && claiming.input.isUnchanged(object, locked);
  return {
    claim: { ...base, ...outcome(decision, matches, { before, isSettled }, claiming) },
    matches,
    decision,
    ...(locked !== undefined && { locked }),
  };
}

function ownerIn(locked: LockedBinding | undefined): PolicyRef | undefined {
  if (locked === undefined || locked.policy === null) return undefined;
  const { kind, namespace, name } = locked.policy;
  return { kind, ...(namespace !== undefined && { namespace }), name };
}

function ownerAfterPreemption(
  template: KubeObject,
  before: PolicyRef | undefined,
  { index, input }: Claiming,
): PolicyRef | undefined {
  const isGone = before === undefined || tryFindPolicy(index, before) === undefined;
  if (isGone || !input.gates.PropagationPolicyPreemption) return before;
  return afterPreemption(index, template, before);
}

/** Karmada's decision, followed through to where a control plane would come to rest. */
function decideAnew(
  template: KubeObject,
  owner: PolicyRef | undefined,
  locked: LockedBinding | undefined,
  claiming: Claiming,
): Decision {
  const { index, hasOverride } = claiming;
  const decision = decide(index, template, owner, hasOverride);
  const isReleased =
    decision.kind === 'orphaned' ||
    decision.kind === 'deleting' ||
    (decision.kind === 'frozen' && letsGo(decision.policy, template, locked, claiming));
  return isReleased ? decide(index, template, undefined, hasOverride) : decision;
}

/** A changed policy lets go of what it no longer selects; a template that was changed away from it stays. */
function letsGo(
  policy: Policy,
  template: KubeObject,
  locked: LockedBinding | undefined,
  { input, documents }: Claiming,
): boolean {
  const document = documents.get(policyKey(policyRef(policy)));
  const hasChanged = document === undefined ? undefined : input.hasChanged?.(document);
  if (hasChanged !== undefined) return hasChanged || isPlacementChanged(policy, locked?.placement);
  // What the lock does not say, an unchanged template proves.
  return locked !== undefined && input.isUnchanged(template, locked);
}

type Outcome = Pick<Claim, 'outcome' | 'policy' | 'policyDocument' | 'shadowed' | 'reach' | 'why'>;

interface History {
  readonly before: PolicyRef | undefined;
  /** The template is the one the lock has seen. */
  readonly isSettled: boolean;
}

function outcome(
  decision: Decision,
  matches: readonly Match[],
  { before, isSettled }: History,
  claiming: Claiming,
): Outcome {
  const owned = (policy: Policy, reach: Claim['reach'], why: string): Outcome => {
    const key = policyKey(policyRef(policy));
    const document = claiming.documents.get(key);
    const others = matches.filter((match) => match.policy !== policy);
    return {
      outcome: 'owned',
      policy: policyRef(policy),
      ...(document !== undefined && { policyDocument: document }),
      shadowed: others.map((match) => policyRef(match.policy)),
      reach,
      why,
    };
  };
  switch (decision.kind) {
    case 'apply': {
      const isLazy = decision.policy.spec.activationPreference === 'Lazy';
      return isLazy && isSettled && !decision.isFresh
        ? owned(decision.policy, 'held', 'the policy is lazy and the template is unchanged')
        : owned(decision.policy, 'applied', whyItWins(decision.policy, matches, before));
    }
    case 'frozen':
      return owned(decision.policy, 'held', 'it no longer matches the policy that placed it');
    case 'waiting': {
      const why = `${describePolicy(policyRef(decision.policy))} waits for override policy ${decision.missing.join(', ')}`;
      return decision.isFresh ? nobody('waiting', why) : owned(decision.policy, 'held', why);
    }
    default:
      return nobody('unselected', 'no policy selects it');
  }
}

function nobody(outcome: Claim['outcome'], why: string): Outcome {
  return { outcome, policy: null, shadowed: [], reach: 'applied', why };
}
