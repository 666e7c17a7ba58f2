import type { FederatedResourceQuota } from '../federated-resource-quota.js';
import type { FieldPath, Finding } from '../finding.js';
import { isClusterName, isLabelKey } from '../format.js';
import { quantityNano } from '../quantity.js';
import { conflicting, each, refused } from './report.js';

const COUNTABLE = new Set([
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
]);

const STANDARD = new Set([
  ...COUNTABLE,
  'cpu',
  'memory',
  'ephemeral-storage',
  'requests.cpu',
  'requests.memory',
  'requests.storage',
  'requests.ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
]);

const ONE = 1_000_000_000n;

type Resources = Readonly<Record<string, string | number>>;

export function federatedResourceQuotaRules(quota: FederatedResourceQuota): readonly Finding[] {
  const { name = '' } = quota.metadata;
  const { overall, staticAssignments } = quota.spec;
  return [
    ...(name.length > 63
      ? [refused(['metadata', 'name'], 'must have at most 63 characters', name.length)]
      : []),
    ...resourceRules(['spec', 'overall'], overall),
    ...each(['spec', 'staticAssignments'], staticAssignments, (assignment, at) => [
      ...clusterRules([...at, 'clusterName'], assignment.clusterName),
      ...resourceRules([...at, 'hard'], assignment.hard),
      ...Object.keys(assignment.hard)
        .filter((resource) => !Object.hasOwn(overall, resource))
        .map((resource) => conflicting([...at, 'hard', resource], 'is not in spec.overall')),
    ]),
    ...Object.keys(overall).flatMap((resource) => sumRules(quota, resource)),
    ...resourceRules(['status', 'overall'], quota.status?.overall ?? {}),
    ...resourceRules(['status', 'overallUsed'], quota.status?.overallUsed ?? {}),
    ...each(['status', 'aggregatedStatus'], quota.status?.aggregatedStatus, (item, at) => [
      ...clusterRules([...at, 'clusterName'], item.clusterName),
      ...resourceRules([...at, 'hard'], item.hard ?? {}),
      ...resourceRules([...at, 'used'], item.used ?? {}),
    ]),
  ];
}

function clusterRules(path: FieldPath, name: string): readonly Finding[] {
  return isClusterName(name) ? [] : [refused(path, 'must be the name of a cluster', name)];
}

function resourceRules(path: FieldPath, resources: Resources): readonly Finding[] {
  return Object.entries(resources).flatMap(([resource, value]) => {
    const at = [...path, resource];
    const amount = quantityNano(value) ?? 0n;
    return [
      ...(isQuotaName(resource) ? [] : [conflicting(at, 'is not the name of a quota')]),
      ...(amount < 0n ? [refused(at, 'must not be negative', value)] : []),
      ...(isCountable(resource) && amount % ONE !== 0n
        ? [refused(at, 'must be a whole number', value)]
        : []),
    ];
  });
}

function isQuotaName(resource: string): boolean {
  if (!isLabelKey(resource)) return false;
  if (resource.includes('/') || STANDARD.has(resource)) return true;
  return resource.startsWith('hugepages-') || resource.startsWith('requests.hugepages-');
}

function isCountable(resource: string): boolean {
  if (COUNTABLE.has(resource)) return true;
  const slash = resource.indexOf('/');
  if (slash < 0 || resource.startsWith('requests.')) return false;
  const domain = resource.slice(0, slash);
  return domain !== 'kubernetes.io' && !domain.endsWith('.kubernetes.io');
}

function sumRules(quota: FederatedResourceQuota, resource: string): readonly Finding[] {
  const limit = quota.spec.overall[resource] ?? 0;
  const assigned = (quota.spec.staticAssignments ?? []).filter(({ hard }) =>
    Object.hasOwn(hard, resource),
  );
  const sum = assigned.reduce(
    (total, { hard }) => total + (quantityNano(hard[resource] ?? 0) ?? 0n),
    0n,
  );
  if (assigned.length === 0 || sum <= (quantityNano(limit) ?? 0n)) return [];
  const path = ['spec', 'overall', resource];
  return [refused(path, 'must be at least the sum over all static assignments', limit)];
}
