import { expect, test } from '@jest/globals';
import type { Cluster } from '../../lib/api/cluster.js';
import type { KubeObject } from '../../lib/api/object.js';
import { plaintextOverrider, type Overriders } from '../../lib/api/overriders.js';
import type { Placement } from '../../lib/api/placement.js';
import type { PropagationPolicy } from '../../lib/api/propagation-policy.js';

test('types of documents are read-only, absent means absent, and a kind is a KubeObject', () => {
  const placement: Placement = { clusterAffinity: { clusterNames: ['eu-1'] } };
  const policy: PropagationPolicy = {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'PropagationPolicy',
    metadata: { name: 'web', namespace: 'shop' },
    spec: { resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment' }], placement },
  };
  const object: KubeObject = policy;
  const again = object as PropagationPolicy;
  const names: readonly string[] | undefined = placement.clusterAffinity?.clusterNames;
  const cpu = (cluster: Cluster): string | number | undefined =>
    cluster.status?.resourceSummary?.allocatable?.['cpu'];
  // @ts-expect-error read-only
  const _write = (): string => (policy.spec.resourceSelectors[0]!.kind = 'Job');
  // @ts-expect-error exactOptionalPropertyTypes: absent, not undefined
  const _undefined: Placement = { clusterAffinity: undefined };
  const override: Overriders = { plaintext: [{ operator: 'remove', path: '/spec/replicas' }] };

  expect([again.spec.resourceSelectors.length, names, typeof cpu]).toEqual([
    1,
    ['eu-1'],
    'function',
  ]);
  expect(override.plaintext?.every((p) => plaintextOverrider.safeParse(p).success)).toBe(true);
});
