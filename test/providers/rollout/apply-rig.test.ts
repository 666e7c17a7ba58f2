import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { KubeObject } from '../../../lib/api/object.js';
import { refOf } from '../../../lib/engine/object.js';
import type { Release } from '../../../lib/engine/plan.js';
import {
  connectKubeconfig,
  type ClusterClient,
  type Connect,
} from '../../../lib/providers/cluster/index.js';
import { applyRelease } from '../../../lib/providers/rollout/index.js';
import { describeWithRig, freshName } from '../../rig/rig.js';
import { aConfigMap, aDeployment, aManifest, aNamespace, aRelease } from './releases.js';
import { aWebhook } from './webhook.js';

jest.setTimeout(180_000);

describeWithRig('applying to a real API server', (rig) => {
  let client: ClusterClient;
  let connect: Connect;
  const used: string[] = [];
  const fresh = (prefix: string): string => {
    const name = freshName(prefix);
    used.push(name);
    return name;
  };
  beforeAll(async () => {
    connect = connectKubeconfig({ kubeconfig: { files: [rig().kubeconfig] } });
    client = await connect('member1');
  });
  afterAll(async () => {
    for (const name of used) await client.delete(refOf(aNamespace(name)));
    await client.close();
  });

  const release = (name: string, ...objects: Parameters<typeof aRelease>[1]): Release =>
    aRelease('member1', [aNamespace(name), ...objects], { application: name });

  test('a Deployment with another selector is replaced, pods and all, and only as planned', async () => {
    const name = fresh('replaced');
    const before = aDeployment('web', { namespace: name });
    const after = withLabels(before, { app: 'web', tier: 'front' });
    await applyRelease(release(name, before), client, { deadlineSeconds: 60 });
    const old = await client.get(refOf(before));

    const refused = await applyRelease(release(name, after), client);
    const replaced = await applyRelease(
      release(name, aManifest(after, { action: 'replace' })),
      client,
      { deadlineSeconds: 60 },
    );

    expect(refused.failures).toMatchObject([
      { code: 'FIELD_IMMUTABLE', message: expect.stringContaining('(.spec.selector)') },
    ]);
    expect(replaced).toMatchObject({ outcome: 'ready', failures: [] });
    const made = await client.get(refOf(before));
    expect(made?.metadata.uid).not.toBe(old?.metadata.uid);
  });

  test('what does not go is named with its finalizer at the deadline, and nothing is made in its place', async () => {
    const name = fresh('held');
    const job = (image: string, finalizers: readonly string[]): KubeObject => ({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'migrate', namespace: name, finalizers: [...finalizers] },
      spec: {
        suspend: true,
        template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image }] } },
      },
    });
    const held = job('a', ['example.io/held']);
    await applyRelease(release(name, held), client, { deadlineSeconds: 1 });

    const { failures } = await applyRelease(
      release(name, aManifest(job('b', ['example.io/held']), { action: 'replace' })),
      client,
      { deadlineSeconds: 1 },
    );

    expect(failures).toMatchObject([
      {
        code: 'OBJECT_NOT_READY',
        message: expect.stringContaining('waits for the finalizer "example.io/held"'),
      },
    ]);
    await client.apply(job('a', []), { force: true });
  });

  test("another application's object stops everything before the first write", async () => {
    const name = fresh('owned');
    const env = aConfigMap('env', { MODE: 'a' }, name);
    await client.apply(aNamespace(name), { fieldManager: 'kubectl' });
    await client.apply({
      ...env,
      metadata: {
        ...env.metadata,
        labels: { 'applyset.kubernetes.io/part-of': 'applyset-theirs-v1' },
        annotations: { 'fleetwright.dev/application': 'billing' },
      },
    });

    const { failures, changed } = await applyRelease(release(name, env), client);

    expect(changed).toBe(false);
    expect(failures).toMatchObject([
      {
        code: 'APPLY_CONFLICT',
        message: expect.stringContaining(`"billing", not by application "${name}"`),
      },
    ]);
    const set = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default' };
    expect(await client.get({ ...set, name: `fleetwright-${name}` })).toBeUndefined();
  });

  test('an Ingress that nobody serves is told as such at the deadline, and passes with its waiver', async () => {
    const name = fresh('ingress');
    const ingress = (annotations: Record<string, string> = {}): KubeObject => ({
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { name: 'web', namespace: name, annotations },
      spec: { defaultBackend: { service: { name: 'web', port: { number: 80 } } } },
    });

    const waiting = await applyRelease(release(name, ingress()), client, { deadlineSeconds: 1 });
    const waived = await applyRelease(
      release(name, ingress({ 'fleetwright.dev/readiness': 'ignore' })),
      client,
      { deadlineSeconds: 10 },
    );

    expect(waiting.failures).toMatchObject([
      {
        code: 'OBJECT_NOT_READY',
        message: expect.stringMatching(
          /no class, and the cluster has no default IngressClass; .*fleetwright\.dev\/readiness: ignore/,
        ),
      },
    ]);
    expect(waived).toMatchObject({ outcome: 'ready', failures: [] });
  });

  test('a webhook that is not up yet is waited for, longer than a cluster that is silent', async () => {
    const name = fresh('webhook');
    await client.apply(aNamespace(name), { fieldManager: 'kubectl' });
    const webhook = await aWebhook(name, name);
    const env = aConfigMap('env', { MODE: 'a' }, name);
    const refused = { ...env, metadata: { ...env.metadata, name: 'probe' } };
    await client.apply(webhook.configuration);
    try {
      await untilRefused(client, refused);
      let answers = 0;
      const counting: ClusterClient = {
        ...client,
        apply: async (...args) => {
          try {
            return await client.apply(...args);
          } catch (error) {
            if ((answers += 1) === 4) await webhook.start();
            throw error;
          }
        },
      };

      const result = await applyRelease(release(name, env), counting, {
        deadlineSeconds: 60,
        // No patience at all with a cluster that does not answer: this one does.
        unreachableSeconds: 0.5,
      });

      expect(result).toMatchObject({ outcome: 'ready', failures: [] });
      expect(webhook.asked()).toBeGreaterThan(0);
      expect(answers).toBe(4);
    } finally {
      await client.delete(refOf(webhook.configuration));
      await webhook.close();
    }
  });

  test('a webhook that never comes up is told as a refusal of the object, at the deadline', async () => {
    const name = fresh('no-webhook');
    await client.apply(aNamespace(name), { fieldManager: 'kubectl' });
    const webhook = await aWebhook(name, name);
    await client.apply(webhook.configuration);
    try {
      const env = aConfigMap('env', { MODE: 'a' }, name);
      await untilRefused(client, env);

      const { failures } = await applyRelease(release(name, env), client, {
        deadlineSeconds: 2,
        unreachableSeconds: 0.3,
      });

      expect(failures).toMatchObject([
        { code: 'APPLY_REFUSED', message: expect.stringContaining('failed calling webhook') },
      ]);
    } finally {
      await client.delete(refOf(webhook.configuration));
    }
  });

  test('a namespace that is going is waited for and made anew; at the deadline it says what is still in it', async () => {
    const name = fresh('terminating');
    const held = (finalizers: readonly string[]): KubeObject => {
      const object = aConfigMap('held', { MODE: 'a' }, name);
      return { ...object, metadata: { ...object.metadata, finalizers: [...finalizers] } };
    };
    const theirs = { fieldManager: 'kubectl' };
    await client.apply(aNamespace(name), theirs);
    await client.apply(held(['example.io/held']), theirs);
    await client.delete(refOf(aNamespace(name)));
    const ours = release(name, aConfigMap('env', { MODE: 'a' }, name));

    const late = await applyRelease(ours, client, { deadlineSeconds: 8 });
    const waiting = applyRelease(ours, client, { deadlineSeconds: 60 });
    await client.apply(held([]), theirs);
    const done = await waiting;

    expect(late.failures).toMatchObject([
      {
        code: 'OBJECT_NOT_READY',
        message: expect.stringContaining('example.io/held in 1 resource'),
      },
    ]);
    expect(done).toMatchObject({ outcome: 'ready', failures: [] });
  });

  test('a definition is established and its kind discovered before its objects follow', async () => {
    const name = fresh('widgets');
    const group = `${name}.example.io`;
    const definition = aDefinition(group);
    const widget: KubeObject = {
      apiVersion: `${group}/v1`,
      kind: 'Widget',
      metadata: { name: 'one', namespace: name },
      spec: { size: 1 },
    };
    // Discovered before the kind is there.
    await client.discover({ refresh: true });
    try {
      const result = await applyRelease(release(name, widget, definition), client, {
        deadlineSeconds: 30,
      });

      expect(result).toMatchObject({ outcome: 'ready', failures: [] });
      expect(await client.get(refOf(widget))).toMatchObject({ spec: { size: 1 } });
    } finally {
      await client.delete(refOf(definition));
    }
  });
});

function withLabels(object: KubeObject, labels: Record<string, string>): KubeObject {
  const spec = object['spec'] as { template: { metadata: object } };
  const metadata = { ...spec.template.metadata, labels };
  return {
    ...object,
    spec: {
      ...spec,
      selector: { matchLabels: labels },
      template: { ...spec.template, metadata },
    },
  };
}

function aDefinition(group: string): KubeObject {
  const schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `widgets.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  };
}

/** A server takes a moment to learn of its webhooks. */
async function untilRefused(client: ClusterClient, object: KubeObject): Promise<void> {
  for (;;) {
    const isRefused = await client
      .apply(object, { dryRun: true })
      .then(() => false)
      .catch(() => true);
    if (isRefused) return;
  }
}
