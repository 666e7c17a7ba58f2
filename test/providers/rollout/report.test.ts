import { expect, test } from '@jest/globals';
import type { RolloutState } from '../../../lib/engine/rollout/index.js';
import { reportOf } from '../../../lib/providers/rollout/report.js';
import type { ReleaseResult } from '../../../lib/providers/rollout/result.js';
import { aPlan, aWave } from './releases.js';

/** A wave whose deadline rang before the work on its cluster could say what it waits for. */
const plan = aPlan([aWave('first', ['eu-1'])], []);
const [wave] = plan.waves;
const BARE = 'not ready at the deadline of the wave';

function whyOf(result: Partial<ReleaseResult>): string | undefined {
  if (wave === undefined) throw new TypeError('the plan has a wave');
  const state: RolloutState = {
    waves: [
      {
        ...wave,
        phase: 'failed',
        clusters: { 'eu-1': { phase: 'failed', reason: BARE, proven: false } },
        approved: true,
      },
    ],
    settle: {},
    started: true,
    aborted: false,
    now: 0,
  };
  const facts = { changed: true, grown: false, proven: false, failures: [] };
  const objects = ['web', 'api'].map((name, i) => ({
    resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name },
    revision: 'r',
    action: 'created' as const,
    ready: i === 1,
    waitingFor: i === 1 ? '' : 'available replicas (0 of 2)',
  }));
  const whole: ReleaseResult = {
    cluster: 'eu-1',
    outcome: 'aborted',
    ...facts,
    objects,
    ...result,
  };
  return reportOf(plan, state, new Map([['eu-1', whole]]), 0).notDone[0]?.why;
}

test('work that the deadline stopped still says what it waited for', () => {
  expect(whyOf({})).toBe(`${BARE}: Deployment shop/web waits for available replicas (0 of 2)`);
});

test('work that ended by itself has said it, and nothing is added', () => {
  expect(whyOf({ outcome: 'failed' })).toBe(BARE);
  expect(whyOf({ objects: [] })).toBe(BARE);
});
