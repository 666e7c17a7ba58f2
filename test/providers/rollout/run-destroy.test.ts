import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { KubeObject } from '../../../lib/api/object.js';
import type { Plan } from '../../../lib/engine/plan.js';
import {
  planDestroy,
  readUnfinishedDestroy,
  runDestroy,
  runRollout,
  type DestroyReport,
} from '../../../lib/providers/rollout/index.js';
import {
  aConfigMap,
  aFleet,
  aNamespace,
  aPlan,
  aRelease,
  aWave,
  type TestFleet,
} from './releases.js';

// Many requests a test, on a machine that others use too.
jest.setTimeout(60_000);

const CLUSTERS = ['eu-1', 'eu-2', 'us-1'] as const;
const OWNER = { application: 'web-shop' };

let fleet: TestFleet;
beforeEach(async () => {
  fleet = await aFleet(...CLUSTERS);
});
afterEach(() => fleet.close());

const planOf = (extra: Partial<Record<string, KubeObject>> = {}): Plan =>
  aPlan(
    [aWave('canary', ['eu-1']), aWave('rest', ['eu-2', 'us-1'], {}, 1)],
    CLUSTERS.map((cluster) => {
      const more = extra[cluster];
      return aRelease(cluster, [aNamespace(), aConfigMap('env'), ...(more ? [more] : [])]);
    }),
  );
/** An object that does not go until somebody takes the finalizer away. */
const held: KubeObject = {
  ...aConfigMap('held'),
  metadata: { name: 'held', namespace: 'shop', finalizers: ['example.io/held'] },
};
const letGo = async (cluster: string): Promise<void> => {
  const client = await fleet.client(cluster);
  await client.apply({ ...held, metadata: { name: 'held', namespace: 'shop' } }, { force: true });
};
const destroy = async (
  options: Parameters<typeof runDestroy>[3] = {},
  clusters: readonly string[] = CLUSTERS,
): Promise<DestroyReport> => {
  const waves = await planDestroy(OWNER, clusters, fleet.connect);
  return runDestroy(OWNER, waves, fleet.connect, { deadlineSeconds: 0.5, ...options });
};
const names = (cluster: string): readonly string[] =>
  fleet.sandbox
    .cluster(cluster)
    .objects()
    .flatMap(({ kind, metadata }) =>
      kind === 'ConfigMap' && metadata.name !== 'kube-root-ca.crt' ? [metadata.name ?? ''] : [],
    );

describe('removing an application', () => {
  test('goes against the waves in which it came, and against their order', async () => {
    await runRollout(planOf(), fleet.connect);

    expect(await planDestroy(OWNER, CLUSTERS, fleet.connect)).toEqual([
      { name: 'rest', clusters: ['us-1', 'eu-2'], maxConcurrent: 1 },
      { name: 'canary', clusters: ['eu-1'], maxConcurrent: 99 },
    ]);
    const order: string[] = [];
    const report = await destroy({ onCluster: ({ cluster }) => order.push(cluster) });

    expect(report).toMatchObject({ outcome: 'done', untouched: [] });
    expect(order).toEqual(['us-1', 'eu-2', 'eu-1']);
    for (const cluster of CLUSTERS) expect(names(cluster)).toEqual([]);
  });

  test('clusters that came after the last kept revision go first', async () => {
    const { waves, releases } = planOf();
    await runRollout(aPlan(waves.slice(0, 1), releases.slice(0, 1)), fleet.connect);

    const found = await planDestroy(OWNER, CLUSTERS, fleet.connect);

    expect(found.map(({ name, clusters }) => [name, ...clusters])).toEqual([
      ['in no wave', 'us-1', 'eu-2'],
      ['canary', 'eu-1'],
    ]);
  });

  test('a finalizer that hangs is named at the deadline; its neighbours are cleared, the waves before are untouched', async () => {
    await runRollout(planOf({ 'us-1': held }), fleet.connect);

    const first = await destroy();

    expect(first.outcome).toBe('failed');
    expect(first.clusters).toMatchObject([
      {
        cluster: 'us-1',
        outcome: 'failed',
        failures: [
          { code: 'DELETE_REFUSED', message: expect.stringContaining('"example.io/held"') },
        ],
      },
      { cluster: 'eu-2', outcome: 'done' },
    ]);
    expect(first.untouched).toEqual([
      { cluster: 'eu-1', wave: 'canary', why: 'wave "rest" is not clear' },
    ]);
    expect(names('eu-1')).toContain('env');
    // The set stays with what is left, so that the next run finds it.
    expect(names('us-1')).toEqual(expect.arrayContaining(['held', 'fleetwright-web-shop']));

    await letGo('us-1');
    const second = await destroy({}, ['us-1', 'eu-1']);

    expect(second.outcome).toBe('done');
    for (const cluster of CLUSTERS) expect(names(cluster)).toEqual([]);
  });

  test('a dead cluster holds up no neighbour, and is remembered as not cleared', async () => {
    await runRollout(planOf(), fleet.connect);
    await fleet.sandbox.cluster('eu-2').stop();

    const report = await destroy({ unreachableSeconds: 0.3 });

    expect(report.clusters.map(({ cluster, outcome }) => `${cluster} ${outcome}`)).toEqual([
      'us-1 done',
      'eu-2 failed',
    ]);
    expect(report.untouched.map(({ cluster }) => cluster)).toEqual(['eu-1']);
    const without = await destroy({}, ['eu-1']);
    expect(without.outcome).toBe('done');
  });

  test('an interrupted run says what it did not begin, and the next one continues', async () => {
    await runRollout(planOf(), fleet.connect);
    const stop = new AbortController();

    const first = await destroy({ signal: stop.signal, onCluster: () => stop.abort() });
    const second = await destroy();

    expect(first.outcome).toBe('aborted');
    expect(first.untouched).toEqual([
      { cluster: 'eu-1', wave: 'canary', why: 'interrupted before its turn' },
    ]);
    expect(second.outcome).toBe('done');
    for (const cluster of CLUSTERS) expect(names(cluster)).toEqual([]);
  });

  test('an interruption while objects go is no fault of a cluster', async () => {
    await runRollout(planOf(), fleet.connect);
    const stop = new AbortController();

    const first = await destroy({
      signal: stop.signal,
      onProgress: () => stop.abort(),
    });
    const second = await destroy();

    expect([first.outcome, second.outcome]).toEqual(['aborted', 'done']);
    expect(first.clusters.map(({ outcome }) => outcome)).toContain('aborted');
    expect(JSON.stringify(first)).not.toContain('CLUSTER_UNREACHABLE');
  });

  test('one that was killed is known on the clusters, until it is finished or something is rolled out', async () => {
    const unfinished = async (): Promise<readonly string[]> =>
      (await readUnfinishedDestroy(OWNER, CLUSTERS, fleet.connect)).map(({ cluster }) => cluster);
    const now = '2026-01-02T00:00:00Z';
    await runRollout(planOf(), fleet.connect);
    const stop = new AbortController();

    const before = await unfinished();
    await destroy({ now, signal: stop.signal, onCluster: () => stop.abort() });
    const killed = await readUnfinishedDestroy(OWNER, CLUSTERS, fleet.connect);
    await runRollout(planOf(), fleet.connect);
    const rolledOut = await unfinished();
    await destroy({ now });
    const finished = await unfinished();

    expect([before, rolledOut, finished]).toEqual([[], [], []]);
    expect(killed).toContainEqual(
      expect.objectContaining({ cluster: 'eu-1', since: now, held: [] }),
    );
    expect(killed.at(0)?.left).toContainEqual(expect.objectContaining({ name: 'env' }));
  });

  test('what is already gone is done', async () => {
    await runRollout(planOf(), fleet.connect);
    const client = await fleet.client('us-1');
    await client.delete({ apiVersion: 'v1', kind: 'Namespace', name: 'shop' });
    await destroy();

    const again = await destroy();

    expect(again).toMatchObject({ outcome: 'done', untouched: [] });
    expect(again.clusters.flatMap(({ deleted }) => deleted)).toEqual([]);
  });
});
