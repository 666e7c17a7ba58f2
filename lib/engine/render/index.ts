/**
 * From a binding's decision to objects: one core (replicas, completions, overrides, pruning) and two finishes, the
 * manifest that we apply on a member and the Work that a Karmada control plane writes. Knows nothing of how clusters were
 * chosen or how manifests reach them.
 *
 * @module
 */
export { applyRank, orderForApply } from './apply-order.js';
export type { Placed } from './apply-order.js';
export { divideCompletions } from './completions.js';
export { renderCore } from './core.js';
export type { RenderRequest } from './core.js';
export { findRenderFaults } from './findings.js';
export type { RenderFailure } from './findings.js';
export { renderWorks, targetsOf } from './karmada-works.js';
export type { Works } from './karmada-works.js';
export { renderForMember } from './member.js';
export type { MemberManifest, MemberRequest, RenderCache, RenderFault } from './member.js';
export type { FieldPath } from './field-path.js';
export { fieldsRetained, withMemberFields } from './member-fields.js';
export type { WithMemberFields } from './member-fields.js';
export { keyDifference, recounting, renderKeyOf, revisionMarks } from './render-key.js';
export type { WasRecounted } from './render-key.js';
export { findReplicasNotWritten, findUnwrittenShare } from './replicas-written.js';
export type { UnwrittenShare } from './replicas-written.js';
export { findRetainFault } from './retain-fault.js';
export { retainAt, withoutRetained } from './retained.js';
export type { Retain, Retained } from './retained.js';
export { prune } from './prune.js';
export { findOversize, mayBeLarge } from './size.js';
export { workName } from './work-name.js';
export type { Work, WorksRequest } from './work.js';
export { traceBinding } from './trace.js';
export type { OverrideTrace } from './trace.js';
