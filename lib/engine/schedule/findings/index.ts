/**
 * @module Findings: what a placement says that Karmada's scheduler ignores without a word. The core does what Karmada does;
 * these say so.
 */
import type { Diagnostic } from '../../diagnostic.js';
import { malformedSelectors, unmatchedTerms, workloadAffinityOff } from './affinity.js';
import type { FindingInput, FindingRule } from './finding.js';
import { byLabel, ignoredByStaticWeights, onlyFilters, withoutMaximum } from './spread.js';
import { clustersLeftOut, ignoredWeights, unmatchedRules } from './weights.js';

const RULES: readonly FindingRule[] = [
  malformedSelectors,
  unmatchedTerms,
  workloadAffinityOff,
  ignoredByStaticWeights,
  byLabel,
  onlyFilters,
  withoutMaximum,
  ignoredWeights,
  unmatchedRules,
  clustersLeftOut,
];

/**
 * Findings about one placement, in the order of the rules; paths begin at the policy's root, and the caller adds whose
 * placement it is. Errors in the default profile where it can only be a mistake, warnings in profile `karmada`.
 *
 * Codes: `PLACEMENT_SELECTOR_MALFORMED`, `PLACEMENT_TERM_MATCHES_NOTHING`, `PLACEMENT_WORKLOAD_AFFINITY_OFF`,
 * `SPREAD_BY_LABEL_IGNORED`, `SPREAD_FIELD_ONLY_FILTERS`, `SPREAD_IGNORED_BY_STATIC_WEIGHTS`, `SPREAD_MAX_GROUPS_MISSING`,
 * `WEIGHTS_IGNORED`, `WEIGHT_LEAVES_CLUSTER_OUT`, `WEIGHT_RULE_MATCHES_NOTHING`.
 */
export function placementFindings(input: FindingInput): readonly Diagnostic[] {
  return RULES.flatMap((rule) => rule(input));
}

export type { FindingInput } from './finding.js';
