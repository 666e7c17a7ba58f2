import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { KubeObject } from '../../../lib/api/object.js';
import { defineInterpreter, type Interpreter } from '../../../lib/engine/interpret/index.js';
import { withMemberFields } from '../../../lib/engine/render/index.js';
import { connectKubeconfig, type ClusterClient } from '../../../lib/providers/cluster/index.js';
import { interpretersFrom } from '../../../lib/providers/lua/index.js';
import { fromWire, toWire } from '../../../lib/providers/pulumi/release-wire.js';
import { applyRelease, type ReleaseResult } from '../../../lib/providers/rollout/index.js';
import { describeWithRig, freshName } from '../../rig/rig.js';
import { aFleet, aNamespace, aRelease, type TestFleet } from '../rollout/releases.js';

const CLUSTER = 'member1';

interface Spec {
  readonly nodes?: number;
  readonly zone?: string;
  readonly image: string;
}

const RETAIN = `
  function Retain(desiredObj, observedObj)
    desiredObj.spec.nodes = observedObj.spec.nodes
    if observedObj.spec.zone ~= nil then
      desiredObj.spec.zone = observedObj.spec.zone
    end
    return desiredObj
  end`;

function taught(group: string, script: string): readonly Interpreter[] {
  const customization = {
    apiVersion: 'config.karmada.io/v1alpha1',
    kind: 'ResourceInterpreterCustomization',
    metadata: { name: 'cache' },
    spec: {
      target: { apiVersion: `${group}/v1`, kind: 'Cache' },
      customizations: { retention: { luaScript: script } },
    },
  };
  return interpretersFrom([{ object: customization }]).interpreters;
}

function definition(group: string): KubeObject {
  const schema = {
    type: 'object',
    properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `caches.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'caches', singular: 'cache', kind: 'Cache', listKind: 'CacheList' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  };
}

/** The same life on the sandbox and on a real API server. */
function suite(client: () => ClusterClient): void {
  const group = `${freshName('retain')}.example.com`;
  const namespace = freshName('retain');
  const ref = { apiVersion: `${group}/v1`, kind: 'Cache', namespace, name: 'sessions' };
  const cache = (spec: Spec): KubeObject => ({
    apiVersion: ref.apiVersion,
    kind: ref.kind,
    metadata: { name: ref.name, namespace },
    spec,
  });
  const apply = (spec: Spec, interpreters: readonly Interpreter[]): Promise<ReleaseResult> =>
    applyRelease(releaseOf(cache(spec)), client(), { interpreters });
  const releaseOf = (object: KubeObject): ReturnType<typeof aRelease> =>
    aRelease(CLUSTER, [definition(group), aNamespace(namespace), object]);
  const specOf = async (): Promise<unknown> => (await client().get(ref))?.['spec'];
  const scaledTo = (nodes: number): Promise<KubeObject> =>
    client().apply(
      { ...cache({ image: '' }), spec: { nodes } },
      {
        fieldManager: 'cache-autoscaler',
        force: true,
      },
    );

  test('a new object is applied whole', async () => {
    const result = await apply({ nodes: 3, zone: 'a', image: 'cache:1' }, taught(group, RETAIN));

    expect(result).toMatchObject({ outcome: 'ready', failures: [] });
    expect(await specOf()).toEqual({ nodes: 3, zone: 'a', image: 'cache:1' });
  });

  test('what a controller of the cluster changed stays, while the rest is updated', async () => {
    await scaledTo(5);

    const result = await apply({ nodes: 4, zone: 'a', image: 'cache:2' }, taught(group, RETAIN));

    expect(result).toMatchObject({ outcome: 'ready', failures: [] });
    expect(await specOf()).toEqual({ nodes: 5, zone: 'a', image: 'cache:2' });
  });

  test('a field that only we own is handed over, not reset', async () => {
    await apply({ nodes: 4, zone: 'b', image: 'cache:3' }, taught(group, RETAIN));

    expect(await specOf()).toEqual({ nodes: 5, zone: 'a', image: 'cache:3' });
  });

  test('nothing is written when only retained fields differ', async () => {
    const again = await apply({ nodes: 4, zone: 'b', image: 'cache:3' }, taught(group, RETAIN));

    expect(again).toMatchObject({ outcome: 'ready', changed: false });
  });

  test('without the rule the plan’s value is wanted, and the controller in the way', async () => {
    const result = await apply({ nodes: 4, zone: 'a', image: 'cache:3' }, []);

    expect(result.failures).toMatchObject([{ code: 'APPLY_CONFLICT' }]);
    expect(await specOf()).toMatchObject({ nodes: 5 });
  });

  test('a rule in TypeScript does the same', async () => {
    const inTypeScript = defineInterpreter<KubeObject & { readonly spec: Spec }>({
      kinds: [{ apiVersion: ref.apiVersion, kind: ref.kind }],
      retain: (desired, { spec: { nodes, zone } }) => ({
        ...desired,
        spec: {
          ...desired.spec,
          ...(nodes !== undefined && { nodes }),
          ...(zone !== undefined && { zone }),
        },
      }),
    });

    await apply({ nodes: 4, zone: 'b', image: 'cache:4' }, [inTypeScript]);

    expect(await specOf()).toEqual({ nodes: 5, zone: 'a', image: 'cache:4' });
  });

  test('fields found by the program go through what Pulumi sends, without the rule', async () => {
    const release = releaseOf(cache({ nodes: 4, zone: 'b', image: 'cache:5' }));
    const { releases, failures } = withMemberFields([release], taught(group, RETAIN));
    const access = { cluster: CLUSTER, kubeconfigPath: '', context: '', kubeconfig: '' };
    const owner = { application: release.application, environment: '' };
    const [sent = release] = releases.map((found) => fromWire(owner, toWire(found, access)));

    const result = await applyRelease(sent, client());

    expect(failures).toEqual([]);
    expect(result).toMatchObject({ outcome: 'ready', failures: [] });
    expect(await specOf()).toEqual({ nodes: 5, zone: 'a', image: 'cache:5' });
  });

  test('a rule that fails stops its object, and says where', async () => {
    const broken = 'function Retain(desiredObj, observedObj)\n  return desiredObj.spec.a.b\nend';

    const result = await apply({ nodes: 4, image: 'cache:6' }, taught(group, broken));

    expect(result).toMatchObject({
      outcome: 'failed',
      failures: [
        {
          code: 'INTERPRETER_FAILED',
          resource: ref,
          message: expect.stringMatching(
            /^Cache .*sessions: Retain of ResourceInterpreterCustomization cache fails, line 2 of the script: .*'a'/,
          ),
        },
      ],
    });
    expect(await specOf()).toMatchObject({ image: 'cache:5' });
  });
}

describe('Retain on the sandbox', () => {
  let fleet: TestFleet;
  let client: ClusterClient;
  beforeAll(async () => {
    fleet = await aFleet(CLUSTER);
    client = await fleet.client(CLUSTER);
  });
  afterAll(() => fleet.close());

  suite(() => client);
});

describeWithRig('Retain on a real API server', (rig) => {
  let client: ClusterClient;
  beforeAll(async () => {
    client = await connectKubeconfig({ kubeconfig: { files: [rig().kubeconfig] } })(CLUSTER);
  });
  afterAll(() => client.close());

  suite(() => client);
});
