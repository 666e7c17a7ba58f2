import { expect, test } from '@jest/globals';
import type { Plan } from '../../../lib/engine/plan.js';
import type { Connect } from '../../../lib/providers/cluster/index.js';
import { runRollout, type RolloutReport } from '../../../lib/providers/rollout/index.js';
import { aDeployment, aNamespace, aPlan, aRelease, aWave } from './releases.js';

/** What two runs at the same time must hold to, wherever the clusters are. */
export interface TwoRunsSubject {
  readonly connect: Connect;
  /** Two clusters: the first wave and the last. */
  readonly clusters: readonly [string, string];
  /** A namespace that nothing else uses; also the application. */
  readonly fresh: () => string;
}

const SLOW = { 'rig/ready-after': '600s' };

export function twoRuns(subject: () => TwoRunsSubject): void {
  const planOf = (name: string, image: string, annotations: Record<string, string> = {}): Plan => {
    const [first, last] = subject().clusters;
    const releases = [first, last].map((cluster) => {
      const web = aDeployment('web', { namespace: name, image, annotations });
      return aRelease(cluster, [aNamespace(name), web], { application: name });
    });
    const gate = { deadlineSeconds: 120 };
    return {
      ...aPlan([aWave('canary', [first], gate), aWave('rest', [last], gate)], releases),
      application: name,
    };
  };
  /** Starts the second run when the first has written its Deployment and waits for it. */
  const during = async (
    first: Plan,
    second: Plan,
  ): Promise<readonly [RolloutReport, RolloutReport]> => {
    const { connect } = subject();
    let other: Promise<RolloutReport> | undefined;
    const report = await runRollout(first, connect, {
      onEvent: (event) => {
        const isWritten = event.kind === 'cluster' && event.phase === 'observing';
        if (isWritten) other ??= runRollout(second, connect);
      },
    });
    if (other === undefined) throw new Error('the first run wrote nothing');
    return [report, await other];
  };

  test('ROLLOUT_SUPERSEDED: the run that is written over fails at once, says by whom, and touches nothing more', async () => {
    const name = subject().fresh();
    const [canary, rest] = subject().clusters;

    const [loser, winner] = await during(
      planOf(name, 'nginx:1.29', SLOW),
      planOf(name, 'nginx:1.30'),
    );

    expect(winner.outcome).toBe('done');
    expect(loser.outcome).toBe('failed');
    expect(loser.durationMs).toBeLessThan(100_000);
    expect(loser.notDone).toEqual([
      {
        cluster: canary,
        wave: 'canary',
        why: expect.stringMatching(
          /^ROLLOUT_SUPERSEDED Deployment .*revision \w+ was written over this run's \w+ by "fleetwright" at 2\d{3}-/,
        ),
      },
      { cluster: rest, wave: 'rest', why: expect.stringContaining('untouched') },
    ]);
  });

  test('two runs of the same plan are no conflict', async () => {
    const name = subject().fresh();
    const plan = planOf(name, 'nginx:1.29', { 'rig/ready-after': '1s' });

    const reports = await during(plan, plan);

    expect(reports.map(({ outcome }) => outcome)).toEqual(['done', 'done']);
  });

  test('a run that is resumed with other content is no conflict with what it left', async () => {
    const name = subject().fresh();
    const { connect } = subject();
    const stop = new AbortController();
    const killed = await runRollout(planOf(name, 'nginx:1.29', SLOW), connect, {
      signal: stop.signal,
      onEvent: (event) => {
        if (event.kind === 'cluster' && event.phase === 'observing') stop.abort();
      },
    });

    const resumed = await runRollout(planOf(name, 'nginx:1.30'), connect);

    expect(killed.outcome).toBe('aborted');
    expect(resumed.outcome).toBe('done');
  });
}
