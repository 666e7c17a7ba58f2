import type { Cluster } from '../../api/cluster.js';

interface Requirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[] | undefined;
}

/** The part of Karmada's ClusterAffinity that a wave uses. */
export interface WaveAffinity {
  readonly exclude?: readonly string[] | undefined;
  readonly clusterNames?: readonly string[] | undefined;
  readonly labelSelector?:
    | {
        readonly matchLabels?: Readonly<Record<string, string>> | undefined;
        readonly matchExpressions?: readonly Requirement[] | undefined;
      }
    | undefined;
  readonly fieldSelector?:
    { readonly matchExpressions?: readonly Requirement[] | undefined } | undefined;
}

/**
 * Whether a wave's affinity takes a cluster. Same rule as a placement's (scheduling reference §7.7).
 * A cluster whose document is unknown (it left the fleet) matches by name only.
 */
export function matchesWaveAffinity(
  affinity: WaveAffinity,
  name: string,
  cluster: Cluster | undefined,
): boolean {
  if (affinity.exclude?.includes(name)) return false;
  const labels = cluster?.metadata.labels ?? {};
  const { labelSelector, fieldSelector } = affinity;
  for (const [key, value] of Object.entries(labelSelector?.matchLabels ?? {})) {
    if (labels[key] !== value) return false;
  }
  for (const requirement of labelSelector?.matchExpressions ?? []) {
    if (!meets(labels, requirement)) return false;
  }
  const spec = cluster?.spec as
    { provider?: string; region?: string; zones?: readonly string[] } | undefined;
  for (const requirement of fieldSelector?.matchExpressions ?? []) {
    const met =
      requirement.key === 'zone'
        ? meetsZone(spec?.zones ?? [], requirement)
        : meets(fields(spec?.provider, spec?.region), requirement);
    if (!met) return false;
  }
  const names = affinity.clusterNames ?? [];
  return names.length === 0 || names.includes(name);
}

function fields(provider: string | undefined, region: string | undefined): Record<string, string> {
  return { ...(provider && { provider }), ...(region && { region }) };
}

function meets(
  facts: Readonly<Record<string, string>>,
  { key, operator, values = [] }: Requirement,
): boolean {
  const seen = facts[key];
  switch (operator) {
    case 'In':
      return seen !== undefined && values.includes(seen);
    case 'NotIn':
      return values.length > 0 && (seen === undefined || !values.includes(seen));
    case 'Exists':
      return seen !== undefined;
    case 'DoesNotExist':
      return seen === undefined;
    default:
      return false;
  }
}

function meetsZone(zones: readonly string[], { operator, values = [] }: Requirement): boolean {
  switch (operator) {
    case 'In':
      return zones.some((zone) => values.includes(zone));
    case 'NotIn':
      return !zones.some((zone) => values.includes(zone));
    case 'Exists':
      return zones.length > 0;
    case 'DoesNotExist':
      return zones.length === 0;
    default:
      return false;
  }
}
