import { createServer } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';

import { validateDocument } from '../../../lib/api/validate.js';
import {
  startSandbox,
  type Sandbox,
  type SandboxOptions,
} from '../../../lib/providers/sandbox/index.js';
import { aConfigMap, aDeployment, aWidget, aWidgetDefinition } from '../../contract/objects.js';
import { openEndpoint, type Answer, type Endpoint } from '../../contract/sandbox-steps.js';
import { fakeTime } from './fake-time.js';

const JSON_TYPE = 'application/json';
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

describe('a sandbox', () => {
  const open: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const each of open.splice(0).reverse()) await each.close();
  });
  const start = async (options: Partial<SandboxOptions> = {}): Promise<Sandbox> => {
    const sandbox = await startSandbox({ clusters: [{ name: 'a' }], ...options });
    open.push(sandbox);
    return sandbox;
  };
  const connect = (sandbox: Sandbox): Endpoint => {
    const endpoint = openEndpoint(sandbox.kubeconfig);
    open.push(endpoint);
    return endpoint;
  };
  const create = (endpoint: Endpoint, path: string, object: object): Promise<Answer> =>
    endpoint.send('POST', path, JSON_TYPE, object);

  test('keeps its clusters apart', async () => {
    const sandbox = await start({ clusters: [{ name: 'a' }, { name: 'b' }] });

    await create(connect(sandbox), CONFIG_MAPS, aConfigMap('default', 'mine'));

    const names = (cluster: string): unknown[] =>
      sandbox
        .cluster(cluster)
        .objects()
        .filter((object) => object.kind === 'ConfigMap')
        .map((object) => object.metadata.name);
    expect([names('a'), names('b')]).toEqual([['mine'], []]);
    expect(sandbox.cluster('a').token).not.toBe(sandbox.cluster('b').token);
    expect(() => sandbox.cluster('c')).toThrow('no cluster c; there are a, b');
  });

  test('tells its fleet as Karmada would: valid Cluster documents with kinds, capacity and what is used', async () => {
    const time = fakeTime();
    const sandbox = await start({
      time,
      clusters: [
        {
          name: 'eu-1',
          region: 'eu',
          zone: 'eu-1a',
          provider: 'acme',
          labels: { tier: 'prod' },
          nodes: 3,
          cpu: '4',
          memory: '16Gi',
          taints: [{ key: 'gpu', value: 'true', effect: 'NoSchedule' }],
        },
      ],
    });
    const container = { resources: { requests: { cpu: '250m', memory: '1Gi' } } };
    await create(
      connect(sandbox),
      '/apis/apps/v1/namespaces/default/deployments',
      aDeployment('default', 'web', { replicas: 2, container }),
    );
    time.advance(5_000);

    const [cluster] = sandbox.fleet();

    expect(cluster === undefined ? undefined : validateDocument(cluster)).toEqual([]);
    expect(cluster).toMatchObject({
      kind: 'Cluster',
      metadata: {
        name: 'eu-1',
        labels: { tier: 'prod' },
        annotations: { 'fleetwright.dev/observed-at': '2026-01-01T00:00:05Z' },
      },
      spec: { region: 'eu', zones: ['eu-1a'], provider: 'acme', taints: [{ key: 'gpu' }] },
      status: {
        nodeSummary: { totalNum: 3, readyNum: 3 },
        resourceSummary: {
          allocatable: { cpu: '12', memory: '48Gi', pods: '330' },
          allocated: { cpu: '500m', memory: '2Gi', pods: '2' },
        },
      },
    });
    expect(JSON.stringify(cluster)).toContain('{"kind":"Deployment","name":"deployments"}');
  });

  test('goes on from a saved state: objects, uids, tokens, ports and kinds of its own', async () => {
    const first = await startSandbox({ clusters: [{ name: 'a' }] });
    const endpoint = openEndpoint(first.kubeconfig);
    const group = 'saved.example.com';
    await create(
      endpoint,
      '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
      aWidgetDefinition(group),
    );
    const widgets = `/apis/${group}/v1/namespaces/default/widgets`;
    await untilCode(() => endpoint.send('GET', widgets), 200);
    await create(endpoint, widgets, aWidget(group, 'default', 'w', { size: 1 }));
    const before = await endpoint.send('GET', `${widgets}/w`);
    const state = JSON.parse(JSON.stringify(first.save())) as ReturnType<Sandbox['save']>;
    await endpoint.close();
    await first.close();

    const second = await start({ state });

    expect(second.kubeconfig).toBe(first.kubeconfig);
    expect(await connect(second).send('GET', `${widgets}/w`)).toEqual(before);
  });

  test('takes another port when the saved one is taken', async () => {
    const first = await startSandbox({ clusters: [{ name: 'a' }] });
    const state = first.save();
    await first.close();
    const thief = createServer().listen(state.clusters[0]?.port, '127.0.0.1');
    await new Promise((resolve) => thief.once('listening', resolve));

    const second = await start({ state });

    expect((await connect(second).send('GET', '/version')).code).toBe(200);
    await new Promise((resolve) => thief.close(resolve));
  });

  test('lets in who has the token, lets the viewer look at the server only, and nobody else in', async () => {
    const sandbox = await start();
    const { token, viewerToken } = sandbox.cluster('a');
    const as = async (other: string): Promise<Answer> => {
      const endpoint = openEndpoint(sandbox.kubeconfig.replaceAll(token, other));
      open.push(endpoint);
      return endpoint.send('GET', `${CONFIG_MAPS}/x`);
    };

    expect((await as(token)).code).toBe(404);
    expect((await as('wrong')).code).toBe(401);
    expect(await as(viewerToken)).toMatchObject({
      code: 403,
      body: {
        message:
          'configmaps "x" is forbidden: User "sandbox-viewer" cannot get resource "configmaps" in API group "" in the namespace "default"',
      },
    });
  });

  test('listens on this machine only', async () => {
    const sandbox = await start();

    expect(sandbox.cluster('a').server).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  });

  test('refuses bodies that are too large, no JSON, or in another format', async () => {
    const endpoint = connect(await start());
    const large = { ...aConfigMap('default', 'large'), data: { key: 'x'.repeat(4 * 1024 * 1024) } };

    expect((await create(endpoint, CONFIG_MAPS, large)).code).toBe(413);
    expect((await endpoint.send('POST', CONFIG_MAPS, JSON_TYPE, [])).code).toBe(400);
    expect(
      (await endpoint.send('POST', CONFIG_MAPS, 'application/vnd.kubernetes.protobuf', {})).code,
    ).toBe(415);
  });

  test.each([
    { name: 'a created object', how: 'POST', type: JSON_TYPE },
    { name: 'a merge patch', how: 'PATCH', type: 'application/merge-patch+json' },
    { name: 'an apply', how: 'PATCH', type: 'application/apply-patch+yaml' },
  ])('a key __proto__ in $name reaches no prototype', async ({ how, type }) => {
    const endpoint = connect(await start());
    await create(endpoint, CONFIG_MAPS, aConfigMap('default', 'a'));
    const poison = JSON.parse(
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","labels":{"__proto__":{"polluted":"yes"}}},"__proto__":{"polluted":"yes"},"data":{"__proto__":"x","constructor":"y"}}',
    ) as object;

    const name = how === 'POST' ? '' : '/a?fieldManager=m&force=true';
    const answer = await endpoint.send(how, CONFIG_MAPS + name, type, poison);

    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(JSON.stringify(answer.body)).not.toContain('polluted');
  });

  test('a JSON patch cannot reach the prototype either', async () => {
    const endpoint = connect(await start());
    await create(endpoint, CONFIG_MAPS, aConfigMap('default', 'a'));
    const patch = [{ op: 'add', path: '/__proto__/polluted', value: 'yes' }];

    const answer = await endpoint.send(
      'PATCH',
      `${CONFIG_MAPS}/a`,
      'application/json-patch+json',
      patch,
    );

    expect(answer.code).toBe(422);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  test('can be stopped and started, keeping address and objects', async () => {
    const sandbox = await start();
    const cluster = sandbox.cluster('a');
    const before = connect(sandbox);
    await create(before, CONFIG_MAPS, aConfigMap('default', 'kept'));

    await cluster.stop();
    await expect(before.send('GET', '/version')).rejects.toThrow();
    expect(JSON.stringify(sandbox.fleet()[0]?.['status'])).toContain(
      '"type":"Ready","status":"False"',
    );
    await cluster.start();

    expect((await connect(sandbox).send('GET', `${CONFIG_MAPS}/kept`)).code).toBe(200);
  });

  test('as a black hole takes requests and answers none, until it is started', async () => {
    const sandbox = await start();
    const cluster = sandbox.cluster('a');
    const endpoint = connect(sandbox);
    await cluster.stop({ blackHole: true });

    const asked = endpoint.send('GET', '/version');
    while (cluster.requests.length === 0) await new Promise(setImmediate);
    await cluster.start();

    await expect(asked).rejects.toThrow();
    expect((await endpoint.send('GET', '/version')).code).toBe(200);
  });

  test('can be told to fail', async () => {
    const sandbox = await start();
    const endpoint = connect(sandbox);
    const { faults } = sandbox.cluster('a');

    faults.inject(({ method }) =>
      method === 'POST'
        ? { code: 429, reason: 'TooManyRequests', retryAfterSeconds: 2 }
        : undefined,
    );
    expect(await create(endpoint, CONFIG_MAPS, aConfigMap('default', 'a'))).toMatchObject({
      code: 429,
      body: { reason: 'TooManyRequests', details: { retryAfterSeconds: 2 } },
    });
    faults.inject(() => ({ drop: true }));
    await expect(endpoint.send('GET', '/version')).rejects.toThrow();
    faults.inject(undefined);

    expect((await create(endpoint, CONFIG_MAPS, aConfigMap('default', 'a'))).code).toBe(201);
  });

  test('remembers what it was asked', async () => {
    const sandbox = await start();
    const endpoint = connect(sandbox);

    await endpoint.send('GET', '/version');
    await endpoint.send('GET', `${CONFIG_MAPS}/absent`);

    expect(sandbox.cluster('a').requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /version',
      `GET ${CONFIG_MAPS}/absent`,
    ]);
  });

  test('a watch from before the log begins is told to list again', async () => {
    const sandbox = await start();
    const endpoint = connect(sandbox);
    await create(endpoint, CONFIG_MAPS, aConfigMap('default', 'a'));
    sandbox.cluster('a').compact();

    const answer = await endpoint.send('GET', '/api/v1/configmaps?watch=true&resourceVersion=1');

    expect(answer).toMatchObject({
      code: 200,
      body: { type: 'ERROR', object: { code: 410, reason: 'Expired' } },
    });
  });

  test('pages of a list fit together', async () => {
    const endpoint = connect(await start());
    for (const name of ['a', 'b', 'c'])
      await create(endpoint, CONFIG_MAPS, aConfigMap('default', name));
    const page = async (
      token: string,
    ): Promise<{
      metadata: { continue?: string; remainingItemCount?: number };
      items: { metadata: { name: string } }[];
    }> => (await endpoint.send('GET', `${CONFIG_MAPS}?limit=2&continue=${token}`)).body as never;

    const first = await page('');
    const second = await page(first.metadata.continue ?? '');

    expect(first.metadata.remainingItemCount).toBe(1);
    expect([...first.items, ...second.items].map((item) => item.metadata.name)).toEqual([
      'a',
      'b',
      'c',
    ]);
    expect(second.metadata.continue).toBeUndefined();
  });
});

/** The server makes itself ready without being told; a bounded number of questions, no sleep. */
async function untilCode(ask: () => Promise<Answer>, code: number): Promise<void> {
  for (let tries = 0; tries < 2_000; tries++) if ((await ask()).code === code) return;
  throw new Error(`no ${code}`);
}
