import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Plan } from '../../lib/engine/plan.js';
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
 * argo-cd#12459, #22976: the first step was over so fast that nobody noticed, and the second never started. That no state is
 * a dead end is shown for all of them in test/engine/rollout/model.test.ts; here it is for real.
 */
let fleet: TestFleet;
beforeAll(async () => {
  fleet = await aFleet('eu-1', 'us-1');
});
afterAll(() => fleet.close());

const planOf = (eu: string, us: string): Plan =>
  aPlan(
    [aWave('first', ['eu-1'], { soakSeconds: 0 }), aWave('second', ['us-1'])],
    [
      aRelease('eu-1', [aNamespace(), aConfigMap('env', { MODE: eu })]),
      aRelease('us-1', [aNamespace(), aConfigMap('env', { MODE: us })]),
    ],
  );
const waves = async (plan: Plan): Promise<readonly string[]> => {
  const events: RolloutProgress[] = [];
  await runRollout(plan, fleet.connect, { onEvent: (event) => events.push(event) });
  return events.flatMap((event) =>
    event.kind === 'wave' && event.phase === 'passed' ? [event.wave] : [],
  );
};

test.each([
  ['both are new', planOf('a', 'a')],
  ['nothing changes', planOf('a', 'a')],
  ['only the second changes', planOf('a', 'b')],
  ['only the first changes', planOf('b', 'b')],
])('%s: both steps pass', async (_name, plan) => {
  expect(await waves(plan)).toEqual(['first', 'second']);
});
