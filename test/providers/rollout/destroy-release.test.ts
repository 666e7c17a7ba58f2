import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { refOf } from '../../../lib/engine/object.js';
import type { ClusterClient } from '../../../lib/providers/cluster/index.js';
import { applyRelease, destroyRelease } from '../../../lib/providers/rollout/index.js';
import {
  aConfigMap,
  aDeployment,
  aFleet,
  aNamespace,
  aRelease,
  type TestFleet,
} from './releases.js';

let fleet: TestFleet;
let client: ClusterClient;

beforeEach(async () => {
  fleet = await aFleet('eu-1');
  client = await fleet.client('eu-1');
});
afterEach(() => fleet.close());

const claim = {
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'data', namespace: 'shop' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
};
const release = aRelease('eu-1', [aNamespace(), aConfigMap('env'), aDeployment('web'), claim]);

describe('destroy', () => {
  test('removes what the set lists, workloads first, keeps volumes and shared namespaces, then the set', async () => {
    await applyRelease(release, client);
    await client.apply(aConfigMap('theirs'), { fieldManager: 'kubectl' });
    fleet.writes('eu-1');

    const result = await destroyRelease(release, client);

    expect(result).toMatchObject({ outcome: 'done', failures: [] });
    expect(result.deleted.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'Deployment web',
      'ConfigMap env',
    ]);
    expect(result.kept).toMatchObject([{ resource: { kind: 'PersistentVolumeClaim' } }]);
    expect(fleet.writes('eu-1').at(-1)).toBe(
      'DELETE /api/v1/namespaces/default/configmaps/fleetwright-web-shop',
    );
    expect(await client.get(refOf(aConfigMap('theirs')))).toBeDefined();
    expect(await client.get(refOf(aNamespace()))).toBeDefined();
    // Kept means let go of: another application may take it over by name.
    expect((await client.get(refOf(claim)))?.metadata.labels ?? {}).toEqual({});
  });

  test('removes volumes that are acknowledged by name', async () => {
    await applyRelease(release, client);

    const result = await destroyRelease(release, client, {
      acknowledge: ['PersistentVolumeClaim/shop/data'],
    });

    expect([result.outcome, result.kept]).toEqual(['done', []]);
  });

  test('is done when nothing is there', async () => {
    expect(await destroyRelease(release, client)).toMatchObject({
      outcome: 'done',
      deleted: [],
      failures: [],
    });
  });

  test('names what is protected, and removes nothing', async () => {
    await applyRelease(release, client);
    const live = await client.get(refOf(aConfigMap('env')));
    const labels = {
      ...live?.metadata.labels,
      'resourcetemplate.karmada.io/deletion-protected': 'Always',
    };
    await client.apply(
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'env', namespace: 'shop', labels } },
      { fieldManager: 'kubectl' },
    );

    const result = await destroyRelease(release, client);

    expect(result.outcome).toBe('failed');
    expect(result.failures).toMatchObject([
      {
        code: 'DELETE_REFUSED',
        message:
          'ConfigMap shop/env on eu-1 stays: it is protected (label resourcetemplate.karmada.io/deletion-protected: Always)',
      },
    ]);
    expect(result.deleted).toEqual([]);
    expect(await client.get(refOf(aDeployment('web')))).toMatchObject({
      metadata: { labels: { 'applyset.kubernetes.io/part-of': expect.anything() } },
    });
  });

  test('names the finalizer that an object waits for', async () => {
    const held = {
      ...aConfigMap('env'),
      metadata: { name: 'env', namespace: 'shop', finalizers: ['example.io/cleanup'] },
    };
    await applyRelease(aRelease('eu-1', [aNamespace(), held]), client);

    const result = await destroyRelease(release, client, { deadlineSeconds: 0.1 });

    expect(result.failures).toMatchObject([
      {
        code: 'DELETE_REFUSED',
        message:
          'ConfigMap shop/env on eu-1 is being deleted and waits for the finalizer "example.io/cleanup"',
      },
    ]);
  });
});
