import { describe, expect, jest, test } from '@jest/globals';
import type { Manifest, Plan, Release } from '../../../lib/engine/plan.js';
import { refOf } from '../../../lib/engine/object.js';
import { runRollout, type RolloutProgress } from '../../../lib/providers/rollout/index.js';
import {
  aConfigMap,
  aDeployment,
  aFleetPerTest,
  aManifest,
  aNamespace,
  aPlan,
  aRelease,
  aWave,
  phasesOf,
  type TestFleet,
} from './releases.js';

// Many requests a test, on a machine that others use too.
jest.setTimeout(60_000);

const { start } = aFleetPerTest();

/** One Deployment and its namespace. */
const web = (cluster: string, facts: Parameters<typeof aDeployment>[1] = {}): Release =>
  aRelease(cluster, [aNamespace(), aDeployment('web', facts)]);
const canaryThenRest = (
  facts: (cluster: string) => Parameters<typeof aDeployment>[1] = () => ({}),
): Plan =>
  aPlan(
    [aWave('canary', ['eu-1', 'eu-2']), aWave('rest', ['us-1'])],
    ['eu-1', 'eu-2', 'us-1'].map((cluster) => web(cluster, facts(cluster))),
  );
const BROKEN = 'nginx:does-not-exist';

describe('a rollout', () => {
  test('goes wave by wave and is done when all is rolled out', async () => {
    const { connect } = await start('eu-1', 'eu-2', 'us-1');
    const events: RolloutProgress[] = [];

    const report = await runRollout(canaryThenRest(), connect, {
      onEvent: (event) => events.push(event),
    });

    expect(report).toMatchObject({ outcome: 'done', notDone: [], settle: [] });
    expect(phasesOf(report)).toEqual({ 'eu-1': 'ready', 'eu-2': 'ready', 'us-1': 'ready' });
    const waves = events.flatMap((event) =>
      event.kind === 'wave' ? [`${event.wave} ${event.phase}`] : [],
    );
    expect(waves).toEqual([
      'canary applying',
      'canary observing',
      'canary passed',
      'rest applying',
      'rest observing',
      'rest passed',
    ]);
    expect(JSON.parse(JSON.stringify(events))).toEqual(events);
  });

  test('CHANGED_DURING_ROLLOUT: what somebody changed after it was applied is not done', async () => {
    const { connect } = await start('eu-1', 'eu-2', 'us-1');
    const rest = canaryThenRest();
    const byHand = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', namespace: 'shop' },
      spec: { replicas: 7 },
    };
    let scaled: Promise<unknown> | undefined;
    const onEvent = (event: RolloutProgress): void => {
      if (event.kind !== 'wave' || event.wave !== 'rest' || event.phase !== 'applying') return;
      scaled = connect('eu-1').then((client) =>
        client.apply(byHand, { fieldManager: 'kubectl', force: true }),
      );
    };

    // The last cluster starts only when the first one was changed.
    const after: typeof connect = async (cluster) => {
      if (cluster === 'us-1') await scaled;
      return connect(cluster);
    };

    const report = await runRollout(rest, after, { onEvent });

    expect(report.outcome).toBe('failed');
    expect(report.notDone).toEqual([
      {
        cluster: 'eu-1',
        wave: 'canary',
        why: expect.stringMatching(
          /^CHANGED_DURING_ROLLOUT Deployment shop\/web on eu-1 .*: \.spec\.replicas is 7, planned \d+, by "kubectl"$/,
        ),
      },
    ]);
  });

  test('one failing image: its neighbour finishes, the later wave is untouched, the next run continues', async () => {
    const { connect, writes } = await start('eu-1', 'eu-2', 'us-1');
    const plan = canaryThenRest((cluster) => (cluster === 'eu-2' ? { image: BROKEN } : {}));
    const impatient: Plan = {
      ...plan,
      waves: [aWave('canary', ['eu-1', 'eu-2'], { deadlineSeconds: 1 }), aWave('rest', ['us-1'])],
    };

    const first = await runRollout(impatient, connect);

    expect(first.outcome).toBe('failed');
    expect(phasesOf(first)).toEqual({ 'eu-1': 'ready', 'eu-2': 'failed', 'us-1': 'waiting' });
    expect(first.notDone).toEqual([
      {
        cluster: 'eu-2',
        wave: 'canary',
        why: expect.stringMatching(/Deployment shop\/web on eu-2: .*2 pods: \w*Image/),
      },
      { cluster: 'us-1', wave: 'rest', why: 'untouched: wave "canary" has not passed' },
    ]);
    expect(writes('us-1')).toEqual([]);
    writes('eu-1');

    const second = await runRollout(canaryThenRest(), connect);

    expect(second).toMatchObject({ outcome: 'done', notDone: [] });
    // What was ready costs only the mark that its gate is open now, and what is kept for a rollback.
    expect(writes('eu-1')).toEqual([
      'PATCH /api/v1/namespaces/default/configmaps/fleetwright-web-shop',
      'PATCH /api/v1/namespaces/default/secrets/fleetwright-web-shop.v1.0',
      'PATCH /api/v1/namespaces/default/configmaps/fleetwright-web-shop.revisions',
    ]);
  });

  test('a third run writes nothing at all', async () => {
    const { connect, writes } = await start('eu-1', 'eu-2', 'us-1');
    await runRollout(canaryThenRest(), connect);
    for (const cluster of ['eu-1', 'eu-2', 'us-1']) writes(cluster);

    const report = await runRollout(canaryThenRest(), connect);

    expect(report.outcome).toBe('done');
    expect(['eu-1', 'eu-2', 'us-1'].flatMap((cluster) => writes(cluster))).toEqual([]);
  });

  test('an unreachable cluster costs its own patience, and the gate names it', async () => {
    const { connect, sandbox } = await start('eu-1', 'eu-2', 'us-1');
    await sandbox.cluster('eu-2').stop();

    const report = await runRollout(canaryThenRest(), connect, { unreachableSeconds: 0.1 });

    expect(report.outcome).toBe('failed');
    expect(phasesOf(report)).toEqual({ 'eu-1': 'ready', 'eu-2': 'failed', 'us-1': 'waiting' });
    expect(report.waves[0]).toMatchObject({
      phase: 'failed',
      reason: '1 of 2 clusters failed, 0 may',
    });
    expect(report.releases.find(({ cluster }) => cluster === 'eu-2')?.failures).toMatchObject([
      { code: 'CLUSTER_UNREACHABLE' },
    ]);
  });

  test('within the failure budget the next wave runs, but the rollout is not done', async () => {
    const { connect, sandbox } = await start('eu-1', 'eu-2', 'us-1');
    await sandbox.cluster('eu-2').stop();
    const plan = canaryThenRest();
    const tolerant = {
      ...plan,
      waves: [aWave('canary', ['eu-1', 'eu-2'], { maxFailures: 1 }), aWave('rest', ['us-1'])],
    };

    const report = await runRollout(tolerant, connect, { unreachableSeconds: 0.1 });

    expect(report.outcome).toBe('failed');
    expect(phasesOf(report)).toEqual({ 'eu-1': 'ready', 'eu-2': 'failed', 'us-1': 'ready' });
    expect(report.notDone.map(({ cluster }) => cluster)).toEqual(['eu-2']);
  });

  test('a wave with approval holds the run; the next run asks only for what has not passed', async () => {
    const { connect, writes } = await start('eu-1', 'us-1');
    const plan = aPlan(
      [aWave('canary', ['eu-1'], { approval: true }), aWave('rest', ['us-1'], { approval: true })],
      [web('eu-1'), web('us-1')],
    );

    const first = await runRollout(plan, connect, { approve: ['canary'] });
    const second = await runRollout(plan, connect);
    const untouched = writes('us-1');
    const asked: string[] = [];
    const third = await runRollout(plan, connect, {
      askApproval: ({ name }) => {
        asked.push(name);
        return Promise.resolve(true);
      },
    });

    expect(first).toMatchObject({ outcome: 'held', heldBy: { wave: 'rest', reason: 'approval' } });
    expect(first.notDone).toEqual([
      { cluster: 'us-1', wave: 'rest', why: 'untouched: wave "rest" is held (approval)' },
    ]);
    expect(second.outcome).toBe('held');
    expect(untouched).toEqual([]);
    expect([third.outcome, asked]).toEqual(['done', ['rest']]);
  });

  test('refusing approval ends the run as held', async () => {
    const { connect } = await start('eu-1');
    const plan = aPlan([aWave('canary', ['eu-1'], { approval: true })], [web('eu-1')]);

    const report = await runRollout(plan, connect, { askApproval: () => Promise.resolve(false) });

    expect(report.outcome).toBe('held');
  });

  test('pausing lets work finish and starts nothing new', async () => {
    const { connect, writes } = await start('eu-1', 'eu-2', 'us-1');
    const pause = new AbortController();

    const report = await runRollout(canaryThenRest(), connect, {
      pause: pause.signal,
      onEvent: (event) => event.kind === 'wave' && event.phase === 'observing' && pause.abort(),
    });

    expect(report).toMatchObject({ outcome: 'held', heldBy: { wave: 'rest', reason: 'paused' } });
    expect(phasesOf(report)).toEqual({ 'eu-1': 'ready', 'eu-2': 'ready', 'us-1': 'waiting' });
    expect(writes('us-1')).toEqual([]);
  });

  test('an interrupted run stops where it is, and the next one continues', async () => {
    const { connect, writes } = await start('eu-1', 'eu-2', 'us-1');
    const stop = new AbortController();
    const plan = canaryThenRest(() => ({ annotations: { 'rig/ready-after': '300ms' } }));

    const first = await runRollout(plan, connect, {
      signal: stop.signal,
      onEvent: (event) => event.kind === 'cluster' && event.phase === 'observing' && stop.abort(),
    });
    const untouched = writes('us-1');
    const second = await runRollout(plan, connect);

    expect(first.outcome).toBe('aborted');
    expect(untouched).toEqual([]);
    expect(second).toMatchObject({ outcome: 'done', notDone: [] });
  });

  test('soaking starts when the last cluster is ready, and anew when one was not', async () => {
    const { connect, client } = await start('eu-1', 'us-1');
    const soaking = aPlan(
      [aWave('canary', ['eu-1'], { soakSeconds: 0.4 }), aWave('rest', ['us-1'])],
      [web('eu-1'), web('us-1')],
    );
    const seen: string[] = [];
    let disturbed = false;

    const report = await runRollout(soaking, connect, {
      onEvent: (event) => {
        if (event.kind !== 'wave' || event.wave !== 'canary') return;
        seen.push(event.phase);
        if (event.phase !== 'soaking' || disturbed) return;
        disturbed = true;
        void removeAPod();
      },
    });

    async function removeAPod(): Promise<void> {
      const eu = await client('eu-1');
      const [pod] = await eu.list({ apiVersion: 'v1', kind: 'Pod' }, { namespace: 'shop' });
      if (pod !== undefined) await eu.delete(refOf(pod));
    }

    expect(report.outcome).toBe('done');
    expect(seen).toEqual(['applying', 'observing', 'soaking', 'observing', 'soaking', 'passed']);
  });

  test('an autoscaler at work does not start the soak anew', async () => {
    const { connect, client } = await start('eu-1');
    const autoscaler = {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'web', namespace: 'shop' },
      spec: {
        minReplicas: 1,
        maxReplicas: 9,
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      },
    };
    const deployment = aDeployment('web', {
      replicas: 1,
      annotations: { 'rig/ready-after': '200ms' },
    });
    const plan = aPlan(
      [aWave('canary', ['eu-1'], { soakSeconds: 1 })],
      [aRelease('eu-1', [aNamespace(), deployment, autoscaler])],
    );
    const seen: string[] = [];
    let scaling: Promise<unknown> | undefined;

    const report = await runRollout(plan, connect, {
      onEvent: (event) => {
        if (event.kind !== 'wave') return;
        seen.push(event.phase);
        if (event.phase === 'soaking') scaling ??= scaleUp();
      },
    });

    async function scaleUp(): Promise<void> {
      const eu = await client('eu-1');
      const { apiVersion, kind, metadata } = deployment;
      await eu.apply(
        { apiVersion, kind, metadata, spec: { replicas: 4 } },
        { fieldManager: 'autoscaler', force: true },
      );
    }

    await scaling;
    expect(report.outcome).toBe('done');
    expect(seen).toEqual(['applying', 'observing', 'soaking', 'passed']);
    const eu = await client('eu-1');
    expect((await eu.get(refOf(deployment)))?.['spec']).toMatchObject({ replicas: 4 });
  });
});

describe('settling', () => {
  const before = aPlan(
    [aWave('all', ['a', 'b'])],
    [
      aRelease('a', [aNamespace(), aDeployment('web', { replicas: 3 }), aConfigMap('old')]),
      aRelease('b', [aNamespace(), aDeployment('web', { replicas: 1 })]),
    ],
  );
  const moved = (facts: (cluster: string) => Parameters<typeof aDeployment>[1]): Plan => {
    const shrinking: Manifest = aManifest(aDeployment('web', { replicas: 1, ...facts('a') }));
    return aPlan(
      [
        aWave('first', ['a'], { deadlineSeconds: 3 }),
        aWave('second', ['b'], { deadlineSeconds: 3 }),
      ],
      [
        aRelease('a', [aNamespace(), shrinking], {
          deletions: [{ resource: refOf(aConfigMap('old')), reason: 'the template is gone' }],
        }),
        aRelease('b', [aNamespace(), aDeployment('web', { replicas: 3, ...facts('b') })]),
      ],
    );
  };
  const replicas = async (at: TestFleet, cluster: string): Promise<number | undefined> => {
    const live = await (await at.client(cluster)).get(refOf(aDeployment('web')));
    return (live?.['spec'] as { replicas?: number } | undefined)?.replicas;
  };

  test('what moves grows first, then shrinks, and what is gone is removed at the very end', async () => {
    const at = await start('a', 'b');
    await runRollout(before, at.connect);
    at.writes('a');
    at.writes('b');

    const report = await runRollout(
      moved(() => ({})),
      at.connect,
    );

    expect(report).toMatchObject({ outcome: 'done', settle: [{ cluster: 'a', phase: 'settled' }] });
    expect([await replicas(at, 'a'), await replicas(at, 'b')]).toEqual([1, 3]);
    expect(at.writes('a').filter((write) => write.startsWith('DELETE'))).toEqual([
      'DELETE /api/v1/namespaces/shop/configmaps/old',
    ]);
  });

  test('nothing shrinks and nothing goes when a later wave fails', async () => {
    const at = await start('a', 'b');
    await runRollout(before, at.connect);
    at.writes('a');

    const report = await runRollout(
      moved((cluster) => (cluster === 'b' ? { image: BROKEN } : {})),
      at.connect,
    );

    expect(report.outcome).toBe('failed');
    expect(report.notDone).toMatchObject([
      { cluster: 'a', why: 'not settled: nothing shrinks before all waves have passed' },
      { cluster: 'b', why: expect.stringContaining('Image') },
    ]);
    expect(await replicas(at, 'a')).toBe(3);
    expect(at.writes('a').filter((write) => write.startsWith('DELETE'))).toEqual([]);
  });

  test('what is no longer ours is not removed', async () => {
    const at = await start('a', 'b');
    await runRollout(before, at.connect);
    const a = await at.client('a');
    await a.delete(refOf(aConfigMap('old')));
    await a.apply(aConfigMap('old', { MODE: 'theirs' }), { fieldManager: 'web-operator' });

    const report = await runRollout(
      moved(() => ({})),
      at.connect,
    );

    expect(report.outcome).toBe('failed');
    expect(report.settle[0]?.reason).toBe(
      'DELETE_REFUSED ConfigMap shop/old on a is managed by "web-operator"',
    );
    expect(await a.get(refOf(aConfigMap('old')))).toMatchObject({ data: { MODE: 'theirs' } });
  });

  test('what is to be preserved is let go of and stays', async () => {
    const at = await start('a', 'b');
    const kept = aManifest(aConfigMap('old'), { preserveOnDeletion: true });
    const preserving = aPlan(
      [aWave('all', ['a', 'b'])],
      [
        aRelease('a', [aNamespace(), kept, aDeployment('web', { replicas: 3 })]),
        web('b', { replicas: 1 }),
      ],
    );
    await runRollout(preserving, at.connect);

    const report = await runRollout(
      moved(() => ({})),
      at.connect,
    );

    expect(report.outcome).toBe('done');
    const old = await (await at.client('a')).get(refOf(aConfigMap('old')));
    expect(old).toMatchObject({ data: { MODE: 'a' } });
    expect([old?.metadata.labels, old?.metadata.annotations]).toEqual([
      undefined,
      { 'fleetwright.dev/left-by': 'web-shop' },
    ]);
  });

  test('what was let go of is taken back by its application, and by no other', async () => {
    const at = await start('a');
    const old = refOf(aConfigMap('old'));
    const kept = aManifest(aConfigMap('old'), { preserveOnDeletion: true });
    const planOf = (manifests: readonly Manifest[], fields: Partial<Release> = {}): Plan =>
      aPlan([aWave('all', ['a'])], [aRelease('a', [aNamespace(), ...manifests], fields)]);
    await runRollout(planOf([kept]), at.connect);
    const deletions = [{ resource: old, reason: 'placement' }];
    await runRollout(planOf([], { deletions }), at.connect);
    const a = await at.client('a');
    expect((await a.get(old))?.metadata.labels).toBe(undefined);

    const refused = await runRollout(planOf([kept], { application: 'billing' }), at.connect);
    const back = await runRollout(planOf([kept]), at.connect);

    expect(refused.outcome).toBe('failed');
    expect(JSON.stringify(refused)).toContain(', which left it');
    expect(back.outcome).toBe('done');
    const live = await a.get(old);
    expect(live?.metadata.labels).toHaveProperty(['applyset.kubernetes.io/part-of']);
    expect(live?.metadata.annotations).not.toHaveProperty(['fleetwright.dev/left-by']);
  });

  test('nothing shrinks while a cluster of an earlier wave has gone bad since', async () => {
    const at = await start('a', 'b');
    await runRollout(
      aPlan([aWave('all', ['a', 'b'])], [web('a'), web('b', { replicas: 3 })]),
      at.connect,
    );
    const slow = { replicas: 1, image: 'nginx:2', annotations: { 'rig/ready-after': '500ms' } };
    const plan = aPlan(
      [aWave('first', ['a']), aWave('second', ['b'])],
      [web('a', { image: 'nginx:2' }), web('b', slow)],
    );
    const breakA = async (): Promise<void> => {
      const a = await at.client('a');
      await a.apply(aDeployment('web', { image: BROKEN }), {
        fieldManager: 'kubectl',
        force: true,
      });
    };
    let broken: Promise<void> | undefined;

    const report = await runRollout(plan, at.connect, {
      onEvent: (event) => {
        if (event.kind === 'wave' && event.wave === 'first' && event.phase === 'passed')
          broken = breakA();
      },
    });
    await broken;

    expect(report.outcome).toBe('failed');
    expect(report.settle).toMatchObject([
      {
        cluster: 'b',
        phase: 'failed',
        reason: expect.stringMatching(
          /^nothing shrinks while a cluster is not ready: OBJECT_NOT_READY Deployment shop\/web on a/,
        ),
      },
    ]);
    expect(await replicas(at, 'b')).toBe(3);
  });
});
