import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { KubeObject } from '../../../lib/api/object.js';
import type { Manifest, Release } from '../../../lib/engine/plan.js';
import {
  applyRelease,
  dryRunRelease,
  dryRunReleases,
  type DryRunOptions,
} from '../../../lib/providers/rollout/index.js';
import {
  aConfigMap,
  aDeployment,
  aFleet,
  aManifest,
  aNamespace,
  aRelease,
  type TestFleet,
} from './releases.js';

jest.setTimeout(60_000);

let fleet: TestFleet | undefined;
afterEach(async () => {
  await fleet?.close();
  fleet = undefined;
});
async function start(...names: readonly string[]): Promise<TestFleet> {
  fleet = await aFleet(...names);
  return fleet;
}

const changed = (object: KubeObject, facts: Partial<Manifest> = {}): Manifest =>
  aManifest(object, { action: 'update', ...facts });

/** The Deployment with one more thing said of its container. */
function withContainer(deployment: KubeObject, fields: object): KubeObject {
  const spec = deployment['spec'] as { template: { spec: { containers: object[] } } };
  const [container] = spec.template.spec.containers;
  const template = { ...spec.template, spec: { containers: [{ ...container, ...fields }] } };
  return { ...deployment, spec: { ...spec, template } };
}

/** On a cluster that has the application, and changes nothing there: what is said to a change of it. */
function findingsOf(...objects: readonly (KubeObject | Manifest)[]): Promise<unknown[]> {
  return findingsWith({}, ...objects);
}

async function findingsWith(
  options: DryRunOptions,
  ...objects: readonly (KubeObject | Manifest)[]
): Promise<unknown[]> {
  const { connect, writes, sandbox } = fleet ?? (await start('eu-1'));
  const client = await connect('eu-1');
  await applyRelease(
    aRelease('eu-1', [aNamespace(), aDeployment('web'), aConfigMap('env')]),
    client,
  );
  writes('eu-1');
  const before = JSON.stringify(sandbox.cluster('eu-1').objects());

  const found = await dryRunRelease(aRelease('eu-1', [aNamespace(), ...objects]), connect, options);

  expect(writes('eu-1').filter((line) => !line.startsWith('PATCH'))).toEqual([]);
  expect(sandbox.cluster('eu-1').objects().length).toBe(JSON.parse(before).length);
  return found.map(({ severity, code, cluster, resource, message }) => ({
    finding: `${severity} ${code} ${cluster} ${resource?.kind ?? ''}`.trimEnd(),
    message,
  }));
}

describe('a dry run', () => {
  test('of what the cluster takes says nothing, and stores nothing', async () => {
    expect(
      await findingsOf(changed(aDeployment('web', { image: 'nginx:2' })), aConfigMap('new')),
    ).toEqual([]);
    const stored = fleet?.sandbox.cluster('eu-1').objects() ?? [];
    expect(stored.some(({ metadata }) => metadata.name === 'new')).toBe(false);
    expect(JSON.stringify(stored)).not.toContain('nginx:2');
  });

  test('APPLY_REFUSED: what admission says to the values', async () => {
    const bad = changed(aDeployment('web', { replicas: -1 }));

    expect(await findingsOf(bad)).toEqual([
      {
        finding: 'error APPLY_REFUSED eu-1 Deployment',
        message: expect.stringContaining('spec.replicas'),
      },
    ]);
  });

  test.each([
    ['is an error', [], [{ finding: 'error FIELD_IMMUTABLE eu-1 Deployment' }]],
    ['is a replacement where its code is acknowledged', ['FIELD_IMMUTABLE'], []],
    ['or its name', ['FIELD_IMMUTABLE=Deployment/shop/web'], []],
    [
      'and not where another is named',
      ['FIELD_IMMUTABLE=Deployment/shop/api'],
      [{ finding: 'error FIELD_IMMUTABLE eu-1 Deployment' }],
    ],
  ])(
    'FIELD_IMMUTABLE: a field that cannot change in place %s',
    async (_name, acknowledge, said) => {
      const web = aDeployment('web');
      const spec = web['spec'] as { template: { metadata: object } };
      const labels = { app: 'other' };
      const template = { ...spec.template, metadata: { ...spec.template.metadata, labels } };
      const other = { ...web, spec: { ...spec, selector: { matchLabels: labels }, template } };

      expect(await findingsWith({ acknowledge }, changed(other))).toMatchObject(said);
    },
  );

  test('APPLY_CONFLICT: an object of somebody else, and a field that somebody else took', async () => {
    const { connect } = await start('eu-1');
    const client = await connect('eu-1');
    const options = { fieldManager: 'kubectl' };
    await client.apply(aConfigMap('theirs'), options).catch(() => undefined);
    await client.apply(aNamespace());
    await client.apply(aConfigMap('theirs'), options);
    await applyRelease(aRelease('eu-1', [aNamespace(), aDeployment('web')]), client);
    await client.apply(
      { ...aDeployment('web'), spec: { replicas: 7 } },
      { ...options, force: true },
    );

    expect(
      await findingsOf(aConfigMap('theirs'), changed(aDeployment('web', { image: 'nginx:2' }))),
    ).toEqual([
      {
        finding: 'error APPLY_CONFLICT eu-1 ConfigMap',
        message: expect.stringContaining('managed by "kubectl"'),
      },
      {
        finding: 'error APPLY_CONFLICT eu-1 Deployment',
        message: expect.stringContaining('"kubectl" on .spec.replicas'),
      },
    ]);
  });

  test('CHANGE_WITHOUT_EFFECT: a default that is written down', async () => {
    const same = withContainer(aDeployment('web'), { imagePullPolicy: 'IfNotPresent' });

    expect(await findingsOf(changed(same))).toMatchObject([
      { finding: 'warning CHANGE_WITHOUT_EFFECT eu-1 Deployment' },
    ]);
    await fleet?.close();
    fleet = undefined;
    const other = withContainer(aDeployment('web'), { imagePullPolicy: 'Always' });
    expect(await findingsOf(changed(other))).toEqual([]);
  });

  test('DRY_RUN_INCOMPLETE: what stands in a namespace that is not there yet', async () => {
    const { connect, writes } = await start('eu-1');
    const release = aRelease('eu-1', [aNamespace(), aDeployment('web'), aConfigMap('env')]);

    const found = await dryRunRelease(release, connect);

    expect(found).toMatchObject([
      { severity: 'warning', code: 'DRY_RUN_INCOMPLETE', cluster: 'eu-1' },
    ]);
    expect(found[0]?.message).toMatch(/^2 objects were not checked/);
    expect(writes('eu-1')).toHaveLength(1);
  });

  test('KIND_NOT_SERVED: unless the release brings the kind', async () => {
    const widget = {
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: { name: 'w', namespace: 'shop' },
    };

    expect(await findingsOf(widget)).toMatchObject([
      { finding: 'error KIND_NOT_SERVED eu-1 Widget' },
    ]);
  });

  test('nothing of a Secret is in what is said, whoever says it', async () => {
    const secret: KubeObject = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'key', namespace: 'shop' },
      data: { password: 'aHVudGVyMg==' },
    };
    const { sandbox } = await start('eu-1');
    const answering = async (code: number): Promise<unknown[]> => {
      const message = 'admission webhook "x" denied the request: password hunter2 is weak';
      sandbox
        .cluster('eu-1')
        .faults.inject(({ method, path }) =>
          method === 'PATCH' && path.includes('/secrets/') ? { code, message } : undefined,
        );
      return findingsOf(secret);
    };

    const said = [await answering(422), await answering(403), await answering(500)];

    expect(said.flat()).toMatchObject([
      { finding: 'error APPLY_REFUSED eu-1 Secret' },
      { finding: 'error CLUSTER_FORBIDDEN eu-1 Secret' },
      { finding: 'warning APPLY_REFUSED eu-1 Secret' },
    ]);
    expect(JSON.stringify(said)).not.toContain('hunter2');
  });

  test('CLUSTER_UNREACHABLE: silent clusters are named, and cost their patience once, all together', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const { connect, sandbox } = await start(...names);
    for (const name of ['b', 'c', 'e']) await sandbox.cluster(name).stop({ blackHole: true });
    const releases: Release[] = names.map((name) => aRelease(name, [aNamespace()]));
    const startedAt = performance.now();

    const found = await dryRunReleases(releases, connect, { silenceSeconds: 3 });

    expect(found.map(({ severity, code, cluster }) => `${severity} ${code} ${cluster}`)).toEqual([
      'warning CLUSTER_UNREACHABLE b',
      'warning CLUSTER_UNREACHABLE c',
      'warning CLUSTER_UNREACHABLE e',
    ]);
    expect(found[0]?.message).toContain('its objects were not checked');
    // One after the other they would take nine.
    expect(performance.now() - startedAt).toBeLessThan(8_900);
  });
});
