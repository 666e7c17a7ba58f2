/**
 * Override policies: what differs from cluster to cluster. Knows Karmada's rules of selection, order and editing; knows
 * nothing of placement: it is asked about one object and one cluster at a time.
 *
 * @module
 */
export { nameClusters } from './affected.js';
export { applyOverrides } from './apply.js';
export type { OverrideOutcome } from './apply.js';
export { applyRules } from './apply-rules.js';
export type { Overridden, RuleFault } from './apply-rules.js';
export { compileOverrides } from './compile.js';
export type {
  CompiledOverrides,
  ObjectOverrides,
  OverridePolicies,
  OverrideSet,
  OverrideTools,
} from './compile.js';
export { findOverrideEffects, noteUse } from './effects/index.js';
export type { OverrideUse, OverrideUses } from './effects/index.js';
export type { Fault } from './fault.js';
export { findIdentityFault } from './identity.js';
export { lintOverrides } from './lint/index.js';
export { appliedOf } from './record.js';
export type { AppliedOverride } from './record.js';
export type { OverrideRule } from './rule.js';
export { describeRule, placeOfRule } from './rule.js';
export { CONTAINER_OVERRIDES } from './container-override.js';
export type { ContainerOverride } from './container-override.js';
export type { FieldChange } from './field-changes.js';
export { traceOverrides } from './trace.js';
export type { OverrideStep } from './trace.js';
