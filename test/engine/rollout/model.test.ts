import { describe, expect, test } from '@jest/globals';
import { canonicalJson } from '../../../lib/engine/canonical.js';
import type { PlannedWave } from '../../../lib/engine/plan.js';
import type {
  Opening,
  RolloutEffect,
  RolloutEvent,
  RolloutState,
} from '../../../lib/engine/rollout/index.js';
import {
  nextWakeAt,
  outcomeOf,
  startRollout,
  step,
  wavesToRollBack,
} from '../../../lib/engine/rollout/index.js';

/**
 * Explores every interleaving of events for small fleets. The judge keeps its own books from the events alone and never
 * looks into the machine's phases to decide whether a wave may start.
 */
interface Judge {
  /** What each cluster really does. */
  readonly clusters: Record<string, 'idle' | 'applying' | 'observing' | 'ready' | 'failed'>;
  /** Ready in this run without having changed, proven by an earlier run. */
  readonly untouched: Record<string, boolean>;
  /** Since when all clusters of a wave that did not fail are ready. */
  readonly steadySince: Record<string, number>;
  readonly mayLeave: Record<string, boolean>;
  /** Marks that survive a killed process. */
  readonly proven: readonly string[];
  readonly pauses: number;
  readonly kills: number;
}

/** Jest's own `expect` is too slow for a million calls. */
function must(holds: boolean, law: string, facts: unknown): void {
  if (!holds) throw new Error(`${law}: ${JSON.stringify(facts)}`);
}

interface Node {
  readonly state: RolloutState;
  readonly judge: Judge;
}

interface Fleet {
  readonly name: string;
  readonly waves: readonly PlannedWave[];
  readonly settle: readonly string[];
  readonly openings?: Readonly<Record<string, readonly Opening[]>>;
  readonly pauses?: number;
  readonly kills?: number;
  /** At least so many states: a test that explores nothing is worth nothing. */
  readonly states: number;
}

const wave = (
  name: string,
  clusters: string[],
  gate: Partial<PlannedWave['gate']> = {},
  maxConcurrent = 9,
): PlannedWave => ({
  name,
  clusters,
  maxConcurrent,
  gate: { soakSeconds: 2, deadlineSeconds: 3, maxFailures: 0, approval: false, ...gate },
});

const FOREVER = Number.MAX_SAFE_INTEGER;

const FLEETS: readonly Fleet[] = [
  {
    name: 'one and one, with soak',
    waves: [wave('w1', ['a']), wave('w2', ['b'])],
    settle: ['a'],
    pauses: 1,
    kills: 1,
    states: 10000,
  },
  {
    name: 'two and one',
    waves: [wave('w1', ['a', 'b']), wave('w2', ['c'], { soakSeconds: 0 })],
    settle: ['c'],
    states: 400,
  },
  {
    name: 'two one by one',
    waves: [wave('w1', ['a', 'b'], {}, 1), wave('w2', ['c'], { soakSeconds: 0 })],
    settle: [],
    pauses: 1,
    states: 3000,
  },
  {
    name: 'one of two may fail, then approval',
    waves: [
      wave('w1', ['a', 'b'], { maxFailures: 1, soakSeconds: 1 }),
      wave('w2', ['c'], { approval: true, soakSeconds: 0 }),
    ],
    settle: ['a', 'c'],
    kills: 1,
    states: 9000,
  },
  {
    name: 'a failed wave does not stop the next',
    waves: [
      wave('w1', ['a', 'b'], { soakSeconds: 0, onFailure: 'continue' }),
      wave('w2', ['c'], { soakSeconds: 0 }),
    ],
    settle: ['c'],
    states: 500,
  },
  {
    name: 'three waves without soak',
    waves: ['a', 'b', 'c'].map((c) => wave(`w-${c}`, [c], { soakSeconds: 0, deadlineSeconds: 2 })),
    settle: [],
    kills: 2,
    states: 300,
  },
  {
    name: 'the second wave opens later, is closed for a moment, and opens for good',
    waves: [
      wave('w1', ['a'], { soakSeconds: 0 }),
      wave('w2', ['b'], { soakSeconds: 0, deadlineSeconds: 2 }),
    ],
    openings: {
      w2: [
        { from: 2_000, until: 3_000 },
        { from: 5_000, until: FOREVER },
      ],
    },
    settle: ['a'],
    pauses: 1,
    kills: 1,
    states: 300,
  },
  {
    name: 'a failed wave takes the run back',
    waves: [
      wave('w1', ['a', 'b'], { soakSeconds: 0, maxFailures: 1, onFailure: 'rollback' }),
      wave('w2', ['c'], { soakSeconds: 0, onFailure: 'rollback' }),
    ],
    settle: ['c'],
    states: 300,
  },
];

describe.each(FLEETS)('every interleaving: $name', (fleet) => {
  test('waves wait for proof, budgets hold, pause stops, and there is no dead end', () => {
    const graph = explore(fleet);

    expect(graph.nodes.size).toBeGreaterThan(fleet.states);
    const over = [...graph.nodes].filter(([, node]) =>
      ['done', 'failed', 'aborted'].includes(outcomeOf(node.state)),
    );
    expect(new Set(over.map(([, node]) => outcomeOf(node.state)))).toEqual(
      new Set(['done', 'failed', 'aborted']),
    );
    // From everywhere the run can still end without being aborted or killed.
    const ends = over.filter(([, node]) => outcomeOf(node.state) !== 'aborted').map(([key]) => key);
    const alive = reaching(ends, graph.cameFrom);
    const dead = [...graph.nodes].filter(
      ([key, node]) => !alive.has(key) && outcomeOf(node.state) !== 'aborted',
    );
    expect(dead.map(([, node]) => node.state)).toEqual([]);
    for (const [, node] of over) judgeTheWayBack(fleet, node);
  });
});

function explore(fleet: Fleet): { nodes: Map<string, Node>; cameFrom: Map<string, string[]> } {
  const nodes = new Map<string, Node>();
  const cameFrom = new Map<string, string[]>();
  const queue: Node[] = [];
  const reach = (node: Node, from?: string): void => {
    const key = keyOf(node);
    if (from !== undefined) cameFrom.set(key, [...(cameFrom.get(key) ?? []), from]);
    if (nodes.has(key)) return;
    nodes.set(key, node);
    queue.push(node);
  };
  reach(take(fleet, begin(fleet, [], 0), { kind: 'start', at: 0 }));
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    const from = keyOf(node);
    for (const event of possible(fleet, node)) {
      const isInterrupt = event.kind === 'abort' || event.kind === 'kill';
      const next = event.kind === 'kill' ? kill(fleet, node) : take(fleet, node, event);
      reach(next, isInterrupt ? undefined : from);
    }
  }
  return { nodes, cameFrom };
}

function begin(fleet: Fleet, proven: readonly string[], now: number, kills = 0): Node {
  const names = fleet.waves.flatMap(({ clusters }) => clusters);
  return {
    state: startRollout({ ...fleet, proven: new Set(proven), now }),
    judge: {
      clusters: Object.fromEntries(names.map((name) => [name, 'idle'])),
      untouched: {},
      steadySince: {},
      mayLeave: {},
      proven,
      pauses: 0,
      kills,
    },
  };
}

function kill(fleet: Fleet, { state, judge }: Node): Node {
  return take(fleet, begin(fleet, judge.proven, state.now, judge.kills + 1), {
    kind: 'start',
    at: state.now,
  });
}

function possible(
  fleet: Fleet,
  { state, judge }: Node,
): readonly (RolloutEvent | { kind: 'kill' })[] {
  const outcome = outcomeOf(state);
  if (outcome === 'done' || outcome === 'failed' || outcome === 'aborted') return [];
  const at = state.now;
  const events: (RolloutEvent | { kind: 'kill' })[] = [
    { kind: 'tick', at: at + 1000 },
    { kind: 'abort', at },
  ];
  for (const [cluster, doing] of Object.entries(judge.clusters)) {
    const reason = 'x';
    if (doing === 'applying')
      events.push({ kind: 'applied', cluster, at }, { kind: 'failed', cluster, reason, at });
    if (doing === 'observing') {
      events.push(
        { kind: 'ready', cluster, proven: false, grown: false, at },
        { kind: 'failed', cluster, reason, at },
      );
      if (judge.proven.includes(cluster) && judge.untouched[cluster] !== false)
        events.push({ kind: 'ready', cluster, proven: true, grown: false, at });
    }
    if (doing === 'ready' && isWatched(state, cluster))
      events.push({ kind: 'unready', cluster, reason, at });
  }
  for (const [cluster, { phase }] of Object.entries(state.settle)) {
    if (phase === 'settling')
      events.push(
        { kind: 'settled', cluster, at },
        { kind: 'settleFailed', cluster, reason: 'x', at },
      );
  }
  for (const { gate, name } of fleet.waves)
    if (gate.approval) events.push({ kind: 'approve', wave: name, at });
  if (state.pausedAt !== undefined) events.push({ kind: 'resume', at });
  else if (judge.pauses < (fleet.pauses ?? 0)) events.push({ kind: 'pause', at });
  if (judge.kills < (fleet.kills ?? 0)) events.push({ kind: 'kill' });
  return events;
}

/** Nobody looks at the clusters of a wave that is over. */
function isWatched(state: RolloutState, cluster: string): boolean {
  return state.waves.some(
    ({ phase, clusters }) => cluster in clusters && phase !== 'passed' && phase !== 'failed',
  );
}

function take(fleet: Fleet, node: Node, event: RolloutEvent): Node {
  const { state, effects } = step(node.state, event);
  let judge = witness(fleet, node.judge, event, state.now);
  for (const effect of effects) {
    judgeEffect(fleet, judge, state, effect);
    judge = carryOut(fleet, judge, effect, state.now);
  }
  if (outcomeOf(state) === 'running') {
    const isBusy =
      Object.values(judge.clusters).some(
        (doing) => doing === 'applying' || doing === 'observing',
      ) || Object.values(state.settle).some(({ phase }) => phase === 'settling');
    must(isBusy || nextWakeAt(state) !== undefined, 'nothing will ever happen', state);
  }
  return { state, judge };
}

/** What the event says about the world. */
function witness(fleet: Fleet, judge: Judge, event: RolloutEvent, now: number): Judge {
  const clusters = { ...judge.clusters };
  const untouched = { ...judge.untouched };
  if (event.kind === 'applied') clusters[event.cluster] = 'observing';
  if (event.kind === 'failed') clusters[event.cluster] = 'failed';
  if (event.kind === 'unready') clusters[event.cluster] = 'observing';
  if (event.kind === 'unready') untouched[event.cluster] = false;
  if (event.kind === 'ready') clusters[event.cluster] = 'ready';
  if (event.kind === 'ready')
    untouched[event.cluster] = event.proven && untouched[event.cluster] !== false;
  const pauses = judge.pauses + (event.kind === 'pause' ? 1 : 0);
  return withSteadiness(fleet, { ...judge, clusters, untouched, pauses }, now);
}

function withSteadiness(fleet: Fleet, judge: Judge, now: number): Judge {
  const steadySince = { ...judge.steadySince };
  const mayLeave = { ...judge.mayLeave };
  for (const { name, clusters, gate } of fleet.waves) {
    const doing = clusters.map((cluster) => judge.clusters[cluster]);
    const isSteady = doing.every((phase) => phase === 'ready' || phase === 'failed');
    if (!isSteady) delete steadySince[name];
    else steadySince[name] ??= now;
    const soaked = isSteady && now - (steadySince[name] ?? now) >= gate.soakSeconds * 1000;
    const isProven =
      isSteady &&
      clusters.every((c) => judge.clusters[c] === 'failed' || judge.untouched[c] === true);
    const failures = doing.filter((phase) => phase === 'failed').length;
    if ((soaked || isProven) && failures <= gate.maxFailures) mayLeave[name] = true;
  }
  return { ...judge, steadySince, mayLeave };
}

function judgeEffect(fleet: Fleet, judge: Judge, state: RolloutState, effect: RolloutEffect): void {
  const isStopped = state.pausedAt !== undefined || state.aborted;
  const facts = { effect, judge, state };
  if (effect.kind === 'prove')
    must(judge.mayLeave[effect.wave] === true, 'proven before its time', facts);
  if (effect.kind === 'apply') {
    must(!isStopped, 'started while stopped', facts);
    must(judge.clusters[effect.cluster] === 'idle', 'started twice', facts);
    const index = fleet.waves.findIndex(({ clusters }) => clusters.includes(effect.cluster));
    const own = fleet.waves[index];
    const earlier =
      fleet.waves[0]?.gate.onFailure === 'continue' ? [] : fleet.waves.slice(0, index);
    must(
      earlier.every(({ name }) => judge.mayLeave[name] === true),
      'started before the earlier waves were proven',
      facts,
    );
    const failures = (own?.clusters ?? []).filter(
      (cluster) => judge.clusters[cluster] === 'failed',
    ).length;
    const openings = fleet.openings?.[own?.name ?? ''];
    const isOpen = openings?.some(({ from, until }) => from <= state.now && state.now < until);
    const isProven = own?.clusters.every((cluster) => judge.proven.includes(cluster)) === true;
    must((isOpen ?? true) || isProven, 'started outside its window', facts);
    must(failures <= (own?.gate.maxFailures ?? 0), 'started beyond the failure budget', facts);
    const atWork = Object.values(state.waves[index]?.clusters ?? {}).filter(
      ({ phase }) => phase === 'applying' || phase === 'observing',
    );
    must(atWork.length <= (own?.maxConcurrent ?? 0), 'more at work than maxConcurrent', facts);
  }
  if (effect.kind === 'settle') {
    must(!isStopped, 'settled while stopped', facts);
    must(
      Object.values(judge.clusters).every((doing) => doing === 'ready'),
      'settled before all are ready',
      facts,
    );
    must(
      fleet.waves.every(({ name }) => judge.mayLeave[name] === true),
      'settled before all is proven',
      facts,
    );
  }
}

/** Back goes everything that was begun, and only when a wave failed that says so. */
function judgeTheWayBack(fleet: Fleet, { state, judge }: Node): void {
  const back = wavesToRollBack(state).flatMap(({ clusters }) => clusters);
  const isWanted = fleet.waves.some(({ gate }) => gate.onFailure === 'rollback');
  const hasFailedWave = state.waves.some(({ phase }) => phase === 'failed');
  const begun = Object.keys(judge.clusters).filter((name) => judge.clusters[name] !== 'idle');
  const expected = isWanted && hasFailedWave && !state.aborted ? begun : [];
  must(canonicalJson(back) === canonicalJson(expected), 'the wrong way back', { back, expected });
}

/** What the shell does with an effect. A cluster that is told to stop while at work counts as failed from then on. */
function carryOut(fleet: Fleet, judge: Judge, effect: RolloutEffect, now: number): Judge {
  const clusters = { ...judge.clusters };
  let proven = judge.proven;
  if (effect.kind === 'apply') clusters[effect.cluster] = 'applying';
  if (effect.kind === 'stop' && clusters[effect.cluster] !== 'ready')
    clusters[effect.cluster] = 'failed';
  if (effect.kind === 'prove') proven = [...new Set([...proven, ...effect.clusters])].sort();
  return withSteadiness(fleet, { ...judge, clusters, proven }, now);
}

/** Times relative to now and capped, so that states that behave alike are one. */
function keyOf({ state, judge }: Node): string {
  const relative = (time: number | undefined): number | undefined =>
    time === undefined ? undefined : time - state.now;
  const waves = state.waves.map((one) => ({
    ...one,
    deadlineAt: relative(one.deadlineAt),
    endsAt: relative(one.endsAt),
    soakStartedAt: relative(one.soakStartedAt),
    openings: one.openings?.map(({ from, until }) => [
      Math.max(-1, from - state.now),
      until === FOREVER ? until : Math.max(-1, until - state.now),
    ]),
  }));
  const steadySince = Object.fromEntries(
    Object.entries(judge.steadySince).map(([name, since]) => [
      name,
      Math.max(-5000, since - state.now),
    ]),
  );
  const pausedAt =
    state.pausedAt === undefined ? undefined : Math.max(-5000, state.pausedAt - state.now);
  // While paused time stands still for the waves.
  const shift = pausedAt === undefined ? 0 : state.now - (state.pausedAt ?? 0);
  const shifted = waves.map((one) => ({
    ...one,
    ...(one.deadlineAt !== undefined && { deadlineAt: Math.max(-5000, one.deadlineAt + shift) }),
    ...(one.endsAt !== undefined && { endsAt: Math.max(-9000, one.endsAt + shift) }),
    ...(one.soakStartedAt !== undefined && { soakStartedAt: Math.max(-5000, one.soakStartedAt) }),
    ...((one.phase === 'passed' || one.phase === 'failed') && { deadlineAt: 0, endsAt: 0 }),
  }));
  return canonicalJson({
    ...state,
    now: 0,
    pausedAt,
    waves: shifted,
    judge: { ...judge, steadySince },
  });
}

function reaching(
  ends: readonly string[],
  cameFrom: ReadonlyMap<string, readonly string[]>,
): Set<string> {
  const seen = new Set(ends);
  const queue = [...ends];
  for (let key = queue.pop(); key !== undefined; key = queue.pop()) {
    for (const before of cameFrom.get(key) ?? []) {
      if (seen.has(before)) continue;
      seen.add(before);
      queue.push(before);
    }
  }
  return seen;
}
