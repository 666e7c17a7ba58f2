import { request } from 'node:https';
import { expect, test } from '@jest/globals';
import type { KubeObject } from '../../lib/api/object.js';
import { printDocuments } from '../../lib/providers/source/index.js';
import { aCluster } from '../builders.js';
import { describeWithRig, freshName, type Rig } from '../rig/rig.js';
import { emptyFolder, put, run } from './run.js';

const minute = 60_000;

describeWithRig('drift on a real API server', (rig) => {
  test(
    'kubectl scale is a change of the next plan and refused there; defaults of the server are none',
    async () => {
      const shop = freshName('drift');
      const cwd = emptyFolder();
      put(cwd, 'fleet.yaml', printDocuments([aCluster('member1')]));
      const write = (policy: object): void =>
        put(cwd, 'shop/all.yaml', printDocuments(documents(shop, policy)));
      const flags = `-f shop --fleet fleet.yaml --app ${shop} --no-frozen --kubeconfig ${rig().kubeconfig}`;
      const plan = (): ReturnType<typeof run> =>
        run(`plan ${flags} --live --detailed-exitcode`, { cwd });
      write({});
      expect(await run(`up ${flags} --yes`, { cwd })).toMatchObject({ code: 0 });

      const untouched = await plan();
      await scale(rig(), shop, 4);
      const refused = await plan();
      const stopped = await run(`up ${flags} --yes`, { cwd });
      write({ conflictResolution: 'Overwrite' });
      const counted = await plan();
      const corrected = await run(`up ${flags} --yes`, { cwd });
      const after = await plan();

      expect(untouched).toMatchObject({ code: 0 });
      const conflict = 'member1: .spec.replicas was changed there by "kubectl"';
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(conflict) });
      expect(stopped).toMatchObject({ code: 1, stderr: expect.stringContaining(conflict) });
      expect(stopped.stdout).not.toContain('APPLY_CONFLICT');
      expect(counted).toMatchObject({ code: 2, stdout: expect.stringMatching(/1 to change/) });
      expect(counted.stdout).toContain('.spec.replicas: 2 planned, 4 live  · kubectl');
      expect(corrected).toMatchObject({ code: 0 });
      expect(after).toMatchObject({ code: 0 });
    },
    2 * minute,
  );
});

function documents(namespace: string, policy: object): readonly KubeObject[] {
  const labels = { app: 'web' };
  return [
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', namespace },
      spec: {
        replicas: 2,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: {
            containers: [
              {
                name: 'web',
                image: 'nginx:1.29',
                ports: [{ containerPort: 80 }],
                resources: { requests: { cpu: '0.1', memory: '16Mi' } },
              },
            ],
          },
        },
      },
    },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'web', namespace },
      spec: { selector: labels, ports: [{ port: 80 }] },
    },
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'key', namespace },
      stringData: { password: 'hunter2' },
    },
    {
      apiVersion: 'policy.karmada.io/v1alpha1',
      kind: 'PropagationPolicy',
      metadata: { name: 'web', namespace },
      spec: {
        ...policy,
        resourceSelectors: [
          { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
          { apiVersion: 'v1', kind: 'Service', name: 'web' },
          { apiVersion: 'v1', kind: 'Secret', name: 'key' },
        ],
        placement: { clusterAffinity: { clusterNames: ['member1'] } },
      },
    },
  ];
}

/** What `kubectl scale` sends: an update of the scale subresource. */
function scale(rig: Rig, namespace: string, replicas: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${rig.server('member1')}/apis/apps/v1/namespaces/${namespace}/deployments/web/scale?fieldManager=kubectl`,
      {
        method: 'PATCH',
        rejectUnauthorized: false,
        headers: {
          authorization: `Bearer ${rig.adminToken}`,
          'content-type': 'application/merge-patch+json',
        },
      },
      (response) => {
        response.resume();
        if (response.statusCode === 200) resolve();
        else reject(new Error(`scale: ${response.statusCode ?? 'no answer'}`));
      },
    );
    sent.on('error', reject);
    sent.end(JSON.stringify({ spec: { replicas } }));
  });
}
