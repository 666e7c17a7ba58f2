import { describe, expect, test } from '@jest/globals';
import { canonicalJson } from '../../../lib/engine/canonical.js';
import type { Release } from '../../../lib/engine/plan.js';
import type { ClusterClient } from '../../../lib/providers/cluster/client.js';
import { seenOf } from '../../../lib/providers/pulumi/gate-lifecycle.js';
import type { ClusterOperations } from '../../../lib/providers/pulumi/operations.js';
import * as provider from '../../../lib/providers/pulumi/provider.js';
import { pack, toWire } from '../../../lib/providers/pulumi/release-wire.js';
import type { GateInputs, Inputs, ReleaseInputs } from '../../../lib/providers/pulumi/wire.js';
import type { ReleaseResult } from '../../../lib/providers/rollout/index.js';
import { aConfigMap, aRelease } from '../rollout/releases.js';

/**
 * Explores interleavings of the Pulumi form for small fleets, nearest first, up to a bound: the real lifecycle functions, under an engine that does
 * what Pulumi does (dependency order, nothing new after a failed resource, state written per resource, half-done resources
 * updated again), on clusters that do whatever clusters do. The judge keeps its own books and never reads the state.
 */
interface ClusterModel {
  rev: string;
  ready: boolean;
  /** Since when it is ready at `rev`. */
  since: number;
  settled: string;
}
interface World {
  now: number;
  clusters: Record<string, ClusterModel>;
  /** Waves whose clusters have been ready at this version through the soak; taken back by a write of something else. */
  proven: Record<string, string>;
  kept: string;
  /** What Pulumi has stored. */
  outs: Record<string, Record<string, unknown>>;
  halfDone: Record<string, boolean>;
  run?: { version: string; approved: boolean; done: string[]; failed: boolean; broken: string[] };
}
interface Fleet {
  readonly name: string;
  readonly waves: readonly { name: string; clusters: string[]; maxFailures: number }[];
  readonly maxConcurrent: number;
  readonly onFailure: GateInputs['onFailure'];
  readonly approval?: boolean;
  readonly states: number;
}

const SOAK = 2;
const w = (name: string, clusters: string[], maxFailures = 0): Fleet['waves'][number] => ({
  ...{ name, clusters, maxFailures },
});
const FLEETS: readonly Fleet[] = [
  {
    name: 'one and one',
    waves: [w('w1', ['a']), w('w2', ['b'])],
    maxConcurrent: 9,
    onFailure: 'pause',
    states: 200,
  },
  {
    name: 'approval before the second',
    waves: [w('w1', ['a']), w('w2', ['b'])],
    maxConcurrent: 9,
    onFailure: 'pause',
    approval: true,
    states: 200,
  },
  {
    name: 'a failed wave goes back',
    waves: [w('w1', ['a']), w('w2', ['b'])],
    maxConcurrent: 9,
    onFailure: 'rollback',
    states: 200,
  },
  {
    name: 'two one by one',
    waves: [w('w1', ['a', 'b'])],
    maxConcurrent: 1,
    onFailure: 'pause',
    states: 200,
  },
  {
    name: 'one of two may fail',
    waves: [w('w1', ['a', 'b'], 1)],
    maxConcurrent: 9,
    onFailure: 'pause',
    states: 200,
  },
];

function must(holds: boolean, law: string, facts: unknown): void {
  if (!holds) throw new Error(`${law}: ${JSON.stringify(facts)}`);
}

/** Answers of the world, enumerated: the script says which, and what is beyond it is the first. */
class Oracle {
  readonly taken: { pick: number; of: number }[] = [];
  private readonly script: readonly number[];
  constructor(script: readonly number[]) {
    this.script = script;
  }
  choose(of: number): number {
    const pick = this.script[this.taken.length] ?? 0;
    this.taken.push({ pick, of });
    return pick;
  }
  next(): number[] | undefined {
    const picks = [...this.taken];
    for (let last = picks.pop(); last !== undefined; last = picks.pop())
      if (last.pick + 1 < last.of) return [...picks.map(({ pick }) => pick), last.pick + 1];
    return undefined;
  }
}

let marks = 0;
const releases = new Map<string, Release>();
function releaseOf(fleet: Fleet, cluster: string, version: string): Release {
  const key = `${cluster}@${version}`;
  const wave = fleet.waves.find(({ clusters }) => clusters.includes(cluster))?.name ?? '';
  const made = releases.get(key + wave) ?? {
    ...aRelease(cluster, [aConfigMap('x', { version })]),
    wave,
  };
  releases.set(key + wave, made);
  return made;
}
const versionOf = (release: Release): string =>
  (release.manifests[0]?.object['data'] as { version: string }).version;

/** Time passes, and clusters prove waves while it does. */
function witness(fleet: Fleet, world: World): void {
  for (const { name, clusters, maxFailures } of fleet.waves)
    for (const version of ['v1', 'v2']) {
      const good = clusters.filter((c) => {
        const it = world.clusters[c] as ClusterModel;
        return it.rev === version && it.ready && world.now - it.since >= SOAK;
      });
      if (good.length >= clusters.length - maxFailures) world.proven[name] = version;
    }
}
function write(fleet: Fleet, world: World, cluster: string, rev: string, ready: boolean): void {
  const it = world.clusters[cluster] as ClusterModel;
  const wave = fleet.waves.find(({ clusters }) => clusters.includes(cluster))?.name ?? '';
  if (it.rev !== rev) delete world.proven[wave];
  if (it.rev !== rev || !it.ready) it.since = world.now;
  Object.assign(it, { rev, ready });
}

function operations(fleet: Fleet, world: World, oracle: Oracle): ClusterOperations {
  const result = (release: Release, outcome: 'ready' | 'failed'): ReleaseResult => ({
    cluster: release.cluster,
    outcome,
    changed: true,
    grown: false,
    proven: false,
    objects: [],
    failures: outcome === 'ready' ? [] : [{ code: 'OBJECT_NOT_READY', message: 'x' }],
  });
  const isThere = (release: Release): boolean => {
    const it = world.clusters[release.cluster] as ClusterModel;
    return it.rev === versionOf(release) && it.ready;
  };
  return {
    apply: async (release) => {
      const version = versionOf(release);
      const index = fleet.waves.findIndex(({ name }) => name === release.wave);
      const own = fleet.waves[index];
      const facts = { release: release.cluster, version, world };
      const changes = world.clusters[release.cluster]?.rev !== version;
      must(world.run?.failed === false, 'started after a failed resource', facts);
      if (changes && fleet.approval === true && index > 0)
        must(world.run?.approved === true, 'started without approval', facts);
      if (changes)
        for (const { name } of fleet.waves.slice(0, index))
          must(world.proven[name] === version, 'started before the earlier wave was proven', facts);
      const broken = world.run?.broken.filter((c) => own?.clusters.includes(c)) ?? [];
      must(broken.length <= (own?.maxFailures ?? 0), 'started beyond the failure budget', facts);
      const kind = oracle.choose(3);
      if (kind < 2) write(fleet, world, release.cluster, version, kind === 0);
      if (kind > 0) world.run?.broken.push(release.cluster);
      return result(release, kind === 0 ? 'ready' : 'failed');
    },
    verify: async (release) => result(release, isThere(release) ? 'ready' : 'failed'),
    prove: async () => undefined,
    leftovers: async () => [],
    observe: async () => ({}),
    settle: async (release) => {
      const version = versionOf(release);
      const all = Object.values(world.clusters);
      must(
        all.every(({ rev }) => rev === version),
        'settled before all have it',
        { world },
      );
      must(
        fleet.waves.every(({ name }) => world.proven[name] === version),
        'settled before all is proven',
        { world },
      );
      if (oracle.choose(2) === 1) return result(release, 'failed');
      (world.clusters[release.cluster] as ClusterModel).settled = version;
      return result(release, 'ready');
    },
    keep: async (plan) => {
      const version = versionOf(plan.releases[0] as Release);
      must(
        Object.values(world.clusters).every(({ settled }) => settled === version),
        'kept before all is settled',
        { world },
      );
      world.kept = version;
    },
    findWayBack: async (plan) =>
      world.kept === '' || world.kept === versionOf(plan.releases[0] as Release)
        ? { kind: 'none', why: 'x' }
        : ({ kind: 'possible', obstacles: [], prepared: { revision: 1, plan } } as never),
    rollOut: async (plan) => {
      for (const { cluster } of plan.releases) write(fleet, world, cluster, world.kept, true);
      return { outcome: 'done', notDone: [] } as never;
    },
  };
}

interface Resource {
  readonly name: string;
  readonly after: readonly string[];
  readonly inputs: () => Inputs;
}

function graph(fleet: Fleet, world: World): Resource[] {
  const { version = '', approved = false } = world.run ?? {};
  const common = { application: 'x', environment: '', __urn: 'u', __provider: 'p' };
  const wire = (c: string) =>
    toWire(releaseOf(fleet, c, version), {
      cluster: c,
      kubeconfigPath: '',
      context: c,
      kubeconfig: '',
    });
  const states = (clusters: readonly string[]): Record<string, string> =>
    Object.fromEntries(
      clusters.map((c) => {
        const { status, reasons, applied } = world.outs[c] ?? {};
        return [c, JSON.stringify({ status, reasons, applied })];
      }),
    );
  const made: Resource[] = [
    {
      name: 'lock',
      after: [],
      inputs: () => ({ ...common, kind: 'lock', serial: 1, content: 'x' }),
    },
  ];
  let before = 'lock';
  const all = fleet.waves.flatMap(({ clusters }) => clusters);
  fleet.waves.forEach(({ name, clusters, maxFailures }, index) => {
    const held = fleet.approval === true && index > 0 && !approved;
    clusters.forEach((c, i) => {
      const slot = clusters[i - fleet.maxConcurrent];
      made.push({
        name: c,
        after: slot === undefined ? [before] : [before, slot],
        inputs: (): ReleaseInputs => ({
          ...common,
          ...wire(c),
          kind: 'release',
          hash: version,
          held,
          orphaned: false,
          deadlineSeconds: 1,
          __maxFailures: maxFailures,
          __dryRun: false,
        }),
      });
    });
    const gate = `gate-${name}`;
    made.push({
      name: gate,
      after: clusters,
      inputs: (): GateInputs => ({
        ...common,
        kind: 'gate',
        wave: name,
        hash: version,
        releases: states(clusters),
        maxFailures,
        soakSeconds: SOAK,
        held,
        onFailure: fleet.onFailure,
        __wave: { maxConcurrent: 9, deadlineSeconds: 1, lockSerial: 1, now: '' },
        __releases: pack(clusters.map(wire)),
      }),
    });
    before = gate;
  });
  const held = fleet.approval === true && !approved;
  made.push({
    name: 'settle',
    after: [before],
    inputs: () => ({
      ...common,
      kind: 'settle',
      hash: version,
      held,
      deadlineSeconds: 1,
      releases: states(all),
      removes: '',
      __keep: { waves: [], lockSerial: 1, now: '' },
      __work: pack(all.map((c) => ({ ...wire(c), deletions: [] }))),
    }),
  });
  return made;
}

/** One resource, as Pulumi takes it on; the engine may be killed before it has written what became of it. */
async function take(
  fleet: Fleet,
  world: World,
  resource: Resource,
  oracle: Oracle,
  failures: Map<string, Set<string>>,
): Promise<void> {
  const clock = {
    now: () => world.now * 1000,
    random: () => 0,
    sleep: async (ms: number) => {
      const flips = Object.keys(world.clusters);
      const flip = oracle.choose(flips.length + 1);
      if (flip > 0) (world.clusters[flips[flip - 1] ?? ''] as ClusterModel).ready = false;
      world.now += ms / 1000;
      witness(fleet, world);
    },
  };
  provider.useSession({
    link: { signal: new AbortController().signal, status: () => undefined },
    open: async ({ cluster }) => ({ cluster }) as ClusterClient,
    clock,
    failures,
    gates: new Map(),
    mark: () => String(++marks),
    operations: operations(fleet, world, oracle),
  });
  const olds = world.outs[resource.name];
  const news = resource.inputs();
  if (news.kind === 'release') {
    const own = fleet.waves.findIndex(({ clusters }) => clusters.includes(news.cluster));
    const after = fleet.waves.slice(0, own).map(({ name }) => name);
    Object.assign(news, { __after: after });
    for (const one of graph(fleet, world)) {
      const gate = one.inputs();
      if (gate.kind === 'gate' && after.includes(gate.wave)) await provider.check(gate, gate);
    }
  }
  const { run } = world;
  if (run === undefined) return;
  if (
    olds !== undefined &&
    world.halfDone[resource.name] !== true &&
    !(await provider.diff('x', olds, news)).changes
  ) {
    run.done.push(resource.name);
    return;
  }
  let outs: object | undefined;
  let error: { properties?: object } | undefined;
  try {
    outs =
      olds === undefined
        ? (await provider.create(news)).outs
        : (await provider.update('x', olds, news)).outs;
  } catch (thrown) {
    if (String(thrown).includes('world')) throw thrown;
    error = thrown as { properties?: object };
  }
  if (oracle.choose(2) === 1) return void delete world.run;
  const stored = outs ?? error?.properties;
  if (stored !== undefined)
    world.outs[resource.name] = JSON.parse(JSON.stringify(stored)) as Record<string, unknown>;
  world.halfDone[resource.name] = error !== undefined;
  if (error === undefined) run.done.push(resource.name);
  else run.failed = true;
}

async function successors(fleet: Fleet, world: World): Promise<{ world: World; lasts: boolean }[]> {
  const found: { world: World; lasts: boolean }[] = [];
  const { run } = world;
  const copy = (): World => structuredClone(world);
  for (const [name, it] of Object.entries(world.clusters)) {
    if (it.rev === '') continue;
    const next = copy();
    Object.assign(
      next.clusters[name] as ClusterModel,
      it.ready ? { ready: false } : { ready: true, since: world.now },
    );
    found.push({ world: next, lasts: !it.ready });
  }
  if (run === undefined) {
    for (const version of ['v1', 'v2'])
      for (const approved of fleet.approval === true ? [true, false] : [true])
        found.push({
          world: { ...copy(), run: { version, approved, done: [], failed: false, broken: [] } },
          lasts: true,
        });
    // A refresh finds what the clusters do not have.
    const next = copy();
    for (const [c, it] of Object.entries(next.clusters)) {
      const outs = next.outs[c];
      if (outs?.['status'] === 'ready' && outs['hash'] !== it.rev) outs['status'] = 'drifted';
    }
    found.push({ world: next, lasts: true });
    return found;
  }
  const killed = copy();
  delete killed.run;
  const resources = graph(fleet, world);
  const startable = run.failed
    ? []
    : resources.filter(
        ({ name, after }) => !run.done.includes(name) && after.every((d) => run.done.includes(d)),
      );
  found.push({ world: killed, lasts: startable.length === 0 });
  for (const { name } of startable)
    for (let script: number[] | undefined = []; script !== undefined;) {
      const next = copy();
      const oracle: Oracle = new Oracle(script);
      const resource = graph(fleet, next).find((one) => one.name === name) as Resource;
      const failures = new Map(
        fleet.waves.map((one) => [
          one.name,
          new Set(run.broken.filter((c) => one.clusters.includes(c))),
        ]),
      );
      await take(fleet, next, resource, oracle, failures);
      found.push({ world: next, lasts: true });
      script = oracle.next();
    }
  return found;
}

/** Times by age, marks by whether they have been seen. */
function keyOf(fleet: Fleet, { now, clusters, outs, ...rest }: World): string {
  const all = fleet.waves.flatMap((one) => one.clusters);
  const states = (names: readonly string[]): string =>
    seenOf(
      Object.fromEntries(
        names.map((c) => [
          c,
          JSON.stringify({
            status: outs[c]?.['status'],
            reasons: outs[c]?.['reasons'],
            applied: outs[c]?.['applied'],
          }),
        ]),
      ),
    );
  const seen = fleet.waves.map(
    ({ name, clusters: own }) => outs[`gate-${name}`]?.['passed'] === states(own),
  );
  const bare = Object.fromEntries(
    Object.entries(outs).map(([name, one]) => [
      name,
      [one['hash'], one['status'], one['rolledBack']],
    ]),
  );
  const aged = Object.fromEntries(
    Object.entries(clusters).map(([c, it]) => [
      c,
      { ...it, since: it.ready ? Math.min(SOAK, now - it.since) : 0 },
    ]),
  );
  const run = rest.run && {
    ...rest.run,
    done: [...rest.run.done].sort(),
    broken: [...rest.run.broken].sort(),
  };
  return canonicalJson([
    aged,
    rest.proven,
    rest.kept,
    rest.halfDone,
    run ?? null,
    bare,
    seen,
    outs['settle']?.['settled'] === states(all),
  ]);
}

describe.each(FLEETS)('interleavings in Pulumi: $name', (fleet) => {
  test('waves wait for proof, budgets hold, and nothing settles early', async () => {
    const names = fleet.waves.flatMap(({ clusters }) => clusters);
    const start: World = {
      now: 0,
      proven: {},
      kept: '',
      outs: {},
      halfDone: {},
      clusters: Object.fromEntries(
        names.map((c) => [c, { rev: '', ready: false, since: 0, settled: '' }]),
      ),
    };
    const known = new Map<string, World>([[keyOf(fleet, start), start]]);
    const cameFrom = new Map<string, string[]>();
    const queue = [start];
    for (
      let world = queue.shift();
      world !== undefined && known.size < MOST;
      world = queue.shift()
    ) {
      const from = keyOf(fleet, world);
      for (const { world: next, lasts } of await successors(fleet, world)) {
        const key = keyOf(fleet, next);
        if (lasts) cameFrom.set(key, [...(cameFrom.get(key) ?? []), from]);
        if (known.has(key)) continue;
        known.set(key, next);
        queue.push(next);
      }
    }
    const explored = queue.length === 0;
    const isDone = (world: World): boolean =>
      world.outs['settle']?.['hash'] === 'v2' &&
      Object.values(world.clusters).every(({ settled, ready }) => settled === 'v2' && ready);
    const alive = new Set([...known].filter(([, world]) => isDone(world)).map(([key]) => key));
    for (const todo = [...alive]; todo.length > 0;)
      for (const key of cameFrom.get(todo.pop() ?? '') ?? [])
        if (!alive.has(key)) {
          alive.add(key);
          todo.push(key);
        }
    const dead = explored
      ? [...known].filter(([key]) => !alive.has(key)).map(([, world]) => world)
      : [];
    expect(dead.slice(0, 1)).toEqual([]);
    expect(known.size).toBeGreaterThan(fleet.states);
  }, 300_000);
});

/** Stops a model that has grown beyond what is worth waiting for. */
const MOST = 10_000;
