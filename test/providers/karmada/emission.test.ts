import { expect, test } from '@jest/globals';
import type { KubeObject } from '../../../lib/api/object.js';
import { toKarmadaDocuments } from '../../../lib/providers/karmada/index.js';
import { aDeployment, aPolicy } from './documents.js';
import { ONE, Site } from './site.js';

const anObject = (apiVersion: string, kind: string, spec: object = {}): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name: 'x', namespace: 'shop' },
  spec,
});

const ACTING: readonly (readonly [string, string])[] = [
  ['apps.karmada.io/v1alpha1', 'WorkloadRebalancer'],
  ['autoscaling.karmada.io/v1alpha1', 'CronFederatedHPA'],
  ['autoscaling.karmada.io/v1alpha1', 'FederatedHPA'],
  ['networking.karmada.io/v1alpha1', 'MultiClusterIngress'],
  ['networking.karmada.io/v1alpha1', 'MultiClusterService'],
  ['policy.karmada.io/v1alpha1', 'ClusterTaintPolicy'],
  ['policy.karmada.io/v1alpha1', 'FederatedResourceQuota'],
  ['remedy.karmada.io/v1alpha1', 'Remedy'],
];

test.each(ACTING)('%s %s goes to the control plane as it is', (apiVersion, kind) => {
  const object = anObject(apiVersion, kind, { any: { field: 1 } });

  const groups = toKarmadaDocuments([object]);

  expect(groups).toEqual({
    foundations: [],
    settings: [],
    overrides: [],
    policies: [],
    templates: [],
    acting: [object],
  });
});

test.each([
  ['fleetwright.dev/v1alpha1', 'Rollout'],
  ['cluster.karmada.io/v1alpha1', 'Cluster'],
  ['work.karmada.io/v1alpha2', 'ResourceBinding'],
  ['work.karmada.io/v1alpha1', 'Work'],
])('%s %s stays behind: ours, or written by the control plane itself', (apiVersion, kind) => {
  expect(Object.values(toKarmadaDocuments([anObject(apiVersion, kind)])).flat()).toEqual([]);
});

test('what acts by itself steps no policy: only it is written', async () => {
  const cron = (replicas: number): KubeObject =>
    anObject('autoscaling.karmada.io/v1alpha1', 'CronFederatedHPA', {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      rules: [{ name: 'morning', schedule: '0 9 * * *', targetReplicas: replicas }],
    });
  const site = await Site.running();
  try {
    await site.plane.serve('autoscaling/autoscaling.karmada.io_cronfederatedhpas.yaml');

    for (const replicas of [9, 12])
      expect((await site.up([aPolicy(), aDeployment(ONE), cron(replicas)])).outcome).toBe('done');

    expect(site.writes()).toEqual([
      'fleetwright cronfederatedhpas/x',
      'fleetwright cronfederatedhpas/x',
    ]);
    expect(site.arrived()).toEqual([]);
  } finally {
    await site.plane.close();
  }
}, 60_000);
