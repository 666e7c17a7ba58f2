import type { FieldPath } from './finding.js';

/** A spelling that Karmada's API dropped, or keeps without reading it. */
export interface RemovedField {
  readonly kinds: readonly string[];
  /** Path with `[]` for list indices. */
  readonly path: string;
  /** Only this value was dropped, not the field. */
  readonly value?: string;
  /** Completes the sentence "Use …". */
  readonly replacement: string;
  /** First release without it; absent for fields that are still taken. */
  readonly since?: string;
  /** Still in the schema, read by nothing. */
  readonly ignored?: true;
}

const POLICIES = ['PropagationPolicy', 'ClusterPropagationPolicy'];
const BINDINGS = ['ResourceBinding', 'ClusterResourceBinding'];

function purgeMode(path: string, kinds: readonly string[]): readonly RemovedField[] {
  return [
    { kinds, path, value: 'Immediately', replacement: '`Directly`', since: 'v1.19' },
    { kinds, path, value: 'Graciously', replacement: '`Gracefully`', since: 'v1.19' },
  ];
}

/** Labels that Karmada once acted on, with what replaced them. */
export const REMOVED_LABELS: Readonly<Record<string, string>> = {
  'propagation.karmada.io/instruction': '`spec.suspendDispatching` of the Work (since v1.11)',
};

/** Sorted by path. */
export const REMOVED_FIELDS: readonly RemovedField[] = [
  ...['caData', 'certData', 'keyData'].map((field) => ({
    kinds: ['Karmada'],
    path: `spec.components.etcd.external.${field}`,
    replacement: '`spec.components.etcd.external.secretRef`',
    since: 'v1.16',
  })),
  {
    kinds: POLICIES,
    path: 'spec.association',
    replacement: '`spec.propagateDeps`',
    ignored: true,
  },
  ...purgeMode('spec.failover.application.purgeMode', [...POLICIES, ...BINDINGS]),
  ...purgeMode('spec.failover.cluster.purgeMode', [...POLICIES, ...BINDINGS]),
  ...purgeMode('spec.gracefulEvictionTasks[].purgeMode', BINDINGS),
  {
    kinds: ['MultiClusterService'],
    path: 'spec.range',
    replacement: '`spec.providerClusters` and `spec.consumerClusters`, each a list of `{name}`',
    ignored: true,
  },
  {
    kinds: ['MultiClusterService'],
    path: 'spec.serviceConsumptionClusters',
    replacement: '`spec.consumerClusters`, a list of `{name}`',
    ignored: true,
  },
  {
    kinds: ['MultiClusterService'],
    path: 'spec.serviceProvisionClusters',
    replacement: '`spec.providerClusters`, a list of `{name}`',
    ignored: true,
  },
];

/** The entry for a field or, with `value`, for one value of it. */
export function removedField(
  kind: string,
  path: FieldPath,
  value?: unknown,
): RemovedField | undefined {
  const position = positionOf(path);
  return REMOVED_FIELDS.find(
    (field) =>
      field.path === position &&
      field.kinds.includes(kind) &&
      (field.value === undefined || field.value === value),
  );
}

function positionOf(path: FieldPath): string {
  return path.reduce<string>(
    (text, part) =>
      typeof part === 'number' ? `${text}[]` : text === '' ? part : `${text}.${part}`,
    '',
  );
}
