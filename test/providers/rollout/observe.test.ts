import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { refOf } from '../../../lib/engine/object.js';
import {
  applyRelease,
  observe,
  readLive,
  runRollout,
  verifyRelease,
} from '../../../lib/providers/rollout/index.js';
import {
  aConfigMap,
  aDeployment,
  aFleet,
  aManifest,
  aNamespace,
  aPlan,
  aRelease,
  aWave,
  type TestFleet,
} from './releases.js';

let fleet: TestFleet;
beforeEach(async () => {
  fleet = await aFleet('a', 'b');
});
afterEach(() => fleet.close());

const interpret = { status: (): unknown => ({ seen: true }), health: () => 'Healthy' as const };
const plan = (generation: number, image = 'nginx:1'): ReturnType<typeof aPlan> =>
  aPlan(
    [aWave('all', ['a', 'b'])],
    ['a', 'b'].map((cluster) =>
      aRelease(cluster, [aNamespace(), aManifest(aDeployment('web', { image }), { generation })]),
    ),
  );

describe('observe', () => {
  test('a template is observed when all its clusters are, at the generation they carry', async () => {
    await runRollout(plan(3), fleet.connect);

    const [web] = await observe(plan(3), fleet.connect, interpret);

    expect(web).toMatchObject({
      resource: { kind: 'Deployment' },
      generation: 3,
      observedGeneration: 3,
    });
    expect(
      web?.clusters.map(({ cluster, ready, isCurrent }) => [cluster, ready, isCurrent]),
    ).toEqual([
      ['a', true, true],
      ['b', true, true],
    ]);
    expect(web?.clusters[0]?.item).toEqual({
      clusterName: 'a',
      status: { seen: true },
      applied: true,
      health: 'Healthy',
    });
  });

  test('one cluster that is behind holds the generation back, one that is away leaves it open', async () => {
    await runRollout(plan(3), fleet.connect);
    const newer = plan(4, 'nginx:2');
    const [first] = newer.releases;
    if (first !== undefined) await applyRelease(first, await fleet.client('a'));

    const [behind] = await observe(newer, fleet.connect, interpret);
    await fleet.sandbox.cluster('b').stop();
    const [away] = await observe(newer, fleet.connect, interpret, { unreachableSeconds: 0.1 });

    expect(behind).toMatchObject({ generation: 4, observedGeneration: 3 });
    expect(behind?.clusters[1]).toMatchObject({
      isCurrent: false,
      ready: false,
      waitingFor: expect.stringContaining('revision'),
    });
    expect(away?.observedGeneration).toBeUndefined();
    expect(away?.clusters[1]).toMatchObject({
      cluster: 'b',
      error: expect.any(String),
      item: { applied: false, health: 'Unknown' },
    });
  });
});

describe('read live', () => {
  const application = { application: 'web-shop' };

  test('what the set has is found without being named, and what is named is found whoever owns it', async () => {
    const client = await fleet.client('a');
    await applyRelease(aRelease('a', [aNamespace(), aConfigMap('left-over')]), client);
    await client.apply(aConfigMap('theirs'), { fieldManager: 'kubectl' });
    await client.apply(aConfigMap('unrelated'), { fieldManager: 'kubectl' });

    const { live, failures } = await readLive(
      application,
      [{ cluster: 'a', resources: [refOf(aConfigMap('theirs'))] }],
      fleet.connect,
    );

    expect(failures).toEqual([]);
    expect(live.members['a']?.map(({ metadata }) => metadata.name)).toEqual([
      'left-over',
      'theirs',
      'shop',
    ]);
  });

  test('a cluster that does not answer is named and left out', async () => {
    await fleet.sandbox.cluster('b').stop();
    const queries = ['b', 'a'].map((cluster) => ({ cluster, resources: [] }));

    const { live, failures } = await readLive(application, queries, fleet.connect, {
      unreachableSeconds: 0.1,
    });

    expect(Object.keys(live.members)).toEqual(['a']);
    expect(failures).toMatchObject([{ cluster: 'b', code: 'CLUSTER_UNREACHABLE' }]);
  });
});

describe('verify', () => {
  test('a release that is there is ready, and nothing is written', async () => {
    const client = await fleet.client('a');
    const release = aRelease('a', [aNamespace(), aDeployment('web')]);
    await applyRelease(release, client);
    fleet.writes('a');

    expect(await verifyRelease(release, client)).toMatchObject({
      outcome: 'ready',
      proven: false,
      failures: [],
    });
    expect(fleet.writes('a')).toEqual([]);
  });

  test('what is missing and what is of an older revision is named', async () => {
    const client = await fleet.client('a');
    await applyRelease(aRelease('a', [aNamespace(), aDeployment('web')]), client);

    const { outcome, failures } = await verifyRelease(
      aRelease('a', [aConfigMap('env'), aDeployment('web', { image: 'nginx:2' })]),
      client,
    );

    expect(outcome).toBe('failed');
    expect(failures.map(({ message }) => message)).toEqual([
      'ConfigMap shop/env on a: it does not exist',
      expect.stringMatching(/^Deployment shop\/web on a: revision \w+ \(it has \w+\)$/),
    ]);
  });
});
