import { objectAt, type JsonObject } from '../merge/json.js';
import { storageKey } from '../schema/kinds.js';
import { templateHash } from '../schema/strategy.js';
import {
  generationOf,
  isDeleted,
  keyOf,
  ownedBy,
  ownerKey,
  ownKey,
  type Controller,
  type Key,
  type Reach,
} from './controller.js';
import { isPodReady } from './pod.js';
import { podFrom } from './replicaset.js';
import { scaled } from './rolling.js';
import { canRunOn } from './scheduler.js';

const REVISION = 'controller-revision-hash';
const NODES = storageKey({ group: '', resource: 'nodes' });
/** Daemons run on nodes that have trouble. */
const TOLERATED = [
  'node.kubernetes.io/not-ready',
  'node.kubernetes.io/unreachable',
  'node.kubernetes.io/unschedulable',
];

/** Keeps one pod of a DaemonSet on every node that takes it. */
export function daemonSetController(): Controller {
  return {
    name: 'daemonset',
    concerns: (event, reach) => {
      if (event.storage === NODES && event.type !== 'MODIFIED')
        return reach.world.store.list(reach.kind('apps/v1', 'DaemonSet')).map(keyOf);
      return [...ownKey(event, 'apps', 'daemonsets'), ...ownerKey(event, '', 'pods', 'DaemonSet')];
    },
    reconcile: reconcileDaemonSet,
  };
}

function reconcileDaemonSet(key: Key, reach: Reach): undefined {
  const kind = reach.kind('apps/v1', 'DaemonSet');
  const set = reach.get(kind, key);
  if (set === undefined || isDeleted(set)) return undefined;
  const podKind = reach.kind('v1', 'Pod');
  const revision = templateHash(objectAt(set, 'spec', 'template'));
  const nodes = reach.world.store
    .list(reach.kind('v1', 'Node'))
    .filter((node) => canRunOn(tolerant(set), node))
    .map((node) => keyOf(node).name);
  const pods = podsOf(set, reach);
  for (const pod of pods) if (!nodes.includes(nodeOf(pod))) reach.delete(podKind, pod);
  for (const node of nodes)
    if (!pods.some((pod) => nodeOf(pod) === node)) createPod(set, node, revision, reach);
  replaceOld(set, podsOf(set, reach), revision, nodes.length, reach);
  report(reach.get(kind, key) ?? set, revision, nodes, reach);
  return undefined;
}

/** Old pods go as far as `maxUnavailable` allows; those that are not ready go first. */
function replaceOld(
  set: JsonObject,
  pods: readonly JsonObject[],
  revision: string,
  nodes: number,
  reach: Reach,
): void {
  const strategy = objectAt(set, 'spec', 'updateStrategy');
  if (strategy['type'] === 'OnDelete') return;
  const limit = Math.max(
    1,
    scaled(objectAt(strategy, 'rollingUpdate')['maxUnavailable'] ?? 1, nodes, Math.ceil),
  );
  const old = pods.filter((pod) => revisionOf(pod) !== revision);
  const broken = old.filter((pod) => !isPodReady(pod));
  const unavailable = pods.filter((pod) => !isPodReady(pod)).length;
  const healthy = old.filter(isPodReady).slice(0, Math.max(0, limit - unavailable));
  for (const pod of [...broken, ...healthy]) reach.delete(reach.kind('v1', 'Pod'), pod);
}

function createPod(set: JsonObject, node: string, revision: string, reach: Reach): void {
  const spec = objectAt(tolerant(set), 'spec');
  const term = { matchFields: [{ key: 'metadata.name', operator: 'In', values: [node] }] };
  const affinity = {
    nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] } },
  };
  const extra = { affinity, tolerations: spec['tolerations'] };
  reach.create(
    reach.kind('v1', 'Pod'),
    podFrom(set, { labels: { [REVISION]: revision }, spec: extra }),
  );
}

function report(set: JsonObject, revision: string, nodes: readonly string[], reach: Reach): void {
  const pods = podsOf(set, reach);
  const ready = pods.filter(isPodReady).length;
  const updated = pods.filter((pod) => revisionOf(pod) === revision).length;
  reach.setStatus(reach.kind('apps/v1', 'DaemonSet'), set, {
    observedGeneration: generationOf(set),
    currentNumberScheduled: pods.length,
    desiredNumberScheduled: nodes.length,
    numberMisscheduled: 0,
    numberReady: ready,
    ...(ready > 0 && { numberAvailable: ready }),
    ...(nodes.length > ready && { numberUnavailable: nodes.length - ready }),
    ...(updated > 0 && { updatedNumberScheduled: updated }),
  });
}

function tolerant(set: JsonObject): JsonObject {
  const template = objectAt(set, 'spec', 'template');
  const spec = objectAt(template, 'spec');
  const own = Array.isArray(spec['tolerations']) ? (spec['tolerations'] as unknown[]) : [];
  return {
    ...template,
    spec: {
      ...spec,
      tolerations: [...own, ...TOLERATED.map((key) => ({ key, operator: 'Exists' }))],
    },
  };
}

function podsOf(set: JsonObject, reach: Reach): JsonObject[] {
  return ownedBy(set, reach.kind('v1', 'Pod'), reach);
}

/** Where the pod runs or is meant to run. */
function nodeOf(pod: JsonObject): string {
  const terms = objectAt(
    pod,
    'spec',
    'affinity',
    'nodeAffinity',
    'requiredDuringSchedulingIgnoredDuringExecution',
  )['nodeSelectorTerms'];
  const wanted = JSON.stringify(terms ?? '');
  return /"values":\["([^"]+)"\]/.exec(wanted)?.[1] ?? '';
}

function revisionOf(pod: JsonObject): unknown {
  return objectAt(pod, 'metadata', 'labels')[REVISION];
}
