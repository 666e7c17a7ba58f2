import type { FieldPath, Finding } from '../finding.js';
import { isLabelKey } from '../format.js';
import type {
  ClusterAffinityTerm,
  Placement,
  ReplicaSchedulingStrategy,
  SpreadConstraint,
  Toleration,
  WorkloadAffinity,
} from '../placement.js';
import { affinityRules } from './field-selector.js';
import { conflicting, duplicates, each, refused } from './report.js';

/** What Karmada's webhook refuses in a placement (scheduling reference §1.2). */
export function placementRules(
  path: FieldPath,
  placement: Placement | undefined,
): readonly Finding[] {
  if (placement === undefined) return [];
  const terms = [...path, 'clusterAffinities'];
  return [
    ...(placement.clusterAffinity !== undefined && placement.clusterAffinities !== undefined
      ? [
          conflicting(
            [...path, 'clusterAffinities'],
            'must not be combined with clusterAffinity',
            'Make the single affinity the first term of the list.',
          ),
        ]
      : []),
    ...affinityRules([...path, 'clusterAffinity'], placement.clusterAffinity),
    ...each(terms, placement.clusterAffinities, (term, at) =>
      termRules(at, term, placement.replicaScheduling),
    ),
    ...duplicates(terms, placement.clusterAffinities, (term) => term.affinityName, [
      'affinityName',
    ]),
    ...spreadRules([...path, 'spreadConstraints'], placement.spreadConstraints),
    ...workloadAffinityRules([...path, 'workloadAffinity'], placement.workloadAffinity),
    ...each([...path, 'clusterTolerations'], placement.clusterTolerations, tolerationRules),
  ];
}

function termRules(
  path: FieldPath,
  term: ClusterAffinityTerm,
  strategy: ReplicaSchedulingStrategy | undefined,
): readonly Finding[] {
  return [
    ...nameRules(path, term.affinityName),
    ...affinityRules(path, term),
    ...(term.overflowAffinities === undefined ? [] : overflowRules(path, term, strategy)),
  ];
}

function nameRules(path: FieldPath, name: string): readonly Finding[] {
  return isLabelKey(name)
    ? []
    : [refused([...path, 'affinityName'], 'must have the form of a label key', name)];
}

function overflowRules(
  path: FieldPath,
  term: ClusterAffinityTerm,
  strategy: ReplicaSchedulingStrategy | undefined,
): readonly Finding[] {
  const at = [...path, 'overflowAffinities'];
  const primary = [term.labelSelector, term.fieldSelector, term.clusterNames, term.exclude];
  const names = [term, ...(term.overflowAffinities ?? [])];
  return [
    ...(respectsCapacity(strategy)
      ? []
      : [
          conflicting(
            at,
            'needs replicas divided by capacity',
            'Use Divided with Aggregated, or Divided with Weighted and a dynamicWeight.',
          ),
        ]),
    ...(primary.some((part) => part !== undefined)
      ? []
      : [conflicting(at, 'needs a primary group: the term itself restricts nothing')]),
    ...each(at, term.overflowAffinities, (overflow, place) => [
      ...nameRules(place, overflow.affinityName),
      ...affinityRules(place, overflow),
      ...(names.findIndex((other) => other.affinityName === overflow.affinityName) <
      names.indexOf(overflow)
        ? [conflicting([...place, 'affinityName'], 'must be unique within the term')]
        : []),
    ]),
  ];
}

function respectsCapacity(strategy: ReplicaSchedulingStrategy | undefined): boolean {
  if (strategy?.replicaSchedulingType !== 'Divided') return false;
  const { replicaDivisionPreference: preference, weightPreference } = strategy;
  if (preference === 'Aggregated') return true;
  return preference === 'Weighted' && weightPreference?.dynamicWeight !== undefined;
}

function spreadRules(
  path: FieldPath,
  constraints: readonly SpreadConstraint[] | undefined,
): readonly Finding[] {
  const byField = (constraints ?? []).filter((c) => c.spreadByField !== undefined);
  return [
    ...each(path, constraints, groupRules),
    ...duplicates(path, constraints, (c) => c.spreadByField, ['spreadByField']),
    ...(byField.length > 0 && byField.every((c) => c.spreadByField !== 'cluster')
      ? [
          conflicting(
            path,
            `needs a constraint by cluster beside the one by ${byField[0]?.spreadByField}`,
            'Add { spreadByField: cluster, minGroups, maxGroups }: how many clusters in all.',
          ),
        ]
      : []),
  ];
}

function groupRules(constraint: SpreadConstraint, path: FieldPath): readonly Finding[] {
  const { spreadByField, spreadByLabel, minGroups = 0, maxGroups = 0 } = constraint;
  return [
    ...(spreadByField !== undefined && spreadByLabel !== undefined && spreadByLabel !== ''
      ? [conflicting([...path, 'spreadByLabel'], 'must not be combined with spreadByField')]
      : []),
    ...(minGroups < 0 ? [refused([...path, 'minGroups'], 'must not be negative', minGroups)] : []),
    ...(maxGroups < 0 ? [refused([...path, 'maxGroups'], 'must not be negative', maxGroups)] : []),
    ...(maxGroups > 0 && maxGroups < minGroups
      ? [refused([...path, 'maxGroups'], `must be at least minGroups (${minGroups})`, maxGroups)]
      : []),
  ];
}

function workloadAffinityRules(
  path: FieldPath,
  affinity: WorkloadAffinity | undefined,
): readonly Finding[] {
  const terms = [
    ['affinity', affinity?.affinity?.groupByLabelKey],
    ['antiAffinity', affinity?.antiAffinity?.groupByLabelKey],
  ] as const;
  const keys = terms.map(([, key]) => key);
  return [
    ...terms.flatMap(([term, key]) =>
      key === undefined || isLabelKey(key)
        ? []
        : [refused([...path, term, 'groupByLabelKey'], 'must be a label key', key)],
    ),
    ...(keys[0] !== undefined && keys[0] === keys[1]
      ? [
          conflicting(
            [...path, 'antiAffinity', 'groupByLabelKey'],
            'must differ from the key of affinity: no cluster can satisfy both',
          ),
        ]
      : []),
  ];
}

function tolerationRules(toleration: Toleration, path: FieldPath): readonly Finding[] {
  const { operator = '' } = toleration;
  return ['', 'Exists', 'Equal'].includes(operator)
    ? []
    : [refused([...path, 'operator'], 'must be Exists or Equal', operator)];
}
