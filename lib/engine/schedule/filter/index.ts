/**
 * @module Filters: which clusters may take a binding at all, and for the others, why not.
 *
 * Each filter is an independent predicate; a cluster must pass all. Karmada runs them in random order, so which of several
 * reasons it reports is undefined; here the order is fixed. Filters know nothing of capacity.
 */
import { apiEnablement } from './api-enablement.js';
import { clusterAffinity } from './cluster-affinity.js';
import { clusterEviction } from './cluster-eviction.js';
import type { Filter } from './filter.js';
import { spreadConstraint } from './spread-constraint.js';
import { taintToleration } from './taint-toleration.js';
import { workloadAffinity } from './workload-affinity.js';
import { workloadAntiAffinity } from './workload-anti-affinity.js';

export type { Filter } from './filter.js';
export { describeTaint, tolerates } from './taint-toleration.js';

/** Their answer depends on placement and kind, and binds no cluster that has the binding already. */
export const FILTERS_FOR_NEW: readonly Filter[] = [apiEnablement, taintToleration];

/** Their answer depends on the placement alone. */
export const FILTERS_FOR_ALL: readonly Filter[] = [clusterAffinity, spreadConstraint];

/** Their answer depends on the binding itself. */
export const BINDING_FILTERS: readonly Filter[] = [
  clusterEviction,
  workloadAffinity,
  workloadAntiAffinity,
];

/** All, in the order in which the first rejection counts. */
export const FILTERS: readonly Filter[] = [
  ...FILTERS_FOR_NEW,
  ...FILTERS_FOR_ALL,
  ...BINDING_FILTERS,
];
