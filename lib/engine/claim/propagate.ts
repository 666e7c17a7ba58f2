import type { KubeObject } from '../../api/object.js';
import {
  bindingDocument,
  isOwnedByAnother,
  withoutClaimOf,
  type BindingDocument,
} from './binding-document.js';
import {
  bindingFor,
  findPriorityFault,
  type BindingFacts,
  type Interpretation,
} from './binding-for.js';
import { decide, type HasOverride } from './decide.js';
import { claimIdOn, claimOn, withClaim, withoutMarks } from './marks.js';
import type { PolicyIndex } from './policy-index.js';
import { policyRef, type Policy } from './policy.js';

/** One template as a control plane has it. */
export interface Observed {
  readonly template: KubeObject;
  readonly binding?: BindingDocument;
  /** No policy was found for it before. */
  readonly isWaiting: boolean;
  /** The event that brought it up was Karmada's own doing. */
  readonly isKarmadasOwnChange: boolean;
}

/** The control plane around it. */
export interface Surroundings {
  readonly index: PolicyIndex;
  readonly hasOverride: HasOverride;
  readonly interpret: (template: KubeObject) => Interpretation;
  readonly facts: BindingFacts;
}

export interface Propagated {
  readonly template: KubeObject;
  readonly binding?: BindingDocument;
  readonly isWaiting: boolean;
  /** Karmada would try again. What was written before it stays. */
  readonly failure?: PassFailure;
}

/** Why a pass fails. */
export interface PassFailure {
  readonly kind: 'no-policy' | 'no-override' | 'no-priority' | 'other-owner' | 'policy-deleting';
  /** Karmada's text. */
  readonly message: string;
}

/**
 * One pass of a Karmada control plane over one template: what template and binding are afterwards.
 *
 * This predicts a control plane; a plan of our own calls `claimTemplates`, which rests on the same decisions.
 * Source: scheduling reference §3.5, §3.10, §4.
 */
export function propagate(observed: Observed, around: Surroundings): Propagated {
  const { template, isWaiting } = observed;
  const decision = decide(around.index, template, claimOn(template), around.hasOverride);
  const unchanged: Propagated = {
    template,
    isWaiting,
    ...(observed.binding !== undefined && { binding: observed.binding }),
  };
  switch (decision.kind) {
    case 'apply':
      return apply(observed, decision.policy, decision.isFresh, around);
    case 'frozen':
      return unchanged;
    case 'orphaned':
      return stripped(observed, decision.policy.kind, unchanged);
    case 'deleting':
      return failing(
        unchanged,
        'policy-deleting',
        `${karmadaName(decision.policy)} is being deleted`,
      );
    case 'waiting':
      return failing(unchanged, 'no-override', 'waiting for dependent overrides');
    default:
      return isWaiting
        ? unchanged
        : failing({ ...unchanged, isWaiting: true }, 'no-policy', 'no matched propagation policy');
  }
}

function failing(reached: Propagated, kind: PassFailure['kind'], message: string): Propagated {
  return { ...reached, failure: { kind, message } };
}

function apply(
  observed: Observed,
  policy: Policy,
  isFresh: boolean,
  around: Surroundings,
): Propagated {
  const template = withClaim(observed.template, policy);
  const { binding: existing } = observed;
  const claimed: Propagated = {
    template,
    isWaiting: isFresh ? false : observed.isWaiting,
    ...(existing !== undefined && { binding: existing }),
  };
  if (observed.isKarmadasOwnChange && policy.spec.activationPreference === 'Lazy') return claimed;
  const fault = findPriorityFault(template, policy, around.facts);
  if (fault !== undefined) return failing(claimed, 'no-priority', fault);
  if (existing !== undefined && isOwnedByAnother(existing, template)) {
    return failing(claimed, 'other-owner', OTHER_OWNER);
  }
  const binding = bindingFor(template, policy, around.interpret(template), around.facts);
  return { ...claimed, binding: bindingDocument(binding, template, policy, existing) };
}

const OTHER_OWNER =
  'failed to update binding due to different owner reference UID, will try again later after binding is garbage collected, see https://github.com/karmada-io/karmada/issues/2090';

function stripped(observed: Observed, kind: Policy['kind'], unchanged: Propagated): Propagated {
  const id = claimIdOn(observed.template, kind);
  return {
    ...unchanged,
    template: withoutMarks(observed.template, kind),
    ...(observed.binding !== undefined && {
      binding: withoutClaimOf(observed.binding, kind, id),
    }),
  };
}

function karmadaName(policy: Policy): string {
  const { namespace, name } = policyRef(policy);
  return namespace === undefined ? `cluster policy(${name})` : `policy(${namespace}/${name})`;
}
