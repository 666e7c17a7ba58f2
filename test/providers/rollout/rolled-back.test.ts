import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { readKeptIndex, writeKeptIndex } from '../../../lib/providers/rollout/kept-store.js';
import { applyRelease, readRolledBack, runRollout } from '../../../lib/providers/rollout/index.js';
import {
  aDeployment,
  aFleet,
  aManifest,
  aNamespace,
  aPlan,
  aRelease,
  aWave,
  type TestFleet,
} from './releases.js';

jest.setTimeout(30_000);

let fleet: TestFleet;
beforeEach(async () => {
  fleet = await aFleet('a', 'b');
});
afterEach(() => fleet.close());

const BOTH = new Set(['a', 'b']);
const plan = (image: string): ReturnType<typeof aPlan> =>
  aPlan(
    [aWave('all', ['a', 'b'])],
    ['a', 'b'].map((cluster) =>
      aRelease(cluster, [aNamespace(), aManifest(aDeployment('web', { image }))]),
    ),
  );

test('nothing is said of clusters that were never rolled back, or that do not answer', async () => {
  await runRollout(plan('nginx:1'), fleet.connect);
  await runRollout(plan('nginx:2'), fleet.connect);
  await fleet.sandbox.cluster('b').stop();

  expect(await readRolledBack(plan('nginx:3'), BOTH, fleet.connect, 100)).toEqual([]);
});

test('a rollback that has begun is named, on the clusters that were asked for', async () => {
  await runRollout(plan('nginx:1'), fleet.connect);
  await runRollout(plan('nginx:2'), fleet.connect);
  for (const release of plan('nginx:2').releases) {
    const client = await fleet.client(release.cluster);
    const { entries } = await readKeptIndex(client, release);
    await writeKeptIndex(client, release, { entries, goingBack: { from: 2, to: 1, restores: 1 } });
  }

  const found = await readRolledBack(plan('nginx:2'), BOTH, fleet.connect);
  const one = await readRolledBack(plan('nginx:3'), new Set(['b']), fleet.connect);

  expect(found).toEqual([{ clusters: ['a', 'b'], to: 1, left: 2, bringsBack: true }]);
  expect(one).toEqual([{ clusters: ['b'], to: 1, left: 2, bringsBack: false }]);
});

test('going back after a rollout that was not done is known too, until something else is rolled out', async () => {
  await runRollout(plan('nginx:1'), fleet.connect);
  const [first] = plan('nginx:2').releases;
  if (first !== undefined) await applyRelease(first, await fleet.client('a'));
  const goesBack = { from: 1, to: 1, restores: 1 };
  const back = { ...plan('nginx:1'), now: '2026-01-15T13:00:00Z', goesBack };
  await runRollout(back, fleet.connect);

  const before = await readRolledBack(plan('nginx:2'), BOTH, fleet.connect);
  await runRollout(plan('nginx:3'), fleet.connect);
  const after = await readRolledBack(plan('nginx:2'), BOTH, fleet.connect);

  expect(before).toEqual([
    { clusters: ['a', 'b'], to: 1, at: '2026-01-15T13:00:00Z', bringsBack: false },
  ]);
  expect(after).toEqual([]);
});

test('what is rolled out after a rollback ends the story', async () => {
  await runRollout(plan('nginx:1'), fleet.connect);
  await runRollout(plan('nginx:2'), fleet.connect);
  const goesBack = { from: 2, to: 1, restores: 1 };
  await runRollout({ ...plan('nginx:1'), goesBack }, fleet.connect);
  const before = await readRolledBack(plan('nginx:2'), BOTH, fleet.connect);
  const asIs = await readRolledBack(plan('nginx:1'), BOTH, fleet.connect);

  await runRollout(plan('nginx:3'), fleet.connect);
  const after = await readRolledBack(plan('nginx:2'), BOTH, fleet.connect);

  expect(before).toEqual([
    { clusters: ['a', 'b'], to: 1, at: expect.any(String), left: 2, bringsBack: true },
  ]);
  expect([asIs, after]).toEqual([[], []]);
});
