import { beforeAll, afterAll, describe, expect, test } from '@jest/globals';
import type { KubeObject } from '../../../lib/api/object.js';
import { refOf } from '../../../lib/engine/object.js';
import { immutableChanges } from '../../../lib/engine/rollout/index.js';
import {
  connectKubeconfig,
  ProviderError,
  type ClusterClient,
} from '../../../lib/providers/cluster/index.js';
import { describeWithRig, freshName } from '../../rig/rig.js';
import { IMMUTABLE_CASES } from './immutable-cases.js';
import { aFleet, aNamespace, type TestFleet } from './releases.js';

/** What the planner says cannot change in place, against what a server says to the same change. */
function agrees(client: () => ClusterClient, namespace: string): void {
  test.each(IMMUTABLE_CASES.map((one) => [one.name, one] as const))(
    '%s',
    async (_name, { before, after, fields }) => {
      const inside = (object: KubeObject): KubeObject => ({
        ...object,
        metadata: { ...object.metadata, namespace },
      });
      await client().apply(inside(before));
      const live = await client().get(refOf(inside(before)));
      if (live === undefined) throw new Error('it was not stored');

      const refused = await client()
        .apply(inside(after), { dryRun: true })
        .then(() => false)
        .catch((error: unknown) => ProviderError.is(error) && error.facts.status === 422);

      expect(immutableChanges(inside(after), live)).toEqual(fields);
      expect(refused).toBe(fields.length > 0);
    },
  );
}

describeWithRig('immutable fields of a real API server are the ones foreseen', (rig) => {
  const namespace = freshName('immutable');
  let client: ClusterClient;

  beforeAll(async () => {
    const connect = connectKubeconfig({ kubeconfig: { files: [rig().kubeconfig] } });
    client = await connect('member1');
    await client.apply(aNamespace(namespace));
  });
  afterAll(async () => {
    await client.delete(refOf(aNamespace(namespace)));
    await client.close();
  });

  agrees(() => client, namespace);
});

describe('immutable fields of a simulated cluster are the ones foreseen', () => {
  let fleet: TestFleet;
  let client: ClusterClient;

  beforeAll(async () => {
    fleet = await aFleet('eu-1');
    client = await fleet.client('eu-1');
    await client.apply(aNamespace());
  });
  afterAll(() => fleet.close());

  agrees(() => client, 'shop');
});
