import type { Plan } from '../plan.js';

/** `plan --json`: everything a plan says, without what is applied and without the lock. Schema: docs/plan.schema.json. */
export type PlanDocument = Omit<Plan, 'releases' | 'lock'>;

/** The public contract of `plan --json`. */
export function toPlanDocument(plan: Plan): PlanDocument {
  const { releases: _releases, lock: _lock, ...document } = plan;
  return document;
}
