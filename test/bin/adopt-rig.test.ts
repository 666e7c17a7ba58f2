import { request } from 'node:https';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { KubeObject } from '../../lib/api/object.js';
import { connectKubeconfig, type ClusterClient } from '../../lib/providers/cluster/index.js';
import { describeWithRig, freshName, type Rig } from '../rig/rig.js';
import { emptyFolder, read, run } from './run.js';

const minute = 60_000;
const CLUSTERS = ['member1', 'member2'] as const;

describeWithRig('adopt on real API servers with controllers', (rig) => {
  const clients: ClusterClient[] = [];
  beforeAll(async () => {
    const open = connectKubeconfig({ kubeconfig: { files: [rig().kubeconfig] } });
    for (const cluster of CLUSTERS) clients.push(await open(cluster));
  });
  afterAll(async () => {
    for (const client of clients) await client.close();
  });

  test(
    'what two other managers made, with small differences, is taken over without a restart',
    async () => {
      const shop = freshName('taken');
      const [one, two] = clients as [ClusterClient, ClusterClient];
      // `kubectl create` on the first cluster, `kubectl apply --server-side` on the second.
      await one.apply(namespace(shop), { fieldManager: 'setup' });
      for (const object of objects(shop, { replicas: 2, tag: '1.29', mode: 'a' }))
        await create(rig(), 'member1', object);
      await two.apply(namespace(shop), { fieldManager: 'setup' });
      for (const object of objects(shop, { replicas: 3, tag: '1.28', mode: 'b' }))
        await two.apply(object, { fieldManager: 'kubectl' });
      await expectPods(one, shop, 2 + 1);
      await expectPods(two, shop, 3 + 1);
      const pods = [await uidsOf(one, shop), await uidsOf(two, shop)];
      const cwd = emptyFolder();

      const flags = `--context member1 --context member2 -n ${shop} --app ${shop} --kubeconfig ${rig().kubeconfig}`;
      const adopted = await run(`adopt ${flags} --out adopted`, { cwd });

      expect(adopted.stderr).not.toMatch(/^error/m);
      expect(adopted.code).toBe(0);
      expect(adopted.stdout).not.toMatch(/^ {2}[~+] /m);
      expect(adopted.stdout).toMatch(/= member1 {2}stays as it is · written by .*kubectl-create/);
      expect(read(cwd, 'adopted/policies/overrides.yaml')).toContain('component: Tag');

      const up = await run(`up --kubeconfig ${rig().kubeconfig} --yes`, {
        cwd: join(cwd, 'adopted'),
      });

      expect(up.stdout).toContain('Done after');
      expect(up.code).toBe(0);
      expect([await uidsOf(one, shop), await uidsOf(two, shop)]).toEqual(pods);
      for (const client of clients) {
        const web = await client.get({ ...DEPLOYMENT, namespace: shop, name: 'web' });
        expect(fieldsOfManager(web, 'fleetwright')).toMatchObject({
          'f:replicas': {},
          'f:template': {
            'f:spec': { 'f:containers': { 'k:{"name":"web"}': { 'f:image': {} } } },
          },
        });
      }
      const check = await run(`adopt --check --kubeconfig ${rig().kubeconfig} --out adopted`, {
        cwd,
      });
      expect(check.code).toBe(0);
      expect(check.stdout).not.toMatch(/^ {2}[~+] /m);
    },
    2 * minute,
  );
});

const DEPLOYMENT = { apiVersion: 'apps/v1', kind: 'Deployment' } as const;

function namespace(name: string): KubeObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
}

/** One of each kind that people have: with allocated addresses, ports, defaults, and pods. */
function objects(
  shop: string,
  facts: { readonly replicas: number; readonly tag: string; readonly mode: string },
): readonly KubeObject[] {
  const named = (apiVersion: string, kind: string, name: string, rest: object): KubeObject => ({
    apiVersion,
    kind,
    metadata: { name, namespace: shop, labels: { app: name } },
    ...rest,
  });
  const pod = (name: string, image: string): object => ({
    metadata: { labels: { app: name } },
    spec: {
      serviceAccountName: 'web',
      containers: [
        {
          name,
          image,
          ports: [{ containerPort: 80 }],
          env: [{ name: 'MODE', valueFrom: { configMapKeyRef: { name: 'env', key: 'MODE' } } }],
          resources: { requests: { cpu: '0.1', memory: '16Mi' } },
        },
      ],
    },
  });
  const selector = (name: string): object => ({ matchLabels: { app: name } });
  return [
    named('v1', 'ServiceAccount', 'web', {}),
    named('v1', 'ConfigMap', 'env', { data: { MODE: facts.mode } }),
    named('v1', 'Secret', 'key', { stringData: { password: 'hunter2' } }),
    named('v1', 'Service', 'web', {
      spec: { type: 'NodePort', selector: { app: 'web' }, ports: [{ port: 80 }] },
    }),
    named('v1', 'Service', 'db', {
      spec: { clusterIP: 'None', selector: { app: 'db' }, ports: [{ port: 5432 }] },
    }),
    named('apps/v1', 'Deployment', 'web', {
      spec: {
        replicas: facts.replicas,
        selector: selector('web'),
        template: pod('web', `nginx:${facts.tag}`),
      },
    }),
    named('apps/v1', 'StatefulSet', 'db', {
      spec: {
        serviceName: 'db',
        replicas: 1,
        selector: selector('db'),
        template: pod('db', 'postgres:17'),
        volumeClaimTemplates: [
          {
            metadata: { name: 'data' },
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
          },
        ],
      },
    }),
    named('batch/v1', 'CronJob', 'tidy', {
      spec: {
        schedule: '0 3 * * *',
        jobTemplate: {
          spec: {
            template: {
              spec: {
                restartPolicy: 'Never',
                containers: [{ name: 'tidy', image: 'busybox:1.37' }],
              },
            },
          },
        },
      },
    }),
    named('networking.k8s.io/v1', 'NetworkPolicy', 'web', {
      spec: { podSelector: selector('web'), ingress: [{ ports: [{ port: 80 }] }] },
    }),
  ];
}

const RESOURCES: Readonly<Record<string, string>> = {
  'v1/ServiceAccount': '/api/v1/namespaces/*/serviceaccounts',
  'v1/ConfigMap': '/api/v1/namespaces/*/configmaps',
  'v1/Secret': '/api/v1/namespaces/*/secrets',
  'v1/Service': '/api/v1/namespaces/*/services',
  'apps/v1/Deployment': '/apis/apps/v1/namespaces/*/deployments',
  'apps/v1/StatefulSet': '/apis/apps/v1/namespaces/*/statefulsets',
  'batch/v1/CronJob': '/apis/batch/v1/namespaces/*/cronjobs',
  'networking.k8s.io/v1/NetworkPolicy': '/apis/networking.k8s.io/v1/namespaces/*/networkpolicies',
};

/** A POST, as `kubectl create` makes it: the server records an `Update` with every default in it. */
function create(rig: Rig, cluster: string, object: KubeObject): Promise<void> {
  const { namespace: shop = '' } = object.metadata;
  const path = (RESOURCES[`${object.apiVersion}/${object.kind}`] ?? '').replace('*', shop);
  return new Promise((resolve, reject) => {
    const sent = request(
      `${rig.server(cluster)}${path}?fieldManager=kubectl-create`,
      {
        method: 'POST',
        rejectUnauthorized: false,
        headers: {
          authorization: `Bearer ${rig.adminToken}`,
          'content-type': 'application/json',
        },
      },
      (response) => {
        response.resume();
        if (response.statusCode === 201) resolve();
        else reject(new Error(`${object.kind}: ${response.statusCode ?? 'no answer'}`));
      },
    );
    sent.on('error', reject);
    sent.end(JSON.stringify(object));
  });
}

const POD = { apiVersion: 'v1', kind: 'Pod' } as const;

async function uidsOf(client: ClusterClient, shop: string): Promise<readonly string[]> {
  return (await client.list(POD, { namespace: shop }))
    .map(({ metadata }) => metadata.uid ?? '')
    .sort();
}

async function expectPods(client: ClusterClient, shop: string, wanted: number): Promise<void> {
  const enough = new AbortController();
  const pods = new Set<unknown>();
  for await (const event of client.watch(POD, { namespace: shop }, enough.signal)) {
    for (const { metadata } of event.type === 'LISTED' ? event.objects : [event.object])
      pods.add(metadata.uid);
    if (pods.size >= wanted) enough.abort();
  }
}

function fieldsOfManager(object: KubeObject | undefined, manager: string): unknown {
  const entries = (object?.metadata.managedFields ?? []) as readonly {
    readonly manager?: string;
    readonly operation?: string;
    readonly fieldsV1?: Readonly<Record<string, unknown>>;
  }[];
  const entry = entries.find((one) => one.manager === manager && one.operation === 'Apply');
  return entry?.fieldsV1?.['f:spec'];
}
