import type { ReplicaRequirements } from '../../../api/resource-binding.js';
import { fieldAt, fieldsOf, listAt, objectAt } from '../field.js';
import { parseQuantity, printBinary, printDecimal } from './quantity.js';

/**
 * What one replica asks of a cluster: node claim and resource request of a pod spec.
 *
 * A limit without a request counts as a request; per resource the larger of the sum over containers and the largest
 * init container, plus overhead. Only cpu, memory, ephemeral-storage, pods and scalar resources above zero are kept.
 * `undefined` when the pod asks nothing. Source: lifecycle reference §3.2, scheduling reference §4.1 and §9.3.
 */
export function podRequirements(podSpec: unknown): ReplicaRequirements | undefined {
  const nodeClaim = nodeClaimOf(podSpec);
  const resourceRequest = resourceRequestOf(podSpec);
  if (nodeClaim === undefined && resourceRequest === undefined) return undefined;
  return {
    ...(nodeClaim !== undefined && { nodeClaim }),
    ...(resourceRequest !== undefined && { resourceRequest }),
  } as ReplicaRequirements;
}

/** Names besides cpu, memory, ephemeral-storage and pods that count: extended resources, huge pages, attachable volumes. */
export function isScalarResource(name: string): boolean {
  if (name.startsWith('hugepages-') || name.startsWith('attachable-volumes-')) return true;
  if (name.includes('kubernetes.io/')) return true;
  return isExtendedResource(name);
}

function isExtendedResource(name: string): boolean {
  if (!name.includes('/') || name.startsWith('requests.')) return false;
  const slash = name.indexOf('/');
  const domain = `requests.${name.slice(0, slash)}`;
  const local = name.slice(slash + 1);
  const isDomain =
    domain.length <= 253 &&
    /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(domain);
  return isDomain && local.length <= 63 && /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/.test(local);
}

function nodeClaimOf(podSpec: unknown): Record<string, unknown> | undefined {
  const nodeSelector = objectAt(podSpec, 'nodeSelector');
  const tolerations = listAt(podSpec, 'tolerations');
  const hardNodeAffinity = objectAt(
    podSpec,
    'affinity',
    'nodeAffinity',
    'requiredDuringSchedulingIgnoredDuringExecution',
  );
  const hasSelector = nodeSelector !== undefined && Object.keys(nodeSelector).length > 0;
  if (!hasSelector && tolerations.length === 0 && hardNodeAffinity === undefined) return undefined;
  return {
    ...(hardNodeAffinity !== undefined && { hardNodeAffinity }),
    ...(hasSelector && { nodeSelector }),
    ...(tolerations.length > 0 && { tolerations }),
  };
}

function resourceRequestOf(podSpec: unknown): Record<string, string> | undefined {
  const total = new Map<string, bigint>();
  for (const container of listAt(podSpec, 'containers')) addTo(total, containerRequests(container));
  for (const container of listAt(podSpec, 'initContainers'))
    raiseTo(total, containerRequests(container));
  addTo(total, amountsOf(fieldAt(podSpec, 'overhead')));

  const names = [...total.keys()].filter((name) => (total.get(name) ?? 0n) > 0n).sort();
  if (names.length === 0) return undefined;
  return Object.fromEntries(names.map((name) => [name, print(name, total.get(name) ?? 0n)]));
}

function containerRequests(container: unknown): ReadonlyMap<string, bigint> {
  const limits = fieldsOf(fieldAt(container, 'resources', 'limits'));
  const requests = fieldsOf(fieldAt(container, 'resources', 'requests'));
  return amountsOf({ ...limits, ...requests });
}

/** CPU in thousandths, everything else in whole units; rounded up before anything is added. */
function amountsOf(quantities: unknown): ReadonlyMap<string, bigint> {
  const amounts = new Map<string, bigint>();
  for (const [name, quantity] of Object.entries(fieldsOf(quantities))) {
    const amount = parseQuantity(quantity, name === 'cpu' ? 3 : 0);
    if (amount !== undefined && (PLAIN.has(name) || isScalarResource(name)))
      amounts.set(name, amount);
  }
  return amounts;
}

function addTo(total: Map<string, bigint>, amounts: ReadonlyMap<string, bigint>): void {
  for (const [name, amount] of amounts) total.set(name, (total.get(name) ?? 0n) + amount);
}

function raiseTo(total: Map<string, bigint>, amounts: ReadonlyMap<string, bigint>): void {
  for (const [name, amount] of amounts) {
    const current = total.get(name) ?? 0n;
    total.set(name, amount > current ? amount : current);
  }
}

function print(name: string, amount: bigint): string {
  if (name === 'cpu') return printDecimal(amount, 3);
  const isBinary =
    name === 'memory' || name === 'ephemeral-storage' || name.startsWith('hugepages-');
  return isBinary ? printBinary(amount) : printDecimal(amount, 0);
}

const PLAIN: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage', 'pods']);
