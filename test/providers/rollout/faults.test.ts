import { afterEach, describe, expect, test } from '@jest/globals';
import type { InjectFault } from '../../../lib/providers/sandbox/index.js';
import { tallied } from '../../faults/tally.js';
import { readiness } from '../../../lib/engine/rollout/index.js';
import { runRollout, type RolloutProgress } from '../../../lib/providers/rollout/index.js';
import {
  aConfigMap,
  aDeployment,
  aFleet,
  aNamespace,
  aPlan,
  aRelease,
  aWave,
  type TestFleet,
} from './releases.js';

let fleet: TestFleet | undefined;
afterEach(async () => {
  await fleet?.close();
  fleet = undefined;
});

const SLOW = { annotations: { 'rig/ready-after': '400ms' } };
const plan = aPlan(
  [aWave('canary', ['a', 'b']), aWave('rest', ['c'])],
  ['a', 'b', 'c'].map((cluster) =>
    aRelease(cluster, [aNamespace(), aConfigMap('env'), aDeployment('web', SLOW)]),
  ),
);

/** Every n-th request, of all that match. */
function everyNth(n: number, fault: ReturnType<InjectFault>, matches: RegExp = /./): InjectFault {
  let seen = 0;
  return ({ method, path, query }) => {
    if (!matches.test(`${method} ${path}${query}`)) return undefined;
    seen++;
    return seen % n === 0 ? fault : undefined;
  };
}

/** The first n requests that match. */
function firstFew(n: number, fault: ReturnType<InjectFault>, matches: RegExp = /./): InjectFault {
  let seen = 0;
  return ({ method, path, query }) =>
    matches.test(`${method} ${path}${query}`) && ++seen <= n ? fault : undefined;
}

const FAULTS: readonly { readonly name: string; readonly fault: () => InjectFault }[] = [
  { name: 'every third request is answered 503', fault: () => everyNth(3, { code: 503 }) },
  {
    name: 'every third request is throttled',
    fault: () => everyNth(3, { code: 429, retryAfterSeconds: 0 }),
  },
  { name: 'every third request loses its connection', fault: () => everyNth(3, { drop: true }) },
  {
    name: 'a webhook is not up for the first three writes',
    fault: () =>
      firstFew(
        3,
        { code: 500, message: 'failed calling webhook "x": connection refused' },
        /^PATCH .*deployments/,
      ),
  },
  {
    name: 'the first two watches are closed at once',
    fault: () => firstFew(2, { drop: true }, /watch=true/),
  },
  {
    name: 'the first two watches are too old (410)',
    fault: () => firstFew(2, { code: 410, reason: 'Expired' }, /watch=true/),
  },
  { name: 'every fifth request is slow', fault: () => everyNth(5, { delayMs: 100 }) },
];

describe('a rollout is done in spite of faults', () => {
  test.each(FAULTS)(
    '$name',
    ({ name, fault }) =>
      tallied(name, async () => {
        fleet = await aFleet('a', 'b', 'c');
        const { sandbox } = fleet;
        for (const cluster of ['a', 'b', 'c']) sandbox.cluster(cluster).faults.inject(fault());

        const report = await runRollout(plan, fleet.connect);

        expect(report.notDone).toEqual([]);
        expect(report.outcome).toBe('done');
        for (const cluster of ['a', 'b', 'c']) {
          const web = sandbox
            .cluster(cluster)
            .objects()
            .find(({ kind }) => kind === 'Deployment');
          expect(web !== undefined && readiness(web).ready).toBe(true);
          expect(
            sandbox
              .cluster(cluster)
              .objects()
              .filter(
                ({ kind, metadata }) => kind === 'ConfigMap' && metadata.namespace === 'shop',
              ),
          ).toHaveLength(1);
        }
      }),
    30_000,
  );

  test('a server is away for a moment while its pods start', async () => {
    fleet = await aFleet('a', 'b', 'c');
    const cluster = fleet.sandbox.cluster('a');
    let away: Promise<void> | undefined;

    const report = await runRollout(plan, fleet.connect, {
      onEvent: (event) => {
        if (event.kind === 'cluster' && event.cluster === 'a' && event.phase === 'observing') {
          away ??= cluster.stop().then(() => cluster.start());
        }
      },
    });
    await away;

    expect(away).toBeDefined();
    expect(report).toMatchObject({ outcome: 'done', notDone: [] });
  }, 30_000);

  test('a cluster that accepts connections and never answers delays nobody else', async () => {
    fleet = await aFleet('a', 'b', 'c');
    await fleet.sandbox.cluster('b').stop({ blackHole: true });
    const events: RolloutProgress[] = [];

    const report = await runRollout(plan, fleet.connect, {
      unreachableSeconds: 1,
      onEvent: (event) => events.push(event),
    });

    const order = events.flatMap((event) =>
      event.kind === 'cluster' && ['ready', 'failed'].includes(event.phase)
        ? [`${event.cluster} ${event.phase}`]
        : [],
    );
    expect(order).toEqual(['a ready', 'b failed']);
    expect(report.notDone.map(({ cluster }) => cluster)).toEqual(['b', 'c']);
    expect(fleet.writes('c')).toEqual([]);
  }, 30_000);

  test('a cluster that somebody keeps changing never soaks, and the report names it', async () => {
    fleet = await aFleet('a', 'b', 'c');
    const client = await fleet.client('a');
    const { apiVersion, kind, metadata } = aDeployment('web');
    let noise: Promise<unknown> = Promise.resolve();
    let isOver = false;
    const disturb = async (turn: number): Promise<void> => {
      if (isOver) return;
      // An annotation makes a new generation of a Deployment, which its controller has to observe.
      const annotations = { 'example.com/turn': String(turn) };
      const object = { apiVersion, kind, metadata: { ...metadata, annotations } };
      await client.apply(object, { fieldManager: 'busybody' });
      noise = disturb(turn + 1);
    };
    const gate = { soakSeconds: 1, deadlineSeconds: 1 };
    const waves = [aWave('canary', ['a'], gate), aWave('rest', ['b', 'c'])];

    const report = await runRollout({ ...plan, waves }, fleet.connect, {
      onEvent: (event) => {
        if (event.kind === 'wave' && event.phase === 'soaking') void disturb(1);
        if (event.kind === 'outcome') isOver = true;
      },
    });
    await noise;

    expect(report.outcome).toBe('failed');
    expect(report.notDone[0]).toEqual({
      cluster: 'a',
      wave: 'canary',
      why: expect.stringMatching(/never steady for the whole soak|to be observed/),
    });
    expect(fleet.writes('b')).toEqual([]);
  }, 30_000);
});
