import { describe, expect, jest, test } from '@jest/globals';
import type { Plan } from '../../../lib/engine/plan.js';
import { approveRelease, runRollout } from '../../../lib/providers/rollout/index.js';
import { aConfigMap, aFleetPerTest, aNamespace, aPlan, aRelease, aWave } from './releases.js';

// Many requests a test, on a machine that others use too.
jest.setTimeout(60_000);

const { start, current } = aFleetPerTest();

const aRun = (mode: string, gate: Parameters<typeof aWave>[2]): Plan =>
  aPlan(
    [aWave('first', ['a']), aWave('rest', ['b', 'c'], gate)],
    ['a', 'b', 'c'].map((name) => aRelease(name, [aNamespace(), aConfigMap('c', { MODE: mode })])),
  );

describe('approval', () => {
  const plan = (mode: string): Plan => aRun(mode, { approval: true });
  const approve = async (of: Plan, ...clusters: string[]): Promise<void> => {
    const releases = of.releases.filter(({ cluster }) => clusters.includes(cluster));
    for (const release of releases)
      await approveRelease(release, await current().client(release.cluster));
  };

  test('given on all clusters of the wave, the next run goes on; for another release it asks again', async () => {
    const { connect } = await start('a', 'b', 'c');
    const held = await runRollout(plan('1'), connect);
    await approve(plan('1'), 'b');
    const half = await runRollout(plan('1'), connect);
    await approve(plan('1'), 'c');

    const done = await runRollout(plan('1'), connect);
    const other = await runRollout(plan('2'), connect);

    expect(held).toMatchObject({ outcome: 'held', heldBy: { wave: 'rest', reason: 'approval' } });
    expect(half.outcome).toBe('held');
    expect(done.outcome).toBe('done');
    expect(other).toMatchObject({ outcome: 'held', heldBy: { wave: 'rest', reason: 'approval' } });
  });

  test('given before the first run, it outlives what the runs write to the same object', async () => {
    const { connect } = await start('a', 'b', 'c');
    await runRollout(aRun('1', {}), connect);
    await approve(plan('2'), 'b', 'c');
    // Fails before it is the turn of the approved wave.
    await current().sandbox.cluster('a').stop();
    const failed = await runRollout(plan('2'), connect, { unreachableSeconds: 0.1 });
    await current().sandbox.cluster('a').start();

    const done = await runRollout(plan('2'), connect);

    expect(failed.outcome).toBe('failed');
    expect(done.outcome).toBe('done');
  });
});

describe('time windows', () => {
  const nightly = {
    windows: [{ schedule: '0 22 * * *', timeZone: 'UTC', durationSeconds: 3600 }],
  };
  const at = (time: string) => ({ wallNow: () => Date.parse(time) });

  test('outside of them the run is held until the next opening, which the next run uses', async () => {
    const { connect, writes } = await start('a', 'b', 'c');

    const held = await runRollout(aRun('1', nightly), connect, at('2026-01-15T12:00:00Z'));
    const untouched = writes('b');
    const done = await runRollout(aRun('1', nightly), connect, at('2026-01-15T22:30:00Z'));
    const verified = await runRollout(aRun('1', nightly), connect, at('2026-01-16T12:00:00Z'));

    expect(held).toMatchObject({
      outcome: 'held',
      heldBy: { wave: 'rest', reason: 'window', until: '2026-01-15T22:00:00Z' },
    });
    expect(held.notDone[0]?.why).toBe('untouched: wave "rest" is held (window)');
    expect(untouched).toEqual([]);
    expect(done.outcome).toBe('done');
    // What has passed is only verified, at any time.
    expect(verified.outcome).toBe('done');
  });

  test('in an emergency they are ignored', async () => {
    const { connect } = await start('a', 'b', 'c');

    const done = await runRollout(aRun('1', nightly), connect, {
      ...at('2026-01-15T12:00:00Z'),
      ignoreWindows: true,
    });

    expect(done.outcome).toBe('done');
  });
});
