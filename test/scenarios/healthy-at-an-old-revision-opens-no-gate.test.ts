import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Plan } from '../../lib/engine/plan.js';
import { runRollout } from '../../lib/providers/rollout/index.js';
import {
  aDeployment,
  aFleet,
  aNamespace,
  aPlan,
  aRelease,
  aWave,
  type TestFleet,
} from '../providers/rollout/releases.js';

/*
 * argo-cd#29410: one commit changed dev, canary and prod; dev was still healthy, from the revision before, and so prod went
 * first. A gate opens only when every cluster of its wave carries this plan's revision.
 */
let fleet: TestFleet;
beforeAll(async () => {
  fleet = await aFleet('dev', 'canary', 'prod');
});
afterAll(() => fleet.close());

const STEPS = ['dev', 'canary', 'prod'];
const planOf = (
  image: string,
  annotations: Record<string, string> = {},
  deadlineSeconds = 60,
): Plan =>
  aPlan(
    STEPS.map((name) => aWave(name, [name], { deadlineSeconds })),
    STEPS.map((name) => aRelease(name, [aNamespace(), aDeployment('web', { image, annotations })])),
  );
const imageOn = (cluster: string): string => {
  const web = fleet.sandbox
    .cluster(cluster)
    .objects()
    .find(({ kind }) => kind === 'Deployment');
  return JSON.stringify(web?.['spec'] ?? {}).replace(/.*"image":"([^"]*)".*/, '$1');
};

test('while dev has not rolled out the new revision, canary and prod keep the old one', async () => {
  await runRollout(planOf('nginx:1'), fleet.connect);

  const report = await runRollout(
    planOf('nginx:2', { 'rig/ready-after': '600s' }, 1),
    fleet.connect,
  );

  expect(report.outcome).toBe('failed');
  expect(STEPS.map(imageOn)).toEqual(['nginx:2', 'nginx:1', 'nginx:1']);
});

test('each step starts after the one before has it', async () => {
  const seen: string[] = [];

  const report = await runRollout(planOf('nginx:3'), fleet.connect, {
    onEvent: (event) => {
      if (event.kind === 'wave' && event.phase === 'applying')
        seen.push(`${event.wave}: ${STEPS.map(imageOn).join(' ')}`);
    },
  });

  expect(report.outcome).toBe('done');
  expect(seen).toEqual([
    'dev: nginx:2 nginx:1 nginx:1',
    'canary: nginx:3 nginx:1 nginx:1',
    'prod: nginx:3 nginx:3 nginx:1',
  ]);
});
