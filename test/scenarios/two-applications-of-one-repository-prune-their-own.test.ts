import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { KubeObject } from '../../lib/api/object.js';
import { refOf } from '../../lib/engine/object.js';
import type { Release } from '../../lib/engine/plan.js';
import { runRollout, type RolloutProgress } from '../../lib/providers/rollout/index.js';
import {
  aConfigMap,
  aFleet,
  aNamespace,
  aPlan,
  aRelease,
  aWave,
  type TestFleet,
} from '../providers/rollout/releases.js';

/*
 * fleet#933, argo-cd#20440: two paths of one repository were one owner to the pruning, and each deleted what the other had
 * brought. Each application has a set of its own here, and removing waits until the whole plan has been applied.
 */
let fleet: TestFleet;
beforeAll(async () => {
  fleet = await aFleet('eu-1', 'us-1');
});
afterAll(() => fleet.close());

const CLUSTERS = ['eu-1', 'us-1'];
const waves = [aWave('first', ['eu-1']), aWave('second', ['us-1'])];

/** With a label that both applications share, as a chart would write it. */
function labelled(name: string): KubeObject {
  const object = aConfigMap(name);
  return {
    ...object,
    metadata: { ...object.metadata, labels: { 'app.kubernetes.io/part-of': 'shop' } },
  };
}

/** Written and removed by one application; all others keep what they have. */
async function roll(
  application: string,
  wanted: readonly string[],
  gone: readonly string[],
  onEvent: (event: RolloutProgress) => void = () => undefined,
): Promise<string> {
  const releases = CLUSTERS.map((cluster): Release => {
    const { manifests } = aRelease(cluster, [aNamespace(), ...wanted.map(labelled)]);
    const own = manifests.map((manifest) => {
      const { annotations, labels } = manifest.object.metadata;
      const metadata = {
        ...manifest.object.metadata,
        annotations: { ...annotations, 'fleetwright.dev/application': application },
        labels: { ...labels },
      };
      return { ...manifest, object: { ...manifest.object, metadata } };
    });
    const deletions = gone.map((name) => ({ resource: refOf(labelled(name)), reason: 'test' }));
    return {
      application,
      cluster,
      wave: cluster === 'eu-1' ? 'first' : 'second',
      manifests: own,
      deletions,
    };
  });
  const plan = { ...aPlan(waves, releases), application };
  return (await runRollout(plan, fleet.connect, { keep: false, onEvent })).outcome;
}

async function namesOn(cluster: string): Promise<readonly string[]> {
  const client = await fleet.client(cluster);
  const found = await client.list({ apiVersion: 'v1', kind: 'ConfigMap' }, { namespace: 'shop' });
  return found.map(({ metadata }) => metadata.name ?? '').sort();
}

test('what one application no longer has goes, and the other keeps all of its own', async () => {
  await roll('web', ['web-a', 'web-b'], []);
  await roll('api', ['api-a', 'api-b'], []);

  expect(await roll('web', ['web-a'], ['web-b'])).toBe('done');

  for (const cluster of CLUSTERS)
    expect(await namesOn(cluster)).toEqual(['api-a', 'api-b', 'web-a']);
});

test('a plan that names what another application has leaves it there', async () => {
  await roll('web', ['web-a'], ['api-a']);

  for (const cluster of CLUSTERS) expect(await namesOn(cluster)).toContain('api-a');
});

test('nothing goes before all waves have been applied', async () => {
  const order: string[] = [];
  await roll('api', ['api-a', 'api-c'], ['api-b'], (event) => {
    if (event.kind === 'object' && ['written', 'deleted'].includes(event.progress.kind))
      order.push(`${event.cluster} ${event.progress.kind} ${event.progress.resource.name}`);
  });

  const position = (what: string): number => order.indexOf(what);
  expect(position('eu-1 deleted api-b')).toBeGreaterThan(-1);
  expect(position('us-1 written api-c')).toBeGreaterThan(-1);
  expect(position('us-1 written api-c')).toBeLessThan(position('eu-1 deleted api-b'));
});
