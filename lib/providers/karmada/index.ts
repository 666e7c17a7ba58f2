/**
 * A plan through a Karmada control plane: its documents, and the waves as steps of a policy's suspension. Knows one API server,
 * the control plane's, and reads what members do from bindings and Works. Deciding what comes next is `lib/engine/karmada`.
 *
 * @module
 */
export { approveOnControlPlane, type ApprovedOnControlPlane } from './approve-wave.js';
export { destroyOnControlPlane, type DestroyedTemplate } from './destroy.js';
export { toKarmadaDocuments, type KarmadaDocuments } from './documents.js';
export type { KarmadaReport, KarmadaRolloutOptions } from './options.js';
export { readControlPlane } from './read-control-plane.js';
export { readKarmadaStatus } from './read-status.js';
export { runKarmadaRollout } from './run-karmada-rollout.js';
export { STEPPER } from './writes.js';
