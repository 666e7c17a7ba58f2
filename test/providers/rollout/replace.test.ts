import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { KubeObject } from '../../../lib/api/object.js';
import { refOf } from '../../../lib/engine/object.js';
import type { ClusterClient } from '../../../lib/providers/cluster/index.js';
import { applyRelease, settleRelease } from '../../../lib/providers/rollout/index.js';
import {
  aConfigMap,
  aDeployment,
  aFleet,
  aManifest,
  aNamespace,
  aRelease,
  type TestFleet,
} from './releases.js';

// Many requests a test, on a machine that others use too.
jest.setTimeout(60_000);

let fleet: TestFleet;
let client: ClusterClient;
beforeEach(async () => {
  fleet = await aFleet('eu-1');
  client = await fleet.client('eu-1');
});
afterEach(() => fleet.close());

const PROTECTED = { 'resourcetemplate.karmada.io/deletion-protected': 'Always' };
const ALLOWED = { 'fleetwright.dev/replace': 'immutable' };
const CONFIG = refOf(aConfigMap('env'));
const SET = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  namespace: 'default',
  name: 'fleetwright-web-shop',
};

const sealed = (mode: string, annotations: Record<string, string> = {}): KubeObject => ({
  ...aConfigMap('env', { MODE: mode }),
  metadata: { name: 'env', namespace: 'shop', annotations },
  immutable: true,
});
const apply = (...objects: Parameters<typeof aRelease>[1]): ReturnType<typeof applyRelease> =>
  applyRelease(aRelease('eu-1', [aNamespace(), ...objects]), client, { deadlineSeconds: 1 });
const uid = async (): Promise<string | undefined> => (await client.get(CONFIG))?.metadata.uid;

describe('a change that cannot be made in place', () => {
  test('FIELD_IMMUTABLE: refused with the field and the way out, when the plan did not know', async () => {
    await apply(sealed('a'));
    const before = await uid();

    const { failures } = await apply(sealed('b'));

    expect(failures).toEqual([
      {
        code: 'FIELD_IMMUTABLE',
        resource: CONFIG,
        message: expect.stringMatching(
          /^ConfigMap shop\/env on eu-1 cannot change in place \(\.data\), .*--acknowledge FIELD_IMMUTABLE=ConfigMap\/shop\/env`, .*fleetwright\.dev\/replace: immutable\.$/,
        ),
      },
    ]);
    expect(await uid()).toBe(before);
  });

  test('done when the plan says replace; what can change in place is not deleted all the same', async () => {
    await apply(sealed('a'));
    const before = await uid();
    await apply(
      aManifest(
        { ...sealed('a'), metadata: { name: 'env', namespace: 'shop', labels: { a: 'b' } } },
        { action: 'replace' },
      ),
    );
    const inPlace = await uid();

    const { outcome } = await apply(aManifest(sealed('b'), { action: 'replace' }));

    expect(inPlace).toBe(before);
    expect(outcome).toBe('ready');
    expect(await uid()).not.toBe(before);
    expect((await client.get(CONFIG))?.['data']).toEqual({ MODE: 'b' });
  });

  test('done when the template allows it for good, though the plan could not see the cluster', async () => {
    await apply(sealed('a', ALLOWED));
    const before = await uid();

    expect(await apply(sealed('b', ALLOWED))).toMatchObject({ outcome: 'ready', changed: true });
    expect(await uid()).not.toBe(before);
  });

  test('a claim is not replaced because its template allows it', async () => {
    const claim = (storageClassName: string): KubeObject => ({
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'data', namespace: 'shop', annotations: ALLOWED },
      spec: {
        accessModes: ['ReadWriteOnce'],
        storageClassName,
        resources: { requests: { storage: '1Gi' } },
      },
    });
    await apply(claim('slow'));

    expect((await apply(claim('fast'))).failures).toMatchObject([
      { code: 'FIELD_IMMUTABLE', message: expect.not.stringContaining('fleetwright.dev/replace') },
    ]);
  });

  test('never done to what is protected', async () => {
    await apply(sealed('a', ALLOWED));
    await client.apply(
      { ...aNamespace(), metadata: { name: 'shop', labels: PROTECTED } },
      { fieldManager: 'kubectl' },
    );

    const { failures } = await apply(sealed('b', ALLOWED));

    expect(failures).toMatchObject([
      {
        code: 'DELETION_PROTECTED',
        message: expect.stringContaining('Namespace shop is protected'),
      },
    ]);
    expect((await client.get(CONFIG))?.['data']).toEqual({ MODE: 'a' });
  });
});

test('the settle step leaves what its namespace protects', async () => {
  await apply(aConfigMap('env'));
  await client.apply(
    { ...aNamespace(), metadata: { name: 'shop', labels: PROTECTED } },
    { fieldManager: 'kubectl' },
  );
  const deletions = [{ resource: CONFIG, reason: 'the template is gone' }];

  const result = await settleRelease(aRelease('eu-1', [aNamespace()], { deletions }), client);

  expect(result.failures).toMatchObject([{ code: 'DELETE_REFUSED' }]);
  expect(await uid()).toBeDefined();
});

describe('an owner who shows only while applying', () => {
  test('APPLY_CONFLICT names both, and nothing of ours is left behind', async () => {
    await client.apply(aNamespace(), { fieldManager: 'kubectl' });
    await client.apply(
      {
        ...aConfigMap('env'),
        metadata: {
          name: 'env',
          namespace: 'shop',
          labels: { 'applyset.kubernetes.io/part-of': 'applyset-billing-v1' },
          annotations: { 'fleetwright.dev/application': 'billing' },
        },
      },
      { force: true },
    );

    const { failures, changed } = await apply(aConfigMap('env'), aDeployment('web'));

    expect(failures).toMatchObject([
      {
        code: 'APPLY_CONFLICT',
        message: expect.stringMatching(/application "billing", not by application "web-shop"/),
      },
    ]);
    expect(changed).toBe(false);
    expect(await client.get(SET)).toBeUndefined();
  });

  test('a field conflict on the first write: the set that the run made is gone again', async () => {
    await client.apply(aNamespace(), { fieldManager: 'kubectl' });
    const manifest = aManifest(aConfigMap('env'));
    // Ours by its label, and yet the value belongs to somebody.
    await client.apply(
      {
        ...manifest.object,
        metadata: { ...manifest.object.metadata, annotations: {} },
        data: { MODE: 'theirs' },
      },
      { fieldManager: 'web-operator' },
    );

    const { failures } = await applyRelease(aRelease('eu-1', [manifest]), client);

    expect(failures).toMatchObject([{ code: 'APPLY_CONFLICT' }]);
    expect(await client.get(SET)).toBeUndefined();
  });
});
