import { afterEach, expect, jest, test } from '@jest/globals';
import { runRollout, type RolloutProgress } from '../../../lib/providers/rollout/index.js';
import {
  aDeployment,
  aFleet,
  aNamespace,
  aPlan,
  aRelease,
  aWave,
  type TestFleet,
} from './releases.js';

jest.setTimeout(60_000);

let fleet: TestFleet | undefined;
afterEach(async () => {
  await fleet?.close();
  fleet = undefined;
});

test('pods that crash: reason and last log lines while it happens; the report has the reason and no log', async () => {
  fleet = await aFleet('eu-1');
  const annotations = {
    'rig/never-ready': 'CrashLoopBackOff',
    'rig/log': 'one\ntwo\nthree\ncannot open /data: password is hunter2',
  };
  const events: RolloutProgress[] = [];
  const wave = aWave('all', ['eu-1'], { deadlineSeconds: 7 });
  const release = aRelease('eu-1', [aNamespace(), aDeployment('web', { annotations })]);

  const report = await runRollout(aPlan([wave], [release]), fleet.connect, {
    onEvent: (event) => events.push(event),
  });

  const waiting = events.flatMap((event) =>
    event.kind === 'object' &&
    event.progress.kind === 'waiting' &&
    event.progress.pods !== undefined
      ? [event.progress]
      : [],
  );
  expect(waiting.at(-1)).toMatchObject({
    pods: [expect.stringMatching(/^2 pods: CrashLoopBackOff \(last exit code 1\)/)],
    log: ['two', 'three', 'cannot open /data: password is hunter2'],
  });
  expect(waiting.at(-1)?.waitingFor).toContain('CrashLoopBackOff');
  expect(report.notDone[0]?.why).toContain('CrashLoopBackOff');
  expect(JSON.stringify(report)).not.toContain('hunter2');
});
