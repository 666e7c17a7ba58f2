/**
 * Plans as text for people. Pure: the same plan gives the same text; colour and width are arguments.
 *
 * @module
 */
export { describePlan, type DescribeOptions } from './describe-plan.js';
export { describeDiagnostic, describeDiagnostics } from './diagnostic.js';
export { describeExplanation } from './explanation.js';
export { describeOverrideTrace } from './override-trace.js';
export { type PlanDocument, toPlanDocument } from './json.js';
export { describeSeconds } from './style.js';
export { countTotals, describeCounted } from './summary.js';
export type { Totals } from './summary.js';
