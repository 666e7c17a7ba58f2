import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { KubeObject } from '../../../lib/api/object.js';
import { refOf } from '../../../lib/engine/object.js';
import { applyRelease, type ReleaseProgress } from '../../../lib/providers/rollout/index.js';
import type { ClusterClient } from '../../../lib/providers/cluster/index.js';
import {
  aConfigMap,
  aDeployment,
  aFleet,
  aManifest,
  aNamespace,
  aRelease,
  type TestFleet,
} from './releases.js';

const DEPLOYMENT = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  namespace: 'shop',
  name: 'web',
} as const;
const CONFIG = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'shop', name: 'env' } as const;

let fleet: TestFleet;
let client: ClusterClient;

beforeEach(async () => {
  fleet = await aFleet('eu-1');
  client = await fleet.client('eu-1');
});
afterEach(() => fleet.close());

const replicasOf = async (): Promise<unknown> =>
  ((await client.get(DEPLOYMENT))?.['spec'] as { replicas?: number } | undefined)?.replicas;

describe('a release', () => {
  test('is applied in rank order and ready when all is rolled out at its revision', async () => {
    const release = aRelease('eu-1', [aDeployment('web'), aConfigMap('env'), aNamespace()]);
    const told: ReleaseProgress[] = [];

    const result = await applyRelease(release, client, {
      onProgress: (progress) => told.push(progress),
    });

    expect(result).toMatchObject({ outcome: 'ready', changed: true, proven: false, failures: [] });
    expect(
      result.objects.map(({ resource, action, ready }) => [resource.kind, action, ready]),
    ).toEqual([
      ['Namespace', 'created', true],
      ['ConfigMap', 'created', true],
      ['Deployment', 'created', true],
    ]);
    expect(result.objects[2]).toMatchObject({ generation: 1, observedGeneration: 1 });
    expect(fleet.writes('eu-1')).toEqual([
      'PATCH /api/v1/namespaces/default/configmaps/fleetwright-web-shop',
      'PATCH /api/v1/namespaces/shop',
      'PATCH /api/v1/namespaces/shop/configmaps/env',
      'PATCH /apis/apps/v1/namespaces/shop/deployments/web',
    ]);
    expect(told.filter(({ kind }) => kind === 'ready')).toHaveLength(3);
  });

  test('costs no write when the cluster has it all', async () => {
    const release = aRelease('eu-1', [aNamespace(), aDeployment('web'), aConfigMap('env')]);
    await applyRelease(release, client);
    fleet.writes('eu-1');

    const again = await applyRelease(release, client);

    expect(again).toMatchObject({ outcome: 'ready', changed: false });
    expect(fleet.writes('eu-1')).toEqual([]);
  });

  test('corrects what somebody changed by hand, and nothing else', async () => {
    const release = aRelease('eu-1', [aNamespace(), aDeployment('web'), aConfigMap('env')]);
    await applyRelease(release, client);
    const edited = aConfigMap('env', { MODE: 'edited' });
    await client.apply(edited, { fieldManager: 'kubectl-edit', force: true });
    fleet.writes('eu-1');

    const again = await applyRelease(
      aRelease('eu-1', [
        aNamespace(),
        aDeployment('web'),
        aManifest(aConfigMap('env'), { conflictResolution: 'Overwrite' }),
      ]),
      client,
    );

    expect(again).toMatchObject({ outcome: 'ready', changed: true });
    expect(fleet.writes('eu-1')).toEqual(['PATCH /api/v1/namespaces/shop/configmaps/env']);
    expect((await client.get(CONFIG))?.['data']).toEqual({ MODE: 'a' });
  });

  test('an object of somebody else is left alone, and so is everything else (Abort)', async () => {
    await client.apply(aNamespace());
    await client.apply(aConfigMap('env', { MODE: 'theirs' }), { fieldManager: 'web-operator' });
    fleet.writes('eu-1');

    const result = await applyRelease(
      aRelease('eu-1', [aNamespace(), aDeployment('web'), aConfigMap('env')]),
      client,
    );

    expect(result).toMatchObject({ outcome: 'failed', changed: false });
    expect(result.failures).toEqual([
      {
        code: 'APPLY_CONFLICT',
        resource: CONFIG,
        message:
          'ConfigMap shop/env on eu-1 exists and is managed by "web-operator", not by application "web-shop"; nothing was written. Set conflictResolution: Overwrite in its policy to take it over.',
      },
    ]);
    expect(fleet.writes('eu-1')).toEqual([]);
  });

  test('an object of somebody else is adopted in place (Overwrite)', async () => {
    await client.apply(aNamespace());
    const theirs = await client.apply(aConfigMap('env', { MODE: 'theirs' }), {
      fieldManager: 'web-operator',
    });
    const adopting = aManifest(aConfigMap('env'), { conflictResolution: 'Overwrite' });

    const result = await applyRelease(aRelease('eu-1', [aNamespace(), adopting]), client);

    expect(result.outcome).toBe('ready');
    const live = await client.get(CONFIG);
    expect(live).toMatchObject({ metadata: { uid: theirs.metadata.uid }, data: { MODE: 'a' } });
  });

  test('an object of another application names it', async () => {
    await applyRelease(aRelease('eu-1', [aNamespace(), aConfigMap('env')]), client);
    const other = aManifest(aConfigMap('env'));
    const release = aRelease('eu-1', [other], { application: 'other' });

    const { failures } = await applyRelease(release, client);

    expect(failures).toMatchObject([
      { code: 'APPLY_CONFLICT', message: expect.stringContaining('application "web-shop"') },
    ]);
  });

  test('a field that another manager took gives a conflict that names it', async () => {
    await applyRelease(aRelease('eu-1', [aNamespace(), aConfigMap('env')]), client);
    await client.apply(aConfigMap('env', { MODE: 'theirs' }), {
      fieldManager: 'web-operator',
      force: true,
    });

    const { failures } = await applyRelease(
      aRelease('eu-1', [aNamespace(), aConfigMap('env', { MODE: 'b' })]),
      client,
    );

    expect(failures).toMatchObject([
      {
        code: 'APPLY_CONFLICT',
        resource: CONFIG,
        message: expect.stringContaining('"web-operator" on .data.MODE'),
      },
    ]);
    expect((await client.get(CONFIG))?.['data']).toEqual({ MODE: 'theirs' });
  });

  test('a pod that cannot start is named at the deadline', async () => {
    const broken = aDeployment('web', { image: 'nginx:does-not-exist' });

    const result = await applyRelease(aRelease('eu-1', [aNamespace(), broken]), client, {
      deadlineSeconds: 0.5,
    });

    expect(result.outcome).toBe('failed');
    expect(result.failures).toMatchObject([
      {
        code: 'OBJECT_NOT_READY',
        resource: DEPLOYMENT,
        message: expect.stringMatching(/available replicas \(0 of 2\); 2 pods: \w*Image\w*/),
      },
    ]);
  });

  test('grows at once and shrinks only when settling', async () => {
    await applyRelease(
      aRelease('eu-1', [aNamespace(), aDeployment('web', { replicas: 3 })]),
      client,
    );
    const smaller = aRelease('eu-1', [
      aNamespace(),
      aDeployment('web', { replicas: 1, image: 'nginx:2' }),
    ]);

    const grown = await applyRelease(smaller, client);
    const during = await replicasOf();
    const settled = await applyRelease(smaller, client, { mode: 'settle' });

    expect([grown.outcome, during]).toEqual(['ready', 3]);
    expect([settled.outcome, await replicasOf()]).toEqual(['ready', 1]);
  });

  test('a growing manifest carries the revision of the plan', async () => {
    const planned = aManifest(aDeployment('web', { replicas: 1 }));
    const growing = aDeployment('web', { replicas: 4 });

    const result = await applyRelease(
      aRelease('eu-1', [aNamespace(), { ...planned, growing }]),
      client,
    );

    expect([result.outcome, await replicasOf()]).toEqual(['ready', 4]);
  });

  test('replicas belong to an autoscaler once there is one', async () => {
    const autoscaler = {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'web', namespace: 'shop' },
      spec: {
        minReplicas: 2,
        maxReplicas: 9,
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      },
    };
    const before = aRelease('eu-1', [
      aNamespace(),
      aDeployment('web', { replicas: 2 }),
      autoscaler,
    ]);
    await applyRelease(before, client);
    await client.apply(
      {
        ...aNamespace(),
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'web', namespace: 'shop' },
        spec: { replicas: 7 },
      },
      { fieldManager: 'autoscaler', force: true },
    );
    const after = aRelease('eu-1', [
      aNamespace(),
      aDeployment('web', { replicas: 3, image: 'nginx:2' }),
      autoscaler,
    ]);

    const result = await applyRelease(after, client, { mode: 'settle' });

    expect([result.outcome, await replicasOf()]).toEqual(['ready', 7]);
  });

  test('replicas that only we own are handed over before they are dropped', async () => {
    await applyRelease(
      aRelease('eu-1', [aNamespace(), aDeployment('web', { replicas: 3 })]),
      client,
    );
    const autoscaler = {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'web', namespace: 'shop' },
      spec: {
        minReplicas: 2,
        maxReplicas: 9,
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      },
    };

    const result = await applyRelease(
      aRelease('eu-1', [aNamespace(), aDeployment('web', { replicas: 5 }), autoscaler]),
      client,
      { mode: 'settle' },
    );

    expect([result.outcome, await replicasOf()]).toEqual(['ready', 3]);
  });

  test('a CRD is established before its objects follow', async () => {
    const crd = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'widgets.example.io' },
      spec: {
        group: 'example.io',
        scope: 'Namespaced',
        names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
            },
          },
        ],
      },
    };
    const widget = {
      apiVersion: 'example.io/v1',
      kind: 'Widget',
      metadata: { name: 'w', namespace: 'shop' },
      spec: { size: 1 },
    };

    const result = await applyRelease(aRelease('eu-1', [aNamespace(), crd, widget]), client, {
      deadlineSeconds: 5,
    });

    expect(result.failures).toEqual([]);
    expect(result.outcome).toBe('ready');
  });

  test('a kind that nobody serves is named, and later ranks are not written', async () => {
    const widget = {
      apiVersion: 'example.io/v1',
      kind: 'Widget',
      metadata: { name: 'w', namespace: 'shop' },
    };

    const { failures } = await applyRelease(aRelease('eu-1', [aNamespace(), widget]), client);

    expect(failures).toMatchObject([{ code: 'KIND_NOT_SERVED' }]);
  });

  test('an object that the server refuses is named, with what the server says', async () => {
    const invalid = aDeployment('web');
    const spec = { ...(invalid['spec'] as object), selector: { matchLabels: { app: 'other' } } };

    const { failures } = await applyRelease(
      aRelease('eu-1', [aNamespace(), { ...invalid, spec }]),
      client,
    );

    expect(failures).toMatchObject([
      { code: 'APPLY_REFUSED', resource: DEPLOYMENT, message: expect.stringContaining('selector') },
    ]);
  });

  test('a cluster that refuses connections fails alone after its patience', async () => {
    await fleet.sandbox.cluster('eu-1').stop();

    const result = await applyRelease(aRelease('eu-1', [aConfigMap('env')]), client, {
      unreachableSeconds: 0.1,
    });

    expect(result).toMatchObject({
      outcome: 'failed',
      changed: false,
      failures: [{ code: 'CLUSTER_UNREACHABLE' }],
    });
  });

  test('stopping it ends the wait at once and says so', async () => {
    const stop = new AbortController();
    const broken = aDeployment('web', { image: 'nginx:does-not-exist' });

    const running = applyRelease(aRelease('eu-1', [aNamespace(), broken]), client, {
      signal: stop.signal,
      onApplied: () => stop.abort(),
    });

    expect(await running).toMatchObject({ outcome: 'aborted', changed: true });
  });

  test('an object that is being deleted is made anew once it is gone', async () => {
    const held = {
      ...aConfigMap('env'),
      metadata: { name: 'env', namespace: 'shop', finalizers: ['example.io/x'] },
    };
    await applyRelease(aRelease('eu-1', [aNamespace(), held]), client);
    const old = await client.get(CONFIG);
    await client.delete(CONFIG);
    let asked = 0;
    const patient: ClusterClient = {
      ...client,
      get: async (ref) => {
        // The finalizer goes when somebody has looked twice.
        if (ref.kind === 'ConfigMap' && ref.name === 'env' && ++asked === 2)
          await client.apply(
            { ...aConfigMap('env'), metadata: { name: 'env', namespace: 'shop', finalizers: [] } },
            { force: true },
          );
        return client.get(ref);
      },
    };

    const result = await applyRelease(
      aRelease('eu-1', [aNamespace(), aConfigMap('env')]),
      patient,
      { deadlineSeconds: 4 },
    );

    expect(result).toMatchObject({ outcome: 'ready', failures: [] });
    const made = await client.get(CONFIG);
    expect(made?.metadata.uid).not.toBe(old?.metadata.uid);
  });

  test('an object that is being deleted and does not go is named with its finalizer', async () => {
    const held = {
      ...aConfigMap('env'),
      metadata: { name: 'env', namespace: 'shop', finalizers: ['example.io/x'] },
    };
    await applyRelease(aRelease('eu-1', [aNamespace(), held]), client);
    await client.delete(CONFIG);

    const { failures } = await applyRelease(aRelease('eu-1', [aNamespace(), held]), client, {
      deadlineSeconds: 0.2,
    });

    expect(failures).toMatchObject([
      {
        code: 'OBJECT_NOT_READY',
        resource: CONFIG,
        message: expect.stringContaining('waits for the finalizer "example.io/x"'),
      },
    ]);
  });

  test('immutable fields change by deleting first, when the plan says replace', async () => {
    const job = (image: string): KubeObject => ({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'migrate', namespace: 'shop' },
      spec: {
        suspend: true,
        template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image }] } },
      },
    });
    const ref = refOf(job('a'));
    await applyRelease(aRelease('eu-1', [aNamespace(), job('a')]), client, {
      deadlineSeconds: 0.2,
    });
    const old = await client.get(ref);

    const replaced = aManifest(job('b'), { action: 'replace' });
    await applyRelease(aRelease('eu-1', [aNamespace(), replaced]), client, { deadlineSeconds: 1 });
    const made = await client.get(ref);
    fleet.writes('eu-1');
    await applyRelease(aRelease('eu-1', [aNamespace(), replaced]), client, {
      deadlineSeconds: 0.2,
    });

    expect(made?.metadata.uid).not.toBe(old?.metadata.uid);
    // Once it carries its revision nothing is deleted again.
    expect(fleet.writes('eu-1')).toEqual([]);
  });
});
