import type { Diagnostic } from '../../diagnostic.js';
import { mistake, pathOf, type FindingRule } from './finding.js';

/** Spread constraints beside static weights do nothing but filter. */
export const ignoredByStaticWeights: FindingRule = ({ placement, fleet, profile }) => {
  const compiled = fleet.compile(placement);
  if (!compiled.hasConstraints || !compiled.ignoresSpread) return [];
  return [
    {
      code: 'SPREAD_IGNORED_BY_STATIC_WEIGHTS',
      severity: mistake(profile),
      summary:
        'Replicas are divided by static weights, so the spread constraints choose no clusters: every cluster that fits takes part.',
      hint: 'Remove the spread constraints, name the clusters in the affinity, or divide by `dynamicWeight: AvailableReplicas`.',
      path: pathOf('spreadConstraints'),
    },
  ];
};

export const byLabel: FindingRule = ({ placement, profile }) =>
  constraints(placement.spreadConstraints, ({ spreadByLabel = '' }, index) =>
    spreadByLabel === ''
      ? undefined
      : {
          code: 'SPREAD_BY_LABEL_IGNORED',
          severity: mistake(profile),
          summary: `The constraint by label "${spreadByLabel}" spreads nothing: Karmada's scheduler does not implement it.`,
          hint: 'Spread by `region` or `cluster`; a label can be written as the region of the clusters.',
          path: pathOf('spreadConstraints', index),
        },
  );

export const onlyFilters: FindingRule = ({ placement, profile }) =>
  constraints(placement.spreadConstraints, ({ spreadByField, minGroups = 0 }, index) =>
    spreadByField !== 'zone' && spreadByField !== 'provider'
      ? undefined
      : {
          code: 'SPREAD_FIELD_ONLY_FILTERS',
          severity: minGroups > 1 ? mistake(profile) : 'warning',
          summary: `The constraint by ${spreadByField} only leaves out clusters without a ${spreadByField}; its minGroups and maxGroups are not looked at.`,
          hint: 'Spread by `region` or `cluster`.',
          path: pathOf('spreadConstraints', index),
        },
  );

/** An absent `maxGroups` is 0 and not "any number". */
export const withoutMaximum: FindingRule = ({ placement, profile }) =>
  constraints(placement.spreadConstraints, ({ spreadByField, maxGroups = 0 }, index) =>
    maxGroups > 0 || (spreadByField !== 'cluster' && spreadByField !== 'region')
      ? undefined
      : {
          code: 'SPREAD_MAX_GROUPS_MISSING',
          severity: mistake(profile),
          summary: `The constraint by ${spreadByField} has no maxGroups, which Karmada reads as 0: no ${spreadByField} can be chosen by it.`,
          hint: 'Set `maxGroups` to the largest number that is wanted.',
          path: pathOf('spreadConstraints', index),
        },
  );

type Constraint = NonNullable<Parameters<FindingRule>[0]['placement']['spreadConstraints']>[number];

function constraints(
  list: readonly Constraint[] | undefined,
  find: (constraint: Constraint, index: number) => Diagnostic | undefined,
): readonly Diagnostic[] {
  return (list ?? []).map(find).filter((found) => found !== undefined);
}
