import { readFileSync } from 'node:fs';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';

import { startSandbox, type Sandbox } from '../../lib/providers/sandbox/index.js';
import { describeWithRig } from '../rig/rig.js';
import { aWidgetDefinition } from './objects.js';
import { SAMPLES } from './sandbox-samples.js';
import { comparable, openEndpoint, play, steps, SUBJECTS, type Endpoint } from './sandbox-steps.js';
import { freshName, SLOW } from './subject.js';

/** Sequences per kind. Thousands were compared while the sandbox was written; these keep it that way. */
const SEQUENCES = 25;
const SEED = 20;

describeWithRig('the sandbox answers as a real API server', (rig) => {
  let sandbox: Sandbox;
  let ours: Endpoint;
  let real: Endpoint;
  const namespace = freshName('compare');
  const group = `${freshName('compare')}.example.com`;

  beforeAll(async () => {
    sandbox = await startSandbox({ clusters: [{ name: 'member1' }] });
    ours = openEndpoint(sandbox.kubeconfig);
    real = openEndpoint(readFileSync(rig().kubeconfig, 'utf8'));
    const definition = aWidgetDefinition(group);
    const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    for (const endpoint of [ours, real]) {
      await endpoint.send('POST', '/api/v1/namespaces', JSON_TYPE, {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: namespace },
      });
      await endpoint.send('POST', crds, JSON_TYPE, definition);
      await served(endpoint, `/apis/${group}/v1/namespaces/${namespace}/widgets`);
    }
  }, SLOW);
  afterAll(async () => {
    await Promise.all([ours, real].map((endpoint) => cleanUp(endpoint, namespace)));
    await Promise.all([ours.close(), real.close(), sandbox.close()]);
  }, SLOW);

  describe('to random sequences of writes by three managers', () => {
    test.each(Object.entries(SUBJECTS))(
      '%s',
      async (kind, subject) => {
        const apiVersion = subject.apiVersion ?? `${group}/v1`;
        const root = apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`;
        const collection = `${root}/namespaces/${namespace}/${subject.resource}`;
        let compared = 0;
        for (const sequence of fc.sample(steps(subject), { numRuns: SEQUENCES, seed: SEED })) {
          const name = freshName('o');
          const path = `${collection}/${name}`;
          const identity = { apiVersion, kind, metadata: { name, namespace } };
          for (const [index, step] of sequence.entries()) {
            const wanted = await play(real, path, identity, step);
            const got = await play(ours, path, identity, step);
            expect({ after: sequence.slice(0, index + 1), ...got }).toEqual({
              after: sequence.slice(0, index + 1),
              ...wanted,
            });
            compared += 1;
          }
          await Promise.all([ours, real].map((endpoint) => remove(endpoint, path)));
        }
        expect(compared).toBeGreaterThan(SEQUENCES);
      },
      SLOW,
    );
  });

  describe('with the same defaults and owners, created and applied', () => {
    test.each(
      SAMPLES.map(([apiVersion, resource, kind, body]) => ({ apiVersion, resource, kind, body })),
    )(
      '$kind $body',
      async ({ apiVersion, resource, kind, body }) => {
        const root = apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`;
        for (const how of ['create', 'apply'] as const) {
          const name = freshName('sample');
          const path = `${root}/namespaces/${namespace}/${resource}/${name}`;
          const identity = { apiVersion, kind, metadata: { name, namespace } };
          const step = { manager: 'm-1', how, body };
          const wanted = await play(real, path, identity, step);
          const got = await play(ours, path, identity, step);
          await Promise.all([ours, real].map((endpoint) => remove(endpoint, path)));
          expect(got).toEqual(wanted);
        }
      },
      SLOW,
    );
  });

  test.each([
    { name: 'an absent object', method: 'GET', path: '/api/v1/namespaces/default/pods/absent' },
    { name: 'an absent group', method: 'GET', path: '/apis/no.example.com/v1/things' },
    { name: 'an absent namespace', method: 'GET', path: '/api/v1/namespaces/absent' },
    { name: 'a malformed selector', method: 'GET', path: '/api/v1/pods?labelSelector=a%20in%20b' },
    {
      name: 'a patch of what is absent',
      method: 'PATCH',
      path: '/api/v1/namespaces/default/configmaps/absent',
      type: 'application/merge-patch+json',
      body: {},
    },
    {
      name: 'unknown fields, strictly',
      method: 'POST',
      path: '/apis/apps/v1/namespaces/default/deployments?fieldValidation=Strict',
      type: 'application/json',
      body: { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'a' }, spec: { x: 1 } },
    },
    {
      name: 'an apply without manager',
      method: 'PATCH',
      path: '/api/v1/namespaces/default/configmaps/a',
      type: 'application/apply-patch+yaml',
      body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } },
    },
    {
      name: 'an empty Deployment',
      method: 'POST',
      path: '/apis/apps/v1/namespaces/default/deployments',
      type: 'application/json',
      body: {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'a' },
        spec: { template: {} },
      },
    },
  ])('with the same words: $name', async ({ method, path, type, body }) => {
    const wanted = await real.send(method, path, type, body);
    const got = await ours.send(method, path, type, body);

    expect({ code: got.code, body: comparable(got.body) }).toEqual({
      code: wanted.code,
      body: comparable(wanted.body),
    });
  });
});

const JSON_TYPE = 'application/json';

/** A new kind is served a moment after its definition is there. */
async function served(endpoint: Endpoint, path: string): Promise<void> {
  for (let tries = 0; tries < 500; tries++) {
    if ((await endpoint.send('GET', path)).code === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`${path} is not served`);
}

/** Real clusters of the rig have few service addresses: objects go as soon as they were compared. */
async function remove(endpoint: Endpoint, path: string): Promise<void> {
  const bare = { metadata: { finalizers: null } };
  await endpoint.send('PATCH', path, 'application/merge-patch+json', bare);
  await endpoint.send('DELETE', path);
}

async function cleanUp(endpoint: Endpoint, namespace: string): Promise<void> {
  await endpoint.send('DELETE', `/api/v1/namespaces/${namespace}`);
}
