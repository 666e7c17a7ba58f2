import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { KubeObject } from '../../lib/api/object.js';
import { connectKubeconfig, type ClusterClient } from '../../lib/providers/cluster/index.js';
import { applyRelease } from '../../lib/providers/rollout/index.js';
import { describeWithRig, freshName } from '../rig/rig.js';
import { aFleet, aNamespace, aRelease, type TestFleet } from '../providers/rollout/releases.js';

/*
 * work#185, argocd-pull-integration#172, addon-framework#116: a definition of a few hundred kilobytes is beyond what an
 * annotation holds, so it cannot be applied by whoever keeps a copy there. It is applied server-side, changed and changed
 * back, and no copy is kept, not even one that the template brought.
 */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** 400 kB, as controller-gen writes them: hundreds of described fields. */
function definition(group: string, note: string): KubeObject {
  const described = (i: number): object => ({
    type: 'string',
    description: `${note} field ${i}: ${'what it is for and what else to know of it. '.repeat(22)}`,
  });
  const properties = Object.fromEntries(
    Array.from({ length: 400 }, (_, i) => [`field${i}`, described(i)]),
  );
  const schema = { type: 'object', properties: { spec: { type: 'object', properties } } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `monitors.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'monitors', singular: 'monitor', kind: 'Monitor', listKind: 'MonitorList' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  };
}

function suite(client: () => ClusterClient): void {
  const group = `${freshName('large')}.example.com`;
  const namespace = freshName('large');
  const monitor: KubeObject = {
    apiVersion: `${group}/v1`,
    kind: 'Monitor',
    metadata: { name: 'web', namespace },
    spec: { field7: 'x' },
  };

  test('it goes first, and an object of it in the same release follows', async () => {
    const large = definition(group, 'first');
    expect(JSON.stringify(large).length).toBeGreaterThan(400_000);

    const result = await applyRelease(
      aRelease('member1', [monitor, aNamespace(namespace), large]),
      client(),
      { deadlineSeconds: 30 },
    );

    expect(result).toMatchObject({ outcome: 'ready', failures: [] });
  }, 60_000);

  test('it is changed in place, without a copy of itself', async () => {
    const result = await applyRelease(
      aRelease('member1', [aNamespace(namespace), definition(group, 'second')]),
      client(),
      { deadlineSeconds: 30 },
    );
    const live = await client().get({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      name: `monitors.${group}`,
    });

    expect(result).toMatchObject({ outcome: 'ready', changed: true });
    expect(JSON.stringify(live?.['spec'])).toContain('second field 399');
    expect(live?.metadata.annotations).not.toHaveProperty([LAST_APPLIED]);
  }, 60_000);
}

describe('on the sandbox', () => {
  let fleet: TestFleet;
  let client: ClusterClient;
  beforeAll(async () => {
    fleet = await aFleet('member1');
    client = await fleet.client('member1');
  });
  afterAll(() => fleet.close());

  suite(() => client);
});

describeWithRig('on a real API server', (rig) => {
  let client: ClusterClient;
  beforeAll(async () => {
    client = await connectKubeconfig({ kubeconfig: { files: [rig().kubeconfig] } })('member1');
  });
  afterAll(() => client.close());

  suite(() => client);
});
