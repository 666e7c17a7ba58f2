import type { ClusterAffinity } from '../../../api/placement.js';
import type { Diagnostic } from '../../diagnostic.js';
import { findLabelSelectorFault } from '../../label-selector.js';
import { mistake, pathOf, type FindingInput, type FindingRule } from './finding.js';

/** A malformed selector matches nothing, without an error anywhere. */
export const malformedSelectors: FindingRule = (input) =>
  affinitiesOf(input).flatMap(({ affinity, path }): Diagnostic[] => {
    const fault = affinity.labelSelector && findLabelSelectorFault(affinity.labelSelector);
    if (fault === undefined) return [];
    return [
      {
        code: 'PLACEMENT_SELECTOR_MALFORMED',
        severity: mistake(input.profile),
        summary: `The label selector matches no cluster, because it is malformed: ${fault}.`,
        hint: 'Correct it; Karmada would not complain and place nothing.',
        path: [...path, 'labelSelector'],
      },
    ];
  });

/** Later terms are only looked at when earlier ones fail, so a dead one goes unnoticed for long. */
export const unmatchedTerms: FindingRule = ({ placement, fleet }) =>
  fleet.compile(placement).terms.flatMap(({ name, matches }, index): Diagnostic[] =>
    fleet.clusters.some(matches)
      ? []
      : [
          {
            code: 'PLACEMENT_TERM_MATCHES_NOTHING',
            severity: 'warning',
            summary: `Affinity "${name}" matches no cluster of the fleet.`,
            hint: 'Check its names, labels and fields, or remove it.',
            path: pathOf('clusterAffinities', index),
          },
        ],
  );

export const workloadAffinityOff: FindingRule = ({ placement, gates, profile }) =>
  placement.workloadAffinity === undefined || gates.WorkloadAffinity
    ? []
    : [
        {
          code: 'PLACEMENT_WORKLOAD_AFFINITY_OFF',
          severity: mistake(profile),
          summary: 'The workload affinity has no effect: the feature gate WorkloadAffinity is off.',
          hint: 'Switch the gate on, here and in the control plane that will run it.',
          path: pathOf('workloadAffinity'),
        },
      ];

interface PlacedAffinity {
  readonly affinity: ClusterAffinity;
  readonly path: (string | number)[];
}

function affinitiesOf({ placement }: FindingInput): PlacedAffinity[] {
  const { clusterAffinity, clusterAffinities = [], replicaScheduling } = placement;
  const single =
    clusterAffinity === undefined
      ? []
      : [{ affinity: clusterAffinity, path: pathOf('clusterAffinity') }];
  const terms = clusterAffinities.flatMap((term, index) => {
    const path = pathOf('clusterAffinities', index);
    const overflow = (term.overflowAffinities ?? []).map((affinity, tier) => ({
      affinity,
      path: [...path, 'overflowAffinities', tier],
    }));
    return [{ affinity: term, path }, ...overflow];
  });
  const rules = (replicaScheduling?.weightPreference?.staticWeightList ?? []).map(
    ({ targetCluster }, index) => ({
      affinity: targetCluster,
      path: pathOf(
        'replicaScheduling',
        'weightPreference',
        'staticWeightList',
        index,
        'targetCluster',
      ),
    }),
  );
  return [...single, ...terms, ...rules];
}
