import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { refOf, type KubeObject } from '../../lib/engine/object.js';
import type { Release } from '../../lib/engine/plan.js';
import type { ClusterClient } from '../../lib/providers/cluster/index.js';
import { applyRelease, destroyRelease, settleRelease } from '../../lib/providers/rollout/index.js';
import {
  aConfigMap,
  aDeployment,
  aFleet,
  aManifest,
  aNamespace,
  aRelease,
  type TestFleet,
} from '../providers/rollout/releases.js';

/*
 * karmada#7463: preserved, and somebody had deleted it already: stuck. karmada#5275, ocm#632, ocm#988: what was dropped in
 * quick succession, or after its namespace, was left over. Deleting is idempotent: not found is done.
 */
let fleet: TestFleet;
let client: ClusterClient;
beforeEach(async () => {
  fleet = await aFleet('eu-1');
  client = await fleet.client('eu-1');
});
afterEach(() => fleet.close());

const env = aConfigMap('env');
const web = aDeployment('web');
const without = (objects: readonly KubeObject[], gone: readonly KubeObject[]): Release => ({
  ...aRelease('eu-1', [aNamespace(), ...objects]),
  deletions: gone.map((object) => ({ resource: refOf(object), reason: 'the template is gone' })),
});
const isThere = async (object: KubeObject): Promise<boolean> =>
  (await client.get(refOf(object))) !== undefined;

test('an object that is to be preserved and is gone already', async () => {
  const preserved = aManifest(env, { preserveOnDeletion: true });
  await applyRelease(aRelease('eu-1', [aNamespace(), preserved, web]), client);
  await client.delete(refOf(env));

  expect(await settleRelease(without([web], [env]), client)).toMatchObject({ outcome: 'ready' });
  expect(await destroyRelease(aRelease('eu-1', []), client)).toMatchObject({ outcome: 'done' });
  expect(await isThere(web)).toBe(false);
});

test('an object that is to be preserved and is there stays, and belongs to nobody', async () => {
  const preserved = aManifest(env, { preserveOnDeletion: true });
  await applyRelease(aRelease('eu-1', [aNamespace(), preserved, web]), client);

  await settleRelease(without([web], [env]), client);
  await destroyRelease(aRelease('eu-1', []), client);

  expect(await isThere(web)).toBe(false);
  expect((await client.get(refOf(env)))?.metadata.labels ?? {}).toEqual({});
});

test('two objects dropped one right after the other', async () => {
  await applyRelease(aRelease('eu-1', [aNamespace(), env, web]), client);

  const results = await Promise.all([
    settleRelease(without([web], [env]), client),
    settleRelease(without([], [env, web]), client),
  ]);
  await settleRelease(without([], [env, web]), client);

  expect(results.flatMap(({ failures }) => failures)).toEqual([]);
  expect([await isThere(env), await isThere(web)]).toEqual([false, false]);
});

test('a namespace that went before what was in it', async () => {
  await applyRelease(aRelease('eu-1', [aNamespace(), env, web]), client);
  await client.delete(refOf(aNamespace()));

  const first = await destroyRelease(aRelease('eu-1', []), client);
  const again = await destroyRelease(aRelease('eu-1', []), client);

  expect([first.outcome, again.outcome]).toEqual(['done', 'done']);
  expect(await isThere(env)).toBe(false);
});
