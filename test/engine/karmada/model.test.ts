import { describe, expect, test } from '@jest/globals';
import type { KubeObject } from '../../../lib/api/object.js';
import {
  giveBack,
  nextAction,
  policyKey,
  stageOf,
  SUSPENSION_MEMORY,
  toPolicyView,
  type BindingView,
  type ControlPlaneView,
  type KarmadaGoal,
  type PolicyView,
  type SuspensionWrite,
} from '../../../lib/engine/karmada/index.js';
import { refKey } from '../../../lib/engine/object.js';
import type { PolicyRef } from '../../../lib/engine/plan.js';

/**
 * Every interleaving of a run with a control plane whose controllers work from late caches, with a person who suspends a cluster
 * and with a run that is killed and started again: two clusters, one a wave.
 */
const CLUSTERS = ['a', 'b'] as const;
const OLD = 2;
const NEW = 3;
const NEWER = 4;
const POLICY: PolicyRef = { kind: 'PropagationPolicy', namespace: 'shop', name: 'web' };
const RESOURCE = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' };

interface Field {
  readonly clusters: readonly string[];
  readonly memory?: string;
}
interface Cell {
  readonly suspended: boolean;
  readonly generation: number;
}
interface World {
  readonly field: Field;
  /** What the controllers' cache has of the field, and the versions it has not seen yet: it is late, and never goes back. */
  readonly cached: Field;
  readonly coming: readonly Field[];
  readonly template: number;
  readonly binding: { readonly suspended: readonly string[]; readonly generation: number };
  readonly works: Readonly<Record<string, Cell>>;
  readonly members: Readonly<
    Record<string, { readonly generation: number; readonly done: boolean }>
  >;
  readonly run: {
    /** Generation that this run's change becomes. */
    readonly target: number;
    readonly isApplied: boolean;
    readonly wave: number;
    readonly isOver: boolean;
    readonly stop?: string;
  };
  readonly kills: number;
  /** Clusters that the person put into the list while they were not in it. */
  readonly persons: readonly string[];
}

const START: World = {
  field: { clusters: [] },
  cached: { clusters: [] },
  coming: [],
  template: OLD,
  binding: { suspended: [], generation: OLD },
  works: each({ suspended: false, generation: OLD }),
  members: each({ generation: OLD, done: true }),
  run: { target: NEW, isApplied: false, wave: 0, isOver: false },
  kills: 0,
  persons: [],
};

function each<T>(value: T): Record<string, T> {
  return Object.fromEntries(CLUSTERS.map((name) => [name, value]));
}

function policyView({ field }: World): PolicyView {
  const object: KubeObject = {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'PropagationPolicy',
    metadata: {
      name: 'web',
      resourceVersion: '1',
      ...(field.memory !== undefined && { annotations: { [SUSPENSION_MEMORY]: field.memory } }),
    },
    spec: { suspension: { dispatchingOnClusters: { clusterNames: field.clusters } } },
  };
  return toPolicyView(object);
}

function viewOf(world: World): ControlPlaneView {
  const binding: BindingView = {
    shares: CLUSTERS.map((cluster) => ({ cluster, replicas: 1 })),
    replicas: 1,
    placement: {},
    isScheduled: true,
    isSuspendedWhole: false,
    isPreserved: false,
    suspended: world.binding.suspended,
    works: CLUSTERS.map((cluster) => {
      const work = world.works[cluster] as Cell;
      return {
        cluster,
        isSuspended: work.suspended,
        generation: work.generation,
        isApplied: true,
        isDispatching: !work.suspended,
      };
    }),
    items: CLUSTERS.map((cluster) => {
      const member = world.members[cluster];
      const done = member?.done === true ? 1 : 0;
      return {
        cluster,
        isApplied: true,
        health: 'Healthy',
        status: {
          resourceTemplateGeneration: member?.generation,
          generation: 1,
          observedGeneration: 1,
          replicas: 1,
          updatedReplicas: done,
          availableReplicas: 1,
        },
      };
    }),
  };
  return {
    policies: new Map([[policyKey(POLICY), policyView(world)]]),
    bindings: new Map([[refKey(RESOURCE), binding]]),
  };
}

function goalOf(generation: number, target: number): KarmadaGoal {
  return {
    rollout: `change ${target}`,
    policies: [{ policy: POLICY, clusters: [...CLUSTERS], suspendedByDocument: [], leaving: [] }],
    bindings: [
      {
        resource: RESOURCE,
        policy: POLICY,
        shares: CLUSTERS.map((cluster) => ({ cluster, replicas: 1 })),
        leaving: [],
        generation,
      },
    ],
  };
}

const toField = ({ clusterNames, memory }: SuspensionWrite): Field => ({
  clusters: clusterNames,
  ...(memory !== undefined && { memory }),
});

const withField = (world: World, field: Field): World =>
  same(world.field, field) ? world : { ...world, field, coming: [...world.coming, field] };

/** One step of the run, if it has one. */
function runSteps(world: World): World | undefined {
  const { run } = world;
  if (run.isOver || run.stop !== undefined) return undefined;
  const view = viewOf(world);
  const goal = goalOf(run.isApplied ? run.target : world.template, run.target);
  const mayRelease = new Set(CLUSTERS.slice(0, run.wave + 1));
  const action = nextAction(goal, view, { isApplied: run.isApplied, mayRelease });
  switch (action.kind) {
    case 'hold':
    case 'release':
      return withField(world, toField(action.write));
    case 'apply':
      return { ...world, template: run.target, run: { ...run, isApplied: true } };
    case 'stop':
      return { ...world, run: { ...run, stop: action.reason } };
    case 'wait':
      return action.phase === 'stepping' ? wavePasses(world, view, goal) : undefined;
  }
}

function wavePasses(world: World, view: ControlPlaneView, goal: KarmadaGoal): World | undefined {
  const { run } = world;
  const cluster = CLUSTERS[run.wave];
  const [binding] = goal.bindings;
  if (cluster === undefined || binding === undefined) return undefined;
  const isKept = world.persons.includes(cluster);
  if (!isKept && !stageOf(binding, view.bindings.get(refKey(RESOURCE)), cluster).passed)
    return undefined;
  if (run.wave + 1 < CLUSTERS.length) return { ...world, run: { ...run, wave: run.wave + 1 } };
  const done = { ...world, run: { ...run, isOver: true } };
  return withField(done, toField(giveBack(POLICY, policyView(world))));
}

/** Everything that can happen next. */
function successors(world: World): World[] {
  const next: (World | undefined)[] = [runSteps(world)];
  const [newer, ...coming] = world.coming;
  if (newer !== undefined) next.push({ ...world, cached: newer, coming });
  const bound = { suspended: world.cached.clusters, generation: world.template };
  if (!same(world.binding, bound)) next.push({ ...world, binding: bound });
  for (const cluster of CLUSTERS) {
    const work = world.works[cluster] as Cell;
    const built = {
      suspended: world.binding.suspended.includes(cluster),
      generation: world.binding.generation,
    };
    if (!same(work, built)) next.push({ ...world, works: { ...world.works, [cluster]: built } });
    const member = world.members[cluster];
    if (!work.suspended && member?.generation !== work.generation)
      next.push({
        ...world,
        members: { ...world.members, [cluster]: { generation: work.generation, done: false } },
      });
    if (member?.done === false)
      next.push({
        ...world,
        members: { ...world.members, [cluster]: { ...member, done: true } },
      });
    if (
      world.persons.length === 0 &&
      !world.field.clusters.includes(cluster) &&
      !world.run.isOver
    ) {
      const clusters = [...world.field.clusters, cluster].sort();
      next.push({ ...withField(world, { ...world.field, clusters }), persons: [cluster] });
    }
  }
  // Killed, and started again for the same change or for another one.
  if (world.kills < 1 && !world.run.isOver)
    for (const target of [NEW, NEWER])
      next.push({
        ...world,
        kills: 1,
        run: { target, isApplied: false, wave: 0, isOver: false },
      });
  return next.filter((one): one is World => one !== undefined);
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** All worlds that can be reached, each with its successors. */
function explore(): ReadonlyMap<
  string,
  { readonly world: World; readonly next: readonly string[] }
> {
  const seen = new Map<string, { world: World; next: readonly string[] }>();
  const front = [START];
  while (front.length > 0) {
    const world = front.pop() as World;
    const key = JSON.stringify(world);
    if (seen.has(key)) continue;
    const next = successors(world);
    seen.set(key, { world, next: next.map((one) => JSON.stringify(one)) });
    front.push(...next);
  }
  return seen;
}

describe('every interleaving', () => {
  const reached = explore();
  const worlds = [...reached.values()].map(({ world }) => world);
  const edges = [...reached.values()].flatMap(({ world, next }) =>
    next.map((key) => ({ from: world, to: reached.get(key)?.world ?? world })),
  );

  test('is many', () => {
    expect(worlds.length).toBeGreaterThan(1_000);
  });

  test('no cluster gets a change before the one before it runs all of it', () => {
    const early = edges.filter(({ from, to }) => {
      const before = from.members['b']?.generation;
      const now = to.members['b']?.generation ?? 0;
      const first = from.members['a'];
      const isDone = first?.generation === now && first.done;
      return before !== now && !isDone && !from.persons.includes('a');
    });
    expect(early.slice(0, 1)).toEqual([]);
  });

  test('a change that was replaced before its turn never arrives', () => {
    const late = edges.filter(
      ({ from, to }) =>
        from.template === NEWER &&
        from.members['b']?.generation === OLD &&
        to.members['b']?.generation === NEW,
    );
    expect(late.slice(0, 1)).toEqual([]);
  });

  test('what a person suspended stays suspended', () => {
    const dropped = worlds.filter(({ persons, field }) =>
      persons.some((cluster) => !field.clusters.includes(cluster)),
    );
    expect(dropped.slice(0, 1)).toEqual([]);
  });

  test('no dead state: where nothing can happen any more, the run is over and everything has arrived', () => {
    const ends = [...reached.values()].filter(({ next }) => next.length === 0);
    expect(ends.length).toBeGreaterThan(0);
    for (const { world } of ends) {
      expect(world.run).toMatchObject({ isOver: true });
      for (const cluster of CLUSTERS)
        if (!world.persons.includes(cluster))
          expect(world.members[cluster]).toEqual({ generation: world.run.target, done: true });
      expect(world.field.clusters).toEqual(world.persons);
      expect(world.field.memory).toBeUndefined();
    }
  });
});
