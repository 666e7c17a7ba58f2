/**
 * Which policy owns which template, and the binding that makes of it. It knows policies, templates and what was owned
 * before; clusters it does not know.
 *
 * @module
 */
export { bindingDocument, isOwnedByAnother } from './binding-document.js';
export type { BindingDocument } from './binding-document.js';
export { bindingFor, findPriorityFault } from './binding-for.js';
export type { Binding, BindingFacts, Interpretation } from './binding-for.js';
export { claimTemplates } from './claim.js';
export type { Claim, ClaimInput, Claims } from './claim.js';
export {
  isChange,
  isKarmadasOwnChange,
  reasonToIgnore,
  SKIPPED_NAMESPACES,
  withoutBookkeeping,
} from './considered.js';
export { diagnoseUnclaimed } from './diagnose-unclaimed.js';
export { claimOn, marksOf, withClaim } from './marks.js';
export { asPolicy, describePolicy, policyKey, policyRef } from './policy.js';
export type { Policy } from './policy.js';
export { indexPolicies, matchingPolicies } from './policy-index.js';
export type { Match, PolicyIndex } from './policy-index.js';
export { afterPreemption, preemptionBy, unblockedByLowering } from './preempt.js';
export type { Preemption } from './preempt.js';
export { priorityClassesOf } from './priority.js';
export { propagate } from './propagate.js';
export type { Observed, Propagated, Surroundings } from './propagate.js';
