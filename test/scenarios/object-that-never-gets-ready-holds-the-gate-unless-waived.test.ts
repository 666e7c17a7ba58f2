import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { KubeObject } from '../../lib/api/object.js';
import type { Plan } from '../../lib/engine/plan.js';
import { runRollout } from '../../lib/providers/rollout/index.js';
import {
  aFleet,
  aNamespace,
  aPlan,
  aRelease,
  aWave,
  type TestFleet,
} from '../providers/rollout/releases.js';

/*
 * argo-cd#19771: health was fine, and an object that was out of sync by design blocked the next step for ever. What a gate
 * waits for is said, and one object can be waived by name.
 */
let fleet: TestFleet;
beforeAll(async () => {
  fleet = await aFleet('eu-1', 'us-1');
});
afterAll(() => fleet.close());

const job = (annotations: Record<string, string> = {}): KubeObject => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'by-hand', namespace: 'shop', annotations },
  spec: {
    suspend: true,
    template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'a' }] } },
  },
});
const planOf = (object: KubeObject): Plan =>
  aPlan(
    [aWave('first', ['eu-1'], { deadlineSeconds: 3 }), aWave('second', ['us-1'])],
    ['eu-1', 'us-1'].map((cluster) => aRelease(cluster, [aNamespace(), object])),
  );

test('the gate says what it waits for, and does not wait beyond its deadline', async () => {
  const report = await runRollout(planOf(job()), fleet.connect);

  expect(report.outcome).toBe('failed');
  expect(report.notDone).toEqual([
    {
      cluster: 'eu-1',
      wave: 'first',
      why: expect.stringContaining('the Job to be resumed (spec.suspend is true)'),
    },
    { cluster: 'us-1', wave: 'second', why: 'untouched: wave "first" has not passed' },
  ]);
});

test('with the waiver on the template the next step runs', async () => {
  const report = await runRollout(
    planOf(job({ 'fleetwright.dev/readiness': 'ignore' })),
    fleet.connect,
  );

  expect(report.outcome).toBe('done');
});
