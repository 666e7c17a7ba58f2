/**
 * A plan's waves as steps of `spec.suspension.dispatchingOnClusters` on a Karmada control plane: hold every cluster, change,
 * compare what Karmada decided with the plan, release wave by wave. Pure; it is given objects of the control plane and says
 * what to write next (ADR 0120, 0121).
 *
 * @module
 */
export { isActing } from './acting.js';
export type { ControlPlaneView, KarmadaAction, StepProgress } from './action.js';
export { approvalOf, APPROVED_WAVES, printApproval, withApproval } from './approval.js';
export type { WaveApproval } from './approval.js';
export { describeKarmadaSteps } from './describe-steps.js';
export { expand } from './expand.js';
export type { Expansion, ExpansionInput } from './expand.js';
export { cannotGrow, diagnoseDependencies, diagnoseGrowth } from './findings.js';
export type { BindingGoal, KarmadaGoal, PolicyGoal, Share } from './goal.js';
export { describePolicy, policyKey } from './goal.js';
export {
  heldPolicyOf,
  HOLD_DEPENDENCIES,
  holdDependencies,
  refOfPolicy,
} from './hold-dependencies.js';
export type { HeldDependency } from './hold-dependencies.js';
export { SUSPENSION_MEMORY } from './memory.js';
export type { SuspensionMemory } from './memory.js';
export { nextAction } from './next-action.js';
export { ownFields } from './own-fields.js';
export { stageOf } from './stage.js';
export type { Stage } from './stage.js';
export { karmadaStatus } from './status.js';
export type {
  DocumentStatus,
  KarmadaFacts,
  KarmadaStatus,
  Leftover,
  PolicySuspension,
} from './status.js';
export { giveBack, keptByOthers, toPolicyView } from './suspension.js';
export type { Keeper, PolicyView, SuspensionWrite } from './suspension.js';
export type {
  DocumentState,
  KarmadaClusterStatus,
  KarmadaTemplateStatus,
  TemplateFacts,
} from './template-status.js';
export { toBindingView } from './view.js';
export type { BindingView, ItemView, WorkView } from './view.js';
export type { WavePosition, WaveStand } from './wave-position.js';
