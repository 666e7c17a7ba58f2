import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { KubeObject } from '../../../lib/api/object.js';
import type { PlannedWave } from '../../../lib/engine/plan.js';
import { aDeployment, aPolicy, WAVES } from './documents.js';
import { ONE, POLICY, Site, TWO } from './site.js';
import { aWave } from '../rollout/releases.js';

jest.setTimeout(60_000);

let site: Site;
afterEach(() => site.plane.close());

const turnedBack = (waves: readonly PlannedWave[]): readonly PlannedWave[] =>
  waves.map((wave) => ({
    ...wave,
    gate: { ...wave.gate, deadlineSeconds: 3, onFailure: 'rollback' as const },
  }));

/** Pods of image 2 never get ready on a cluster; those of image 1 do. */
function failingOn(cluster: string): void {
  const { fake } = site.plane;
  fake.options.onDispatch = (dispatch) => {
    if (dispatch.cluster !== cluster) return;
    fake.options.neverReadyOn = new Set(dispatch.image === TWO ? [cluster] : []);
  };
}

describe('onFailure: rollback through a control plane', () => {
  test('clusters that have the change go back, last wave first; the others never see it (c7)', async () => {
    site = await Site.running();
    failingOn('member2');

    const report = await site.up([aPolicy(), aDeployment(TWO)], { waves: turnedBack(WAVES) });

    expect(report).toMatchObject({
      outcome: 'failed',
      rollback: { obstacles: [], report: { outcome: 'done', notDone: [] } },
    });
    expect(site.arrived()).toEqual([
      `member3 ${TWO} x3`,
      `member2 ${TWO} x2`,
      `member2 ${ONE} x2`,
      `member3 ${ONE} x3`,
    ]);
    expect(await site.suspension()).toEqual({ clusters: [] });
    const live = await site.plane.client.get(DEPLOYMENT);
    expect(JSON.stringify(live?.['spec'])).toContain(ONE);
  });

  test('replicas that moved move back, and grow before they shrink', async () => {
    const before = { member1: 2, member2: 2 };
    site = await Site.running([aPolicy(before), aDeployment(ONE, 4)], { shares: before });
    const after = { member2: 2, member3: 2 };
    const waves = turnedBack([
      aWave('first', ['member3']),
      aWave('second', ['member2', 'member1']),
    ]);
    failingOn('member2');

    const report = await site.up([aPolicy(after), aDeployment(TWO, 4)], { shares: after, waves });

    expect(report.rollback?.report).toMatchObject({ outcome: 'done' });
    expect(site.arrived()).toEqual([
      `member3 ${TWO} x2`,
      `member2 ${TWO} x2`,
      `member2 ${ONE} x2`,
      // It is to leave: nothing is brought back there first.
      'member3 deleted',
    ]);
    const policy = await site.plane.client.get(POLICY);
    expect(policy?.['spec']).toMatchObject({
      placement: { clusterAffinity: { clusterNames: ['member1', 'member2'] } },
    });
  });

  test('what the failed change created is taken away', async () => {
    const selectors = [{ apiVersion: 'apps/v1', kind: 'Deployment' }];
    const policy = aPolicy(undefined, { selectors });
    site = await Site.running([policy, aDeployment(ONE)]);
    failingOn('member2');
    const added: KubeObject = aDeployment(TWO, 6, 'added');

    const report = await site.up([policy, aDeployment(ONE), added], { waves: turnedBack(WAVES) });

    expect(report.rollback?.report).toMatchObject({ outcome: 'done' });
    expect(await site.plane.client.get({ ...DEPLOYMENT, name: 'added' })).toBeUndefined();
    expect(site.plane.fake.member('member1', 'web')).toEqual({ image: ONE, replicas: 1 });
  });

  test('a run that continues another one does not know what was there before, and says so', async () => {
    site = await Site.running();
    const waves = turnedBack(WAVES);
    const held = waves.map((wave) => ({
      ...wave,
      gate: { ...wave.gate, approval: wave.name === 'member2' },
    }));
    const documents = [aPolicy(), aDeployment(TWO)];
    expect((await site.up(documents, { waves: held })).outcome).toBe('held');
    failingOn('member2');

    const report = await site.up(documents, { waves: held }, { approve: 'all' });

    expect(report.outcome).toBe('failed');
    expect(report.rollback).toEqual({
      obstacles: [
        'An earlier change was not finished: what was there before it is not known to this run.',
      ],
    });
    expect((await site.suspension()).clusters).toEqual(['member1']);
  });

  test('what kubectl wrote before is not taken for ours', async () => {
    site = await Site.empty();
    for (const object of [aPolicy(), aDeployment(ONE)])
      await site.plane.client.apply(object, { fieldManager: 'kubectl' });
    failingOn('member3');

    const report = await site.up(
      [aPolicy(), aDeployment(TWO)],
      { waves: turnedBack(WAVES) },
      { takeOver: true },
    );

    expect(report.outcome).toBe('failed');
    expect(report.rollback?.obstacles).toContain(
      'Deployment shop/web was not written by fleetwright before this run.',
    );
  });
});

const DEPLOYMENT = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  namespace: 'shop',
  name: 'web',
} as const;
