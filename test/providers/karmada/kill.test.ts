import { afterEach, describe, expect, test } from '@jest/globals';
import type { KubeObject } from '../../../lib/api/object.js';
import type { PlannedWave } from '../../../lib/engine/plan.js';
import type { ClusterClient } from '../../../lib/providers/cluster/index.js';
import { ProviderError } from '../../../lib/providers/cluster/index.js';
import { aWave } from '../rollout/releases.js';
import { aDeployment, aPolicy, WAVES, type Shares } from './documents.js';
import { Site } from './site.js';

/**
 * A run through a control plane is killed at its n-th request, before it is sent or before its answer arrives, and another
 * one finishes the job. The judge sits where the members are: it sees everything that reaches them, when it does.
 * `FLEETWRIGHT_KILL_EVERY=1` covers every request.
 */
const EVERY = Number(process.env['FLEETWRIGHT_KILL_EVERY'] ?? 6);
/** More than a rollout of this size has: the loop ends when a run is over before it is killed. */
const AT_MOST = 100;

let site: Site;
afterEach(() => site.plane.close());

interface Case {
  readonly shares: (turn: number) => Shares;
  readonly waves: (turn: number) => readonly PlannedWave[];
  /** What reaches the members in one rollout, in order: `member3`, `member1 deleted`. */
  readonly expected: (turn: number) => readonly string[];
  /** Replicas that must be there at any moment. */
  readonly least: number;
  readonly suspended?: readonly string[];
}

const ODD: Shares = { member1: 2, member2: 2 };
const EVEN: Shares = { member2: 2, member3: 2 };
const STAYING: Shares = { member1: 1, member2: 2, member3: 3 };

const CASES: Readonly<Record<string, Case>> = {
  'an image in three waves': {
    shares: () => STAYING,
    waves: () => WAVES,
    expected: () => ['member3', 'member2', 'member1'],
    least: 6,
  },
  'an image while somebody keeps a cluster suspended': {
    shares: () => STAYING,
    waves: () => WAVES,
    expected: () => ['member3', 'member1'],
    least: 6,
    suspended: ['member2'],
  },
  'an image while a cluster leaves and another one joins': {
    shares: (turn) => (turn % 2 === 0 ? EVEN : ODD),
    waves: (turn) => {
      const [joins, leaves] = turn % 2 === 0 ? ['member3', 'member1'] : ['member1', 'member3'];
      return [aWave('first', [joins]), aWave('second', ['member2', leaves])];
    },
    expected: (turn) =>
      turn % 2 === 0
        ? ['member3', 'member2', 'member1 deleted']
        : ['member1', 'member2', 'member3 deleted'],
    least: 4,
  },
};

describe('a run that is killed', () => {
  test.each(Object.keys(CASES))(
    '%s: at any request nothing starts early, and the next run completes it',
    async (name) => {
      const one = CASES[name];
      if (one === undefined) throw new Error(name);
      const documents = documentsOf(one, 1);
      site = await Site.running(documents, { shares: one.shares(1) });
      if (one.suspended !== undefined) await site.personSuspends(one.suspended);
      let points = 0;
      let turn = 1;
      for (let at = 1; at < AT_MOST; at += EVERY) {
        const killed = [];
        for (const moment of ['before', 'after'] as const)
          killed.push(await killAt(one, ++turn, at, moment));
        points += killed.filter(Boolean).length;
        if (!killed.includes(true)) break;
      }
      process.stderr.write(`kill points covered (karmada, ${name}): ${points}\n`);
      expect(points).toBeGreaterThanOrEqual(Math.floor(20 / EVERY));
    },
    600_000,
  );
});

function documentsOf({ shares }: Case, turn: number): readonly KubeObject[] {
  const total = Object.values(shares(turn)).reduce((sum, n) => sum + n, 0);
  return [aPolicy(shares(turn)), aDeployment(`example/web:${turn}`, total)];
}

/** `false`: the run was over before. */
async function killAt(
  one: Case,
  turn: number,
  at: number,
  moment: 'before' | 'after',
): Promise<boolean> {
  const where = `${moment} request ${at}`;
  const complaints: string[] = [];
  const { fake } = site.plane;
  const waves = one.waves(turn);
  fake.options.onDispatch = ({ cluster, deleted, image }) => {
    const now = Object.keys({ ...ODD, ...EVEN })
      .map((name) => fake.member(name, 'web')?.replicas ?? 0)
      .reduce((sum, n) => sum + n, 0);
    if (now < one.least) complaints.push(`${now} replicas left after ${cluster}`);
    if (deleted === true || image !== `example/web:${turn}`) return;
    const own = waves.findIndex(({ clusters }) => clusters.includes(cluster));
    for (const earlier of waves.slice(0, own).flatMap(({ clusters }) => clusters)) {
      if (one.suspended?.includes(earlier) === true) continue;
      const isThere = fake.member(earlier, 'web')?.image === image;
      if (!isThere || !fake.isFinished(earlier, 'web'))
        complaints.push(`${cluster} before ${earlier} was finished`);
    }
  };
  const documents = documentsOf(one, turn);
  const facts = { shares: one.shares(turn), waves };
  site.forget();
  const killer = killing(site.plane.client, at, moment);
  await site.up(documents, facts, { unreachableSeconds: 0 }, undefined, killer.client);
  const report = await site.up(documents, facts);

  expect([where, complaints]).toEqual([where, []]);
  expect([where, report.outcome]).toEqual([where, one.suspended === undefined ? 'done' : 'held']);
  expect([where, site.arrived().map((line) => line.replace(/ example.*/, ''))]).toEqual([
    where,
    one.expected(turn),
  ]);
  const { clusters, memory } = await site.suspension();
  expect([where, clusters, memory]).toEqual([where, one.suspended ?? [], undefined]);
  return killer.isDead();
}

/** A client that dies with its process at the n-th request: nothing gets through any more, in either direction. */
function killing(
  client: ClusterClient,
  at: number,
  moment: 'before' | 'after',
): { readonly client: ClusterClient; isDead(): boolean } {
  const life = new AbortController();
  const isDead = (): boolean => life.signal.aborted;
  let requests = 0;
  const died = (): ProviderError =>
    new ProviderError('unreachable', 'killed', { cluster: 'karmada' });
  const counted = async <T>(send: () => Promise<T>): Promise<T> => {
    if (isDead()) throw died();
    requests += 1;
    if (requests !== at) return send();
    if (moment === 'after') await send();
    life.abort();
    throw died();
  };
  return {
    isDead,
    client: {
      cluster: client.cluster,
      discover: (options) => client.discover(options),
      get: (ref) => counted(() => client.get(ref)),
      list: (kind, options) => counted(() => client.list(kind, options)),
      apply: (object, options) => counted(() => client.apply(object, options)),
      delete: (ref, options) => counted(() => client.delete(ref, options)),
      raw: (path) => counted(() => client.raw(path)),
      watch: (kind, options, signal) =>
        client.watch(kind, options, AbortSignal.any([signal, life.signal])),
      close: () => Promise.resolve(),
    },
  };
}
