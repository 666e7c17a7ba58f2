import { isObject, listAt, objectAt, type JsonObject } from '../merge/json.js';
import { itemsOf } from '../schema/pod-defaults.js';
import { toNano } from '../schema/quantity.js';
import type { World } from '../world.js';

export type Placement =
  | { readonly node: string; readonly message?: undefined }
  | { readonly node?: undefined; readonly message: string };

/**
 * The node a pod goes to: of those that are schedulable, fit its selector and taints and have room for its requests, the
 * one with the fewest pods, then by name. Affinity is read only where it pins a pod to a node by name.
 */
export function nodeFor(pod: JsonObject, world: World): Placement {
  const nodes = world.store.list({ group: '', resource: 'nodes' });
  const pods = world.store.list({ group: '', resource: 'pods' }).filter(isActive);
  const pinned = pinnedNode(pod);
  const refusals = new Map<string, number>();
  const fits: { name: string; count: number }[] = [];
  for (const node of nodes) {
    const name = String(objectAt(node, 'metadata')['name']);
    if (pinned !== undefined && pinned !== name) continue;
    const there = pods.filter((each) => objectAt(each, 'spec')['nodeName'] === name);
    const refusal = refusalOf(pod, node, there);
    if (refusal === undefined) fits.push({ name, count: there.length });
    else refusals.set(refusal, (refusals.get(refusal) ?? 0) + 1);
  }
  const [best] = fits.sort((a, b) => a.count - b.count || (a.name < b.name ? -1 : 1));
  if (best !== undefined) return { node: best.name };
  const reasons = [...refusals]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([reason, count]) => `${count} ${reason}`);
  return {
    message: `0/${nodes.length} nodes are available: ${reasons.length === 0 ? 'no nodes' : reasons.join(', ')}.`,
  };
}

/** Whether a pod may run on a node whatever else runs there: for daemons. */
export function canRunOn(template: JsonObject, node: JsonObject): boolean {
  return refusalOf({ spec: objectAt(template, 'spec') }, node, []) === undefined;
}

function refusalOf(
  pod: JsonObject,
  node: JsonObject,
  there: readonly JsonObject[],
): string | undefined {
  const spec = objectAt(pod, 'spec');
  if (objectAt(node, 'spec')['unschedulable'] === true) return 'node(s) were unschedulable';
  const taint = itemsOf(objectAt(node, 'spec'), 'taints').find(
    (each) => each['effect'] !== 'PreferNoSchedule' && !isTolerated(spec, each),
  );
  if (taint !== undefined)
    return `node(s) had untolerated taint {${String(taint['key'])}: ${String(taint['value'] ?? '')}}`;
  const labels = objectAt(node, 'metadata', 'labels');
  const selects = Object.entries(objectAt(spec, 'nodeSelector')).every(
    ([key, value]) => labels[key] === value,
  );
  if (!selects) return "node(s) didn't match Pod's node affinity/selector";
  const allocatable = objectAt(node, 'status', 'allocatable');
  if (there.length + 1 > Number(allocatable['pods'] ?? 110)) return 'Too many pods';
  for (const resource of ['cpu', 'memory']) {
    const room = toNano(String(allocatable[resource] ?? '0')) ?? 0n;
    const used = there.reduce((sum, each) => sum + requested(each, resource), 0n);
    if (used + requested(pod, resource) > room) return `Insufficient ${resource}`;
  }
  return undefined;
}

/** Sums by pod spec: specs are values, and every pod is looked at once per pod that is placed. */
const sums = new WeakMap<JsonObject, Map<string, bigint>>();

function requested(pod: JsonObject, resource: string): bigint {
  const spec = objectAt(pod, 'spec');
  const known = sums.get(spec) ?? new Map<string, bigint>();
  sums.set(spec, known);
  const sum = known.get(resource) ?? sumOf(spec, resource);
  known.set(resource, sum);
  return sum;
}

function sumOf(spec: JsonObject, resource: string): bigint {
  return itemsOf(spec, 'containers')
    .map((container) => objectAt(container, 'resources', 'requests')[resource])
    .reduce<bigint>(
      (sum, amount) => sum + (amount === undefined ? 0n : (toNano(String(amount)) ?? 0n)),
      0n,
    );
}

function isTolerated(spec: JsonObject, taint: JsonObject): boolean {
  return itemsOf(spec, 'tolerations').some((toleration) => {
    const effect = toleration['effect'] === undefined || toleration['effect'] === taint['effect'];
    if (toleration['operator'] === 'Exists')
      return effect && (toleration['key'] === undefined || toleration['key'] === taint['key']);
    return (
      effect &&
      toleration['key'] === taint['key'] &&
      (toleration['value'] ?? '') === (taint['value'] ?? '')
    );
  });
}

function isActive(pod: JsonObject): boolean {
  const phase = objectAt(pod, 'status')['phase'];
  return phase !== 'Succeeded' && phase !== 'Failed';
}

function pinnedNode(pod: JsonObject): string | undefined {
  const required = objectAt(
    pod,
    'spec',
    'affinity',
    'nodeAffinity',
    'requiredDuringSchedulingIgnoredDuringExecution',
  );
  const fields = listAt(required, 'nodeSelectorTerms')
    .flatMap((term) => listAt(term, 'matchFields'))
    .filter(isObject);
  const byName = fields.find((field) => field['key'] === 'metadata.name');
  const [name] = listAt(byName, 'values');
  return typeof name === 'string' ? name : undefined;
}
