import { randomBytes } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { describe, expect, jest, test } from '@jest/globals';
import type { KubeObject } from '../../../lib/api/object.js';
import type { Interpreter } from '../../../lib/engine/interpret/index.js';
import { refOf } from '../../../lib/engine/object.js';
import type { Plan, PlannedWave, Release } from '../../../lib/engine/plan.js';
import {
  destroyRelease,
  prepareRollback,
  readKeptFleet,
  readRollbackChanges,
  runRollout,
  summarize,
  type PreparedRollback,
  type RolloutProgress,
} from '../../../lib/providers/rollout/index.js';
import {
  aConfigMap,
  aDeployment,
  aFleetPerTest,
  aNamespace,
  aPlan,
  aRelease,
  aWave,
} from './releases.js';

// Many requests a test, on a machine that others use too.
jest.setTimeout(60_000);

const { start, current } = aFleetPerTest();

const OWNER = { application: 'web-shop' };
const CLUSTERS = ['a', 'b', 'c'];
const BROKEN = 'nginx:does-not-exist';

const aSecret = (password: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'db', namespace: 'shop' },
  type: 'Opaque',
  data: { password: Buffer.from(password).toString('base64') },
});

/** `image` by cluster, and whatever else each has. */
function aShop(
  image: (cluster: string) => string,
  more: (cluster: string) => readonly KubeObject[] = () => [],
  gate: Partial<PlannedWave['gate']> = {},
): Plan {
  const release = (cluster: string): Release =>
    aRelease(cluster, [
      aNamespace(),
      aDeployment('web', { image: image(cluster) }),
      ...more(cluster),
    ]);
  return aPlan(
    [aWave('first', ['a'], gate), aWave('rest', ['b', 'c'], gate)],
    CLUSTERS.map(release),
  );
}

async function imageOn(cluster: string): Promise<unknown> {
  const client = await current().client(cluster);
  const object = (await client.get(refOf(aDeployment('web')))) as
    { spec: { template: { spec: { containers: { image: string }[] } } } } | undefined;
  return object?.spec.template.spec.containers[0]?.image;
}

async function prepared(
  facts: Partial<Parameters<typeof prepareRollback>[0]> = {},
): Promise<PreparedRollback> {
  const { connect } = current();
  const now = '2026-01-02T00:00:00Z';
  const found = await prepareRollback({ ...OWNER, clusters: CLUSTERS, now, ...facts }, connect);
  if (found === undefined) throw new Error('nothing is kept');
  return found;
}

const revisions = async (): Promise<readonly string[]> => {
  const { connect } = current();
  const found = summarize(await readKeptFleet(OWNER, CLUSTERS, connect));
  return found.map(({ revision, clusters }) => `${revision}: ${clusters.join(' ')}`);
};

describe('what is kept', () => {
  test('a run that is done keeps what changed, where it changed; a repeated run keeps nothing', async () => {
    const { connect, writes } = await start(...CLUSTERS);
    await runRollout(
      aShop(() => 'nginx:1'),
      connect,
    );
    await runRollout(
      aShop((cluster) => (cluster === 'b' ? 'nginx:2' : 'nginx:1')),
      connect,
    );
    for (const cluster of CLUSTERS) writes(cluster);

    await runRollout(
      aShop((cluster) => (cluster === 'b' ? 'nginx:2' : 'nginx:1')),
      connect,
    );

    expect(await revisions()).toEqual(['2: b', '1: a b c']);
    expect(CLUSTERS.flatMap((cluster) => writes(cluster))).toEqual([]);
  });

  test('a run that is not done keeps nothing', async () => {
    const { connect } = await start(...CLUSTERS);

    const report = await runRollout(
      aShop(() => BROKEN, undefined, { deadlineSeconds: 1 }),
      connect,
    );

    expect(report.outcome).toBe('failed');
    expect(await revisions()).toEqual([]);
  });

  test('the last ten stay; destroying the application removes them', async () => {
    const { connect, client, sandbox } = await start('a');
    const one = (image: string): Plan =>
      aPlan([aWave('all', ['a'])], [aRelease('a', [aNamespace(), aConfigMap('c', { image })])]);
    for (let n = 1; n <= 12; n++) await runRollout(one(`nginx:${n}`), connect);
    const kept = (): string[] =>
      sandbox
        .cluster('a')
        .objects()
        .filter(({ kind, type }) => kind === 'Secret' && type === 'fleetwright.dev/kept-revision')
        .map(({ metadata }) => metadata.name ?? '');

    const ten = kept();
    const destroyed = await destroyRelease({ ...OWNER, cluster: 'a' }, await client('a'));

    expect(ten).toHaveLength(10);
    expect(ten).toContain('fleetwright-web-shop.v12.0');
    expect(ten).not.toContain('fleetwright-web-shop.v2.0');
    expect(destroyed.outcome).toBe('done');
    expect(kept()).toEqual([]);
    const names = sandbox
      .cluster('a')
      .objects()
      .map(({ metadata }) => metadata.name);
    expect(names.filter((name) => name?.startsWith('fleetwright-'))).toEqual([]);
  });

  test('a large set is spread over several Secrets and comes back whole', async () => {
    const { connect, sandbox } = await start('a');
    const noise = (): KubeObject[] =>
      [1, 2].map((n) => aConfigMap(`noise-${n}`, { text: randomBytes(400_000).toString('hex') }));
    const large = aPlan([aWave('all', ['a'])], [aRelease('a', [aNamespace(), ...noise()])]);
    await runRollout(large, connect);
    await runRollout(
      aPlan([aWave('all', ['a'])], [aRelease('a', [aNamespace(), ...noise()])]),
      connect,
    );

    const found = await prepared({ clusters: ['a'], to: 1 });
    const back = await runRollout(found.plan, connect);

    const names = sandbox
      .cluster('a')
      .objects()
      .filter(({ kind, metadata }) => kind === 'Secret' && metadata.name?.includes('.v1.'))
      .map(({ metadata }) => metadata.name);
    expect(names).toHaveLength(2);
    expect(back.outcome).toBe('done');
    const first = large.releases[0]?.manifests[1]?.object;
    expect((await (await current().client('a')).get(refOf(first as KubeObject)))?.['data']).toEqual(
      first?.['data'],
    );
  });

  test('no data of a Secret, not even its hash, is among it', async () => {
    const { connect, sandbox } = await start(...CLUSTERS);
    const plan = aShop(
      () => 'nginx:1',
      () => [aSecret('s3cret')],
    );

    await runRollout(plan, connect);

    const [kept] = sandbox
      .cluster('a')
      .objects()
      .filter(({ metadata }) => metadata.name === 'fleetwright-web-shop.v1.0');
    const { release = '' } = kept?.['data'] as { release?: string };
    const text = gunzipSync(Buffer.from(release, 'base64')).toString();
    expect(text).toContain('"name":"db"');
    expect(text).not.toContain(Buffer.from('s3cret').toString('base64'));
    const secret = plan.releases[0]?.manifests.find(({ object }) => object.kind === 'Secret');
    expect(text).not.toContain(secret?.revision);
  });
});

describe('going back', () => {
  test('after a failed run: to what was proven last, against the waves, without what the failed run created', async () => {
    const { connect } = await start(...CLUSTERS);
    await runRollout(
      aShop(
        () => 'nginx:1',
        () => [aConfigMap('settings', { MODE: 'old' })],
      ),
      connect,
    );
    const bad = aShop(
      (cluster) => (cluster === 'c' ? BROKEN : 'nginx:2'),
      () => [aConfigMap('settings', { MODE: 'new' }), aConfigMap('surplus')],
      { deadlineSeconds: 1 },
    );
    expect((await runRollout(bad, connect)).outcome).toBe('failed');

    const found = await prepared();
    const events: RolloutProgress[] = [];
    const report = await runRollout(found.plan, connect, { onEvent: (e) => events.push(e) });

    expect(found).toMatchObject({ revision: 1, lockSerial: 1, refusals: [], spared: [] });
    expect(found.plan.waves.map(({ name, clusters }) => `${name}: ${clusters.join(' ')}`)).toEqual([
      'rest: c b',
      'first: a',
    ]);
    expect(report).toMatchObject({ outcome: 'done', notDone: [] });
    expect(await Promise.all(CLUSTERS.map(imageOn))).toEqual(['nginx:1', 'nginx:1', 'nginx:1']);
    for (const cluster of CLUSTERS) {
      const client = await current().client(cluster);
      expect(await client.get(refOf(aConfigMap('surplus')))).toBeUndefined();
      expect(await client.get(refOf(aConfigMap('settings')))).toMatchObject({
        data: { MODE: 'old' },
      });
    }
    const passed = events.flatMap((e) =>
      e.kind === 'wave' && e.phase === 'passed' ? [e.wave] : [],
    );
    expect(passed).toEqual(['rest', 'first']);
    // It is again what was kept: no new revision.
    expect(await revisions()).toEqual(['1: a b c']);
  });

  test('after a run that was done: to the one before; that is a revision of its own', async () => {
    const { connect } = await start(...CLUSTERS);
    await runRollout(
      aShop(() => 'nginx:1'),
      connect,
    );
    await runRollout(
      aShop(() => 'nginx:2'),
      connect,
    );

    const found = await prepared();
    const report = await runRollout(found.plan, connect);

    expect(found.revision).toBe(1);
    expect(report.outcome).toBe('done');
    expect(await Promise.all(CLUSTERS.map(imageOn))).toEqual(['nginx:1', 'nginx:1', 'nginx:1']);
    expect(await revisions()).toEqual(['3: a b c', '2: a b c', '1: a b c']);
  });

  test('a second rollback goes further back, and never to what was rolled back away from; a number does', async () => {
    const { connect } = await start(...CLUSTERS);
    for (const image of ['nginx:1', 'nginx:2', 'nginx:3'])
      await runRollout(
        aShop(() => image),
        connect,
      );

    const first = await prepared();
    await runRollout(first.plan, connect);
    const second = await prepared();
    await runRollout(second.plan, connect);
    const third = prepared();
    await expect(third).rejects.toThrow('nothing is kept');
    const named = await prepared({ to: 3 });
    await runRollout(named.plan, connect);
    const afterNamed = await prepared();

    expect([first, second, named, afterNamed].map(({ revision }) => revision)).toEqual([
      2, 1, 3, 1,
    ]);
    expect(await imageOn('a')).toBe('nginx:3');
  });

  test('a rollback that was stopped is continued, not undone', async () => {
    const { connect } = await start(...CLUSTERS);
    for (const image of ['nginx:1', 'nginx:2', 'nginx:3'])
      await runRollout(
        aShop(() => image),
        connect,
      );
    const first = await prepared();
    const stop = new AbortController();
    const stopped = await runRollout(first.plan, connect, {
      signal: stop.signal,
      onEvent: (event) => {
        if (event.kind === 'wave' && event.phase === 'passed') stop.abort();
      },
    });

    const again = await prepared();
    const automatic = await prepared({ to: 'newest' });
    const report = await runRollout(again.plan, connect);
    const next = await prepared();

    expect(stopped.outcome).toBe('aborted');
    expect([again.revision, automatic.revision]).toEqual([2, 2]);
    expect(report.outcome).toBe('done');
    expect(await Promise.all(CLUSTERS.map(imageOn))).toEqual(['nginx:2', 'nginx:2', 'nginx:2']);
    expect(next.revision).toBe(1);
  });

  test('a rollout that ends a stopped rollback otherwise counts from where it is', async () => {
    const { connect } = await start(...CLUSTERS);
    const images = ['nginx:1', 'nginx:2', 'nginx:3'];
    for (const image of images)
      await runRollout(
        aShop(() => image),
        connect,
      );
    const stop = new AbortController();
    await runRollout((await prepared({ to: 1 })).plan, connect, {
      signal: stop.signal,
      onEvent: (event) => {
        if (event.kind === 'wave' && event.phase === 'passed') stop.abort();
      },
    });

    await runRollout(
      aShop(() => 'nginx:3'),
      connect,
    );
    const next = await prepared();

    expect(next.revision).toBe(2);
  });

  test('what will change is known before: values, fields that go, objects that come and go', async () => {
    const { connect, client } = await start(...CLUSTERS);
    const shop = (data: Record<string, string>, ...more: KubeObject[]): Plan =>
      aShop(
        () => 'nginx:1',
        (cluster) => (cluster === 'b' ? [aConfigMap('settings', data), ...more] : []),
      );
    await runRollout(shop({ MODE: 'old' }, aConfigMap('only-then')), connect);
    await runRollout(shop({ MODE: 'new', EXTRA: 'x' }, aConfigMap('only-now')), connect);
    const mine = { ...aConfigMap('settings', { OTHERS: 'stay' }) };
    await (await client('b')).delete(refOf(aConfigMap('only-then')));
    await (await client('b')).apply(mine, { fieldManager: 'somebody' });

    const changes = await readRollbackChanges(await prepared(), connect);

    const shown = changes.map(({ cluster, resource, before, after }) => [
      cluster,
      resource.name,
      before?.['data'],
      after?.['data'],
    ]);
    expect(
      shown.filter(([, , before, after]) => before !== undefined || after !== undefined),
    ).toEqual([
      ['b', 'only-now', { MODE: 'a' }, undefined],
      ['b', 'only-then', undefined, { MODE: 'a' }],
      ['b', 'settings', { MODE: 'new', EXTRA: 'x' }, { MODE: 'old' }],
    ]);
    // Nothing but our marks differs elsewhere: no default of the server stands among what is ours.
    const [web] = changes.filter(({ resource }) => resource.kind === 'Deployment');
    expect(web?.before?.['spec']).toEqual(web?.after?.['spec']);
  });

  test('fields that a taught Retain left to the clusters are left to them again, without the rule', async () => {
    const { connect, client } = await start('a');
    const widget = (size: string, theirs: string): Plan =>
      aPlan(
        [aWave('all', ['a'])],
        [aRelease('a', [aNamespace(), aConfigMap('widget', { size, theirs })])],
      );
    const retain: NonNullable<Interpreter['retain']> = (desired, live) => {
      const { theirs } = (live['data'] ?? {}) as Record<string, string>;
      return theirs === undefined
        ? desired
        : { ...desired, data: { ...(desired['data'] as object), theirs } };
    };
    const kinds = [{ apiVersion: 'v1', kind: 'ConfigMap' }];
    const interpreters: readonly Interpreter[] = [{ kinds, retain }];
    await runRollout(widget('1', 'first'), connect, { interpreters });
    await (
      await client('a')
    ).apply(aConfigMap('widget', { theirs: 'changed on the cluster' }), {
      fieldManager: 'controller',
      force: true,
    });
    await runRollout(widget('2', 'first'), connect, { interpreters });

    const found = await prepared({ clusters: ['a'] });
    const report = await runRollout(found.plan, connect);

    expect(report.outcome).toBe('done');
    expect(await (await client('a')).get(refOf(aConfigMap('widget')))).toMatchObject({
      data: { size: '1', theirs: 'changed on the cluster' },
    });
  });

  test('replicas shrink only when all are back', async () => {
    const { connect } = await start(...CLUSTERS);
    const sized = (replicas: number): Plan =>
      aPlan(
        [aWave('first', ['a']), aWave('rest', ['b', 'c'])],
        CLUSTERS.map((cluster) =>
          aRelease(cluster, [aNamespace(), aDeployment('web', { replicas })]),
        ),
      );
    await runRollout(sized(1), connect);
    await runRollout(sized(3), connect);
    const found = await prepared();
    await current().sandbox.cluster('b').stop();

    const report = await runRollout(found.plan, connect, { unreachableSeconds: 0.1 });

    expect(report.outcome).toBe('failed');
    const client = await current().client('a');
    expect(await client.get(refOf(aDeployment('web')))).toMatchObject({ spec: { replicas: 3 } });
  });

  test('a cluster that had nothing then is emptied of what is ours, and of nothing else', async () => {
    const { connect, client } = await start(...CLUSTERS);
    const only = (...names: string[]): Plan =>
      aPlan(
        [aWave('all', names)],
        names.map((cluster) => aRelease(cluster, [aNamespace(), aConfigMap('settings')])),
      );
    await runRollout(only('a', 'b'), connect);
    await runRollout(only('a', 'b', 'c'), connect);
    await (await client('c')).apply(aConfigMap('theirs'), { fieldManager: 'somebody' });

    const found = await prepared();
    const report = await runRollout(found.plan, connect);

    expect(found.plan.waves.map(({ name }) => name)).toEqual(['newer', 'all']);
    expect(report.outcome).toBe('done');
    expect(await (await client('c')).get(refOf(aConfigMap('settings')))).toBeUndefined();
    expect(await (await client('c')).get(refOf(aConfigMap('theirs')))).toBeDefined();
    expect(await (await client('c')).get(refOf(aNamespace()))).toBeDefined();
    expect(await (await client('a')).get(refOf(aConfigMap('settings')))).toBeDefined();
  });

  test('a Secret that is still the same goes along; one that changed refuses, or is left when asked', async () => {
    const { connect, client } = await start(...CLUSTERS);
    const shop = (image: string, password: string): Plan =>
      aShop(
        () => image,
        () => [aSecret(password)],
      );
    await runRollout(shop('nginx:1', 'one'), connect);
    await runRollout(shop('nginx:2', 'one'), connect);

    const same = await prepared({ to: 1 });
    await runRollout(shop('nginx:3', 'two'), connect);
    const changed = await prepared({ to: 1 });
    const left = await prepared({ to: 1, leaveSecrets: true });
    const report = await runRollout(left.plan, connect);

    expect(same.refusals).toEqual([]);
    expect(changed.plan.releases).toEqual([]);
    expect(changed.refusals[0]).toMatchObject({
      cluster: 'a',
      message: 'Secret shop/db on a changed since revision 1, and the data of Secrets is not kept.',
    });
    expect(report.outcome).toBe('done');
    expect(await imageOn('a')).toBe('nginx:1');
    expect(await (await client('a')).get(refOf(aSecret('')))).toMatchObject({
      data: { password: Buffer.from('two').toString('base64') },
    });
  });

  test('a cluster whose kept set is gone refuses; one that is away is named; nothing kept gives nothing', async () => {
    const { connect, client, sandbox } = await start(...CLUSTERS);
    await runRollout(
      aShop(() => 'nginx:1'),
      connect,
    );
    await runRollout(
      aShop(() => 'nginx:2'),
      connect,
    );
    await (
      await client('a')
    ).delete({
      apiVersion: 'v1',
      kind: 'Secret',
      namespace: 'default',
      name: 'fleetwright-web-shop.v1.0',
    });
    await sandbox.cluster('b').stop();

    const found = await prepared({ to: 1 });

    expect(found.refusals).toEqual([{ cluster: 'a', message: 'Revision 1 is not kept on a.' }]);
    expect(found.unreadable).toMatchObject([
      { cluster: 'b', failure: { code: 'CLUSTER_UNREACHABLE' } },
    ]);
    expect(found.plan.releases.map(({ cluster }) => cluster)).toEqual(['c']);
    await expect(prepared({ to: 7 })).rejects.toThrow('nothing is kept');
  });
});

describe('onFailure: rollback', () => {
  const gate = { deadlineSeconds: 1, onFailure: 'rollback' } as const;

  test('the clusters of the run go back, last wave first; later waves were never touched', async () => {
    const { connect, writes } = await start(...CLUSTERS);
    const plan = (image: (cluster: string) => string): Plan => {
      const base = aShop(image);
      const waves = [aWave('one', ['a'], gate), aWave('two', ['b'], gate), aWave('three', ['c'])];
      return aPlan(waves, base.releases);
    };
    await runRollout(
      plan(() => 'nginx:1'),
      connect,
    );
    writes('c');
    const events: RolloutProgress[] = [];

    const report = await runRollout(
      plan((cluster) => (cluster === 'b' ? BROKEN : 'nginx:2')),
      connect,
      { onEvent: (e) => events.push(e) },
    );

    expect(report).toMatchObject({
      outcome: 'failed',
      rollback: { revision: 1, obstacles: [], report: { outcome: 'done' } },
    });
    expect(report.rollback?.report?.waves.map(({ name }) => name)).toEqual(['two', 'one']);
    expect(await Promise.all(CLUSTERS.map(imageOn))).toEqual(['nginx:1', 'nginx:1', 'nginx:1']);
    expect(writes('c')).toEqual([]);
    expect(events).toContainEqual(
      expect.objectContaining({ kind: 'rollback', revision: 1, waves: ['two', 'one'] }),
    );
    const times = events.map(({ atMs }) => atMs);
    expect(times).toEqual([...times].sort((x, y) => x - y));
    expect(await revisions()).toEqual(['1: a b c']);
  });

  test('the first rollout has nothing to go back to; a run of what is there anyway neither', async () => {
    const { connect, sandbox } = await start(...CLUSTERS);
    const first = await runRollout(
      aShop(() => BROKEN, undefined, gate),
      connect,
    );
    await runRollout(
      aShop(() => 'nginx:1', undefined, gate),
      connect,
    );
    await sandbox.cluster('a').stop();

    const again = await runRollout(
      aShop(() => 'nginx:1', undefined, gate),
      connect,
      {
        unreachableSeconds: 0.1,
      },
    );

    expect(first.rollback?.obstacles).toEqual([expect.stringContaining('no revision is kept')]);
    expect(first.rollback?.report).toBeUndefined();
    expect(again.outcome).toBe('failed');
    expect(again.rollback?.report).toBeUndefined();
  });

  test('an interrupted or paused run does not go back', async () => {
    const { connect } = await start(...CLUSTERS);
    await runRollout(
      aShop(() => 'nginx:1', undefined, gate),
      connect,
    );
    const stop = new AbortController();

    const report = await runRollout(
      aShop(() => 'nginx:2', undefined, gate),
      connect,
      {
        signal: stop.signal,
        onEvent: (e) => {
          if (e.kind === 'wave' && e.phase === 'passed') stop.abort();
        },
      },
    );

    expect(report.outcome).toBe('aborted');
    expect(report.rollback).toBeUndefined();
    expect(await imageOn('a')).toBe('nginx:2');
  });
});
