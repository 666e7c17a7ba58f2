import { generateKeyPairSync } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Agent, request } from 'undici';

import type { KubeObject } from '../../lib/api/object.js';
import { connectKubeconfig, type ClusterClient } from '../../lib/providers/cluster/index.js';
import { aDeployment } from '../contract/objects.js';
import { at, freshNamespace, SLOW, until, untilObject } from '../contract/subject.js';
import { describeWithRig } from './rig.js';
import { aSigningRequest } from './signing-request.js';

describeWithRig('the rig', (rig) => {
  let client: ClusterClient;
  let namespace: string;
  const insecure = new Agent({ connect: { rejectUnauthorized: false } });
  beforeAll(async () => {
    client = await connectKubeconfig({ kubeconfig: { files: [rig().kubeconfig] } })('member1');
    namespace = await freshNamespace(client);
  });
  afterAll(async () => {
    await client.close();
    await insecure.close();
  });

  /** What our client does not do: subresources, other tokens. */
  const send = async (
    method: 'GET' | 'PATCH' | 'PUT',
    path: string,
    body?: object,
    token = rig().adminToken,
  ): Promise<unknown> => {
    const answer = await request(`${rig().server('member1')}${path}`, {
      dispatcher: insecure,
      method,
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return answer.body.json();
  };

  test('has three clusters whose audit logs can be read', () => {
    const { clusters, auditLog } = rig();

    expect(clusters).toEqual(['member1', 'member2', 'member3']);
    const nodes = auditLog('member1').filter(
      (event) => event.verb === 'create' && event.objectRef?.resource === 'nodes',
    );
    expect(nodes.map((event) => event.user.username)).toEqual(['rig-kubelet', 'rig-kubelet']);
  });

  test(
    'its audit logs tell our writes from those of controllers, in order',
    async () => {
      const name = 'audited';
      await client.apply(aDeployment(namespace, name, { replicas: 1 }));
      const ref = { apiVersion: 'apps/v1', kind: 'Deployment', namespace, name };
      await untilObject(client, ref, (object) => at(object, 'status.readyReplicas') === 1);

      const writes = rig()
        .auditLog('member1')
        .filter(
          ({ objectRef, verb }) =>
            objectRef?.namespace === namespace && objectRef.name === name && verb !== 'get',
        );

      const told = writes.map(({ verb, userAgent, objectRef }) => [
        verb,
        userAgent?.split('/')[0],
        objectRef?.subresource ?? '',
      ]);
      expect(told[0]).toEqual(['patch', 'fleetwright', '']);
      expect(told.at(-1)).toEqual(['update', 'kube-controller-manager', 'status']);
    },
    SLOW,
  );

  test(
    'an autoscaler scales by what pods say they use',
    async () => {
      const name = 'scaled';
      const podAnnotations = { 'rig/cpu-usage': '90m' };
      const container = { resources: { requests: { cpu: '100m' } } };
      await client.apply(aDeployment(namespace, name, { replicas: 1, podAnnotations, container }));
      await client.apply({
        apiVersion: 'autoscaling/v2',
        kind: 'HorizontalPodAutoscaler',
        metadata: { namespace, name },
        spec: {
          scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
          minReplicas: 1,
          maxReplicas: 3,
          metrics: [
            {
              type: 'Resource',
              resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 30 } },
            },
          ],
        },
      });

      const ref = { apiVersion: 'apps/v1', kind: 'Deployment', namespace, name };
      const scaled = await untilObject(
        client,
        ref,
        (object) => at(object, 'status.readyReplicas') === 3,
      );

      expect(at(scaled, 'spec.replicas')).toBe(3);
      const owners = scaled.metadata.managedFields as readonly {
        subresource?: string;
        fieldsV1: object;
      }[];
      expect(owners.find(({ subresource }) => subresource === 'scale')?.fieldsV1).toEqual({
        'f:spec': { 'f:replicas': {} },
      });
    },
    SLOW,
  );

  test(
    'a disruption budget counts its pods',
    async () => {
      const name = 'budget';
      await client.apply(aDeployment(namespace, name, { replicas: 3 }));
      await client.apply({
        apiVersion: 'policy/v1',
        kind: 'PodDisruptionBudget',
        metadata: { namespace, name },
        spec: { minAvailable: 2, selector: { matchLabels: { app: name } } },
      });

      const ref = { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', namespace, name };
      const counted = await untilObject(
        client,
        ref,
        (object) => at(object, 'status.currentHealthy') === 3,
      );

      expect(counted['status']).toMatchObject({
        expectedPods: 3,
        desiredHealthy: 2,
        disruptionsAllowed: 1,
      });
    },
    SLOW,
  );

  test(
    'a CronJob starts its Job when a time has passed',
    async () => {
      const pod = {
        spec: {
          restartPolicy: 'Never',
          containers: [{ name: 'app', image: 'registry.example/app:1' }],
        },
      };
      await client.apply({
        apiVersion: 'batch/v1',
        kind: 'CronJob',
        metadata: { namespace, name: 'nightly' },
        spec: { schedule: '* * * * *', jobTemplate: { spec: { template: pod } } },
      });
      // As if it had last run ten minutes ago: the controller makes good for the time it missed, and the test need not wait a minute.
      const lastScheduleTime = `${new Date(Date.now() - 600_000).toISOString().slice(0, 19)}Z`;
      await send('PATCH', `/apis/batch/v1/namespaces/${namespace}/cronjobs/nightly/status`, {
        status: { lastScheduleTime },
      });

      const job = await until(client, { apiVersion: 'batch/v1', kind: 'Job' }, namespace, (jobs) =>
        jobs.find(
          (one) => one.metadata.name?.startsWith('nightly-') && at(one, 'status.succeeded') === 1,
        ),
      );

      expect(at(job, 'metadata.ownerReferences.0.kind')).toBe('CronJob');
    },
    SLOW,
  );

  describe('what lets clusters join', () => {
    test(
      'an approved request for a client certificate is signed by an authority that the server trusts',
      async () => {
        const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
        const name = `${namespace}-csr`;
        const created = await client.apply({
          apiVersion: 'certificates.k8s.io/v1',
          kind: 'CertificateSigningRequest',
          metadata: { name },
          spec: {
            request: Buffer.from(aSigningRequest('ann', keys)).toString('base64'),
            signerName: 'kubernetes.io/kube-apiserver-client',
            usages: ['client auth'],
          },
        });
        const approved = { type: 'Approved', status: 'True', reason: 'Test', message: 'yes' };
        await send(
          'PUT',
          `/apis/certificates.k8s.io/v1/certificatesigningrequests/${name}/approval`,
          {
            ...created,
            status: { conditions: [approved] },
          },
        );

        const ref = {
          apiVersion: 'certificates.k8s.io/v1',
          kind: 'CertificateSigningRequest',
          name,
        };
        const signed = await untilObject(
          client,
          ref,
          (object) => at(object, 'status.certificate') !== undefined,
        );
        const cert = Buffer.from(String(at(signed, 'status.certificate')), 'base64');
        const ann = new Agent({
          connect: {
            rejectUnauthorized: false,
            cert,
            key: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }),
          },
        });
        const answer = await request(`${rig().server('member1')}/api/v1/pods`, { dispatcher: ann });

        expect(await answer.body.json()).toMatchObject({
          code: 403,
          message: expect.stringContaining('User "ann"'),
        });
        await ann.close();
      },
      SLOW,
    );

    test(
      'a bootstrap token signs in, and signs cluster-info',
      async () => {
        const token: KubeObject = {
          apiVersion: 'v1',
          kind: 'Secret',
          metadata: { namespace: 'kube-system', name: 'bootstrap-token-abcdef' },
          type: 'bootstrap.kubernetes.io/token',
          stringData: {
            'token-id': 'abcdef',
            'token-secret': '0123456789abcdef',
            'usage-bootstrap-authentication': 'true',
            'usage-bootstrap-signing': 'true',
          },
        };
        await client.apply(token);
        await client.apply({
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { namespace: 'kube-public', name: 'cluster-info' },
          data: { kubeconfig: 'clusters: []' },
        });

        const ref = {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          namespace: 'kube-public',
          name: 'cluster-info',
        };
        const signed = await untilObject(
          client,
          ref,
          (object) => at(object, 'data.jws-kubeconfig-abcdef') !== undefined,
        );

        expect(String(at(signed, 'data.jws-kubeconfig-abcdef'))).toMatch(/^[\w-]+\.\.[\w-]+$/);
        const answer = await send('GET', '/api/v1/pods', undefined, 'abcdef.0123456789abcdef');
        expect(answer).toMatchObject({
          message: expect.stringContaining('User "system:bootstrap:abcdef"'),
        });
      },
      SLOW,
    );
  });
});
