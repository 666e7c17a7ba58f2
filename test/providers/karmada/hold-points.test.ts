import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { PlannedWave } from '../../../lib/engine/plan.js';
import { approveOnControlPlane } from '../../../lib/providers/karmada/index.js';
import { aWave } from '../rollout/releases.js';
import { aDeployment, aKarmadaPlan, aPolicy, WAVES } from './documents.js';
import { ONE, POLICY, Site, TWO } from './site.js';

jest.setTimeout(60_000);

let site: Site;
afterEach(() => site.plane.close());

const withGate = (
  gate: Partial<PlannedWave['gate']>,
  names = ['member2'],
): readonly PlannedWave[] =>
  WAVES.map((wave) =>
    names.includes(wave.name) ? { ...wave, gate: { ...wave.gate, ...gate } } : wave,
  );
const approval = withGate({ approval: true });

describe('approvals through a control plane', () => {
  test('are recorded on the policy: the next run continues without asking', async () => {
    site = await Site.running();
    const documents = [aPolicy(), aDeployment(TWO)];
    const held = await site.up(documents, { waves: approval });
    expect(held).toMatchObject({
      outcome: 'held',
      heldBy: { wave: 'member2', reason: 'approval' },
    });

    const plan = aKarmadaPlan(documents, { waves: approval });
    const recorded = await approveOnControlPlane(plan, documents, 'member2', site.plane.client);
    const report = await site.up(documents, { waves: approval });

    expect(recorded).toEqual({ approved: ['PropagationPolicy shop/web'], failed: [] });
    expect(report.outcome).toBe('done');
    expect(site.arrived()).toEqual([`member3 ${TWO} x3`, `member2 ${TWO} x2`, `member1 ${TWO} x1`]);
    expect(site.writes()).toContain('fleetwright-approval propagationpolicies/web');
  });

  test('an approval lets nothing else pass than what was looked at', async () => {
    site = await Site.running();
    const seen = [aPolicy(), aDeployment(TWO)];
    const plan = aKarmadaPlan(seen, { waves: approval });
    await approveOnControlPlane(plan, seen, 'member2', site.plane.client);

    const other = await site.up([aPolicy(), aDeployment('example/web:3')], { waves: approval });

    expect(other).toMatchObject({ outcome: 'held', heldBy: { wave: 'member2' } });
    expect(site.arrived()).toEqual(['member3 example/web:3 x3']);
  });

  test('of two waves, given one after the other, both count', async () => {
    site = await Site.running();
    const documents = [aPolicy(), aDeployment(TWO)];
    const waves = withGate({ approval: true }, ['member2', 'member1']);
    const plan = aKarmadaPlan(documents, { waves });
    for (const wave of ['member2', 'member1'])
      await approveOnControlPlane(plan, documents, wave, site.plane.client);

    expect((await site.up(documents, { waves })).outcome).toBe('done');
  });

  test('a first wave that waits leaves a control plane that runs something as it is', async () => {
    site = await Site.running();
    const waves = withGate({ approval: true }, ['member3']);

    const report = await site.up([aPolicy(), aDeployment(TWO)], { waves });

    expect(report).toMatchObject({
      outcome: 'held',
      heldBy: { wave: 'member3', reason: 'approval' },
      suspended: [],
    });
    expect(site.writes()).toEqual([]);
  });

  test('a new application is written and held, so that there is a place for the approval', async () => {
    site = await Site.empty();
    const documents = [aPolicy(), aDeployment(ONE)];
    const waves = withGate({ approval: true }, ['member3']);
    const plan = aKarmadaPlan(documents, { waves });
    const early = await approveOnControlPlane(plan, documents, 'member3', site.plane.client);
    expect(early).toMatchObject({
      approved: [],
      failed: [{ policy: 'PropagationPolicy shop/web' }],
    });
    expect(early.failed[0]?.message).toContain('--approve member3');
    expect((await site.up(documents, { waves })).outcome).toBe('held');
    expect(site.arrived()).toEqual([]);

    await approveOnControlPlane(plan, documents, 'member3', site.plane.client);

    expect((await site.up(documents, { waves })).outcome).toBe('done');
  });

  test('something else in the annotation approves nothing', async () => {
    site = await Site.running();
    const annotations = { 'fleetwright.dev/approved-waves': '["member2"]' };
    const { apiVersion, kind, name, namespace } = POLICY;
    await site.plane.client.apply(
      { apiVersion, kind, metadata: { name, namespace, annotations } },
      { fieldManager: 'kubectl-edit' },
    );

    const report = await site.up([aPolicy(), aDeployment(TWO)], { waves: approval });

    expect(report.heldBy).toEqual({ wave: 'member2', reason: 'approval' });
  });
});

describe('time windows through a control plane', () => {
  const windows = [{ schedule: '0 22 * * *', timeZone: 'UTC', durationSeconds: 3600 }];
  const waves = withGate({ windows });
  /** A wall clock that goes on from there, as walls do. */
  const at = (time: string) => {
    const ahead = Date.parse(`2026-03-02T${time}Z`) - performance.now();
    return { wallNow: () => ahead + performance.now() };
  };

  test('a closed one ends the run, held, with the time at which it opens; open, the next run goes on', async () => {
    site = await Site.running();
    const documents = [aPolicy(), aDeployment(TWO)];

    const held = await site.up(documents, { waves }, at('12:00:00'));
    const done = await site.up(documents, { waves }, at('22:10:00'));

    expect(held).toMatchObject({
      outcome: 'held',
      heldBy: { wave: 'member2', reason: 'window', until: '2026-03-02T22:00:00Z' },
      suspended: [{ byRollout: ['member1', 'member2'], byOthers: [] }],
    });
    expect(done.outcome).toBe('done');
    expect(site.arrived()).toEqual([`member3 ${TWO} x3`, `member2 ${TWO} x2`, `member1 ${TWO} x1`]);
  });

  test('in an emergency they are ignored', async () => {
    site = await Site.running();

    const report = await site.up(
      [aPolicy(), aDeployment(TWO)],
      { waves },
      { ...at('12:00:00'), ignoreWindows: true },
    );

    expect(report.outcome).toBe('done');
  });
});

describe('gates through a control plane', () => {
  test('the next wave waits for the soak of the one before', async () => {
    site = await Site.running();
    const waves = withGate({ soakSeconds: 1 }, ['member3']);
    const phases: [string, number][] = [];

    const report = await site.up(
      [aPolicy(), aDeployment(TWO)],
      { waves },
      {
        onEvent: (event) => {
          if (event.kind === 'wave') phases.push([`${event.wave} ${event.phase}`, event.atMs]);
        },
      },
    );

    expect(report.outcome).toBe('done');
    const time = (phase: string): number => phases.find(([name]) => name === phase)?.[1] ?? -1;
    expect(time('member3 passed') - time('member3 soaking')).toBeGreaterThanOrEqual(1000);
    expect(time('member2 applying')).toBeGreaterThanOrEqual(time('member3 passed'));
  });

  test('a budget of one failed cluster lets the waves go on; the run has failed all the same', async () => {
    site = await Site.running();
    site.plane.fake.options.neverReadyOn = new Set(['member2']);
    const waves = [
      aWave('first', ['member2', 'member3'], { deadlineSeconds: 3, maxFailures: 1 }),
      aWave('last', ['member1']),
    ];

    const report = await site.up([aPolicy(), aDeployment(TWO)], { waves });

    expect(report.outcome).toBe('failed');
    expect(report.notDone.map(({ cluster }) => cluster)).toEqual(['member2']);
    expect([...site.arrived()].sort()).toEqual([
      `member1 ${TWO} x1`,
      `member2 ${TWO} x2`,
      `member3 ${TWO} x3`,
    ]);
  });

  test('onFailure: continue goes on after a failed wave', async () => {
    site = await Site.running();
    site.plane.fake.options.neverReadyOn = new Set(['member3']);
    const waves = withGate({ deadlineSeconds: 3, onFailure: 'continue' }, ['member3']);

    const report = await site.up([aPolicy(), aDeployment(TWO)], { waves });

    expect(report.outcome).toBe('failed');
    expect(report.notDone.map(({ cluster }) => cluster)).toEqual(['member3']);
    expect(site.arrived()).toHaveLength(3);
  });

  test('one at a time inside a wave: the next is released when the one before is ready', async () => {
    site = await Site.running();
    site.plane.fake.options.neverReadyOn = new Set(['member1']);
    const waves = [aWave('all', ['member1', 'member2', 'member3'], { deadlineSeconds: 3 }, 1)];

    const report = await site.up([aPolicy(), aDeployment(TWO)], { waves });

    expect(report.outcome).toBe('failed');
    expect(site.arrived()).toEqual([`member1 ${TWO} x1`]);
    expect((await site.suspension()).clusters).toEqual(['member2', 'member3']);
  });
});
