import type { Taint } from '../../../lib/api/cluster.js';
import type { Placement } from '../../../lib/api/placement.js';
import type { ResourceBindingSpec } from '../../../lib/api/resource-binding.js';
import {
  evictUntolerated,
  remainingTasks,
  tolerationOfTaints,
  type TaskFacts,
} from '../../../lib/engine/failover/index.js';
import type { Area, Check } from '../area.js';
import { difference } from '../difference.js';

/** Cluster `m1` has taints; the binding may be on it. */
const noExecute: Check = (row) => {
  const spec = row['bindingSpec'] as ResourceBindingSpec;
  const placement = row['appliedPlacement'] as Placement | undefined;
  const taints = row['taints'] as Taint[];
  const now = row['now'] as string;
  const isOn = row['enableNoExecuteTaintEviction'] === true;
  const want = row['want'] as Record<string, unknown>;
  const evicted = evictUntolerated(
    spec,
    placement,
    new Map([['m1', clusterWith(taints)]]),
    now,
    { Failover: true, noExecuteTaintEviction: isOn },
    row['purgeModeFlag'] === 'Directly' ? 'Directly' : 'Gracefully',
  );
  if (want['error'] !== undefined) {
    // Karmada fails over a binding that was never scheduled and tries again; either way it stays as it is.
    return placement === undefined ? difference(evicted.spec, spec) : 'the annotation is there';
  }
  const toleration = isOn
    ? tolerationOfTaints(taints, placement ?? {}, now)
    : { kind: 'forever' as const };
  const got = {
    evictNow: toleration.kind === 'evict',
    ...(toleration.kind === 'forever' && { never: true }),
    ...(toleration.kind === 'until' && { afterSeconds: toleration.seconds }),
    ...(toleration.kind === 'evict' && { bindingSpec: withoutTimes(evicted.spec, spec) }),
  };
  return difference(got, want);
};

const graceful: Check = (row) => {
  const facts: TaskFacts = {
    tasks: row['tasks'] as TaskFacts['tasks'],
    clusters: (row['clusters'] ?? []) as TaskFacts['clusters'],
    aggregatedStatus: (row['aggregatedStatus'] ?? []) as TaskFacts['aggregatedStatus'],
    hasScheduled: row['hasScheduled'] === true,
    now: row['now'] as string,
    timeoutSeconds: row['timeoutSeconds'] as number,
  };
  return difference(remainingTasks(facts), row['want']);
};

function clusterWith(taints: Taint[]): never {
  const metadata = { name: 'm1' };
  return {
    apiVersion: 'cluster.karmada.io/v1alpha1',
    kind: 'Cluster',
    metadata,
    spec: { taints },
  } as never;
}

/** A plan stamps a new task at once; Karmada does with the next look at it (`graceful`). */
function withoutTimes(spec: ResourceBindingSpec, before: ResourceBindingSpec): ResourceBindingSpec {
  const known = new Set((before.gracefulEvictionTasks ?? []).map((task) => task.fromCluster));
  const tasks = (spec.gracefulEvictionTasks ?? []).map((task) => {
    if (known.has(task.fromCluster)) return task;
    const { creationTimestamp: _stamped, ...rest } = task;
    return rest;
  });
  return { ...spec, gracefulEvictionTasks: tasks };
}

export const area: Area = { checks: { graceful, noexecute: noExecute } };
