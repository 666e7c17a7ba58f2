import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { KubeObject } from '../../../lib/api/object.js';
import { SUSPENSION_MEMORY } from '../../../lib/engine/karmada/index.js';
import type { Plan } from '../../../lib/engine/plan.js';
import {
  runKarmadaRollout,
  type KarmadaReport,
  type KarmadaRolloutOptions,
} from '../../../lib/providers/karmada/index.js';
import type { RolloutProgress } from '../../../lib/providers/rollout/index.js';
import { aWave } from '../rollout/releases.js';
import { aControlPlane, type ControlPlane } from './control-plane.js';
import {
  aConfigMap,
  aDeployment,
  aKarmadaPlan,
  aPolicy,
  followingConfigMap,
  WAVES,
  withEnvironment,
  type PlanFacts,
} from './documents.js';
import type { FakeOptions } from './fake-karmada.js';

const POLICY = {
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind: 'PropagationPolicy',
  namespace: 'shop',
  name: 'web',
} as const;
const ONE = 'example/web:1';
const TWO = 'example/web:2';

jest.setTimeout(60_000);

let plane: ControlPlane;
afterEach(() => plane.close());

/** A control plane on which image 1 runs everywhere, placed as `documents` say. */
async function running(
  documents: readonly KubeObject[] = [aPolicy(), aDeployment(ONE)],
  facts: PlanFacts = {},
  options: Partial<FakeOptions> = {},
): Promise<void> {
  plane = await aControlPlane(options);
  const waves = [aWave('all', Object.keys(facts.shares ?? { member1: 0, member2: 0, member3: 0 }))];
  const report = await up(documents, { ...facts, waves });
  expect(report.outcome).toBe('done');
  written = plane.writes().length;
  dispatched = plane.fake.dispatches.length;
}
let written = 0;
let dispatched = 0;

function up(
  documents: readonly KubeObject[],
  facts: PlanFacts = {},
  options: KarmadaRolloutOptions = {},
  change: (plan: Plan) => Plan = (plan) => plan,
): Promise<KarmadaReport> {
  const plan = change(aKarmadaPlan(documents, facts));
  return runKarmadaRollout(plan, documents, plane.client, { phaseSeconds: 8, ...options });
}

/** `member3 example/web:2 x3`, since {@link running}. */
const arrived = (): readonly string[] =>
  plane.fake.dispatches
    .slice(dispatched)
    .map((d) =>
      d.deleted === true
        ? `${d.cluster} deleted`
        : `${d.cluster} ${d.image ?? d.kind} x${d.replicas ?? 1}`,
    );
const writes = (): readonly string[] => plane.writes().slice(written);

async function suspension(): Promise<{ clusters: readonly string[]; memory?: string }> {
  const policy = await plane.client.get(POLICY);
  const { suspension: field } = policy?.['spec'] as {
    suspension?: { dispatchingOnClusters?: { clusterNames?: string[] } };
  };
  const memory = policy?.metadata.annotations?.[SUSPENSION_MEMORY];
  return {
    clusters: field?.dispatchingOnClusters?.clusterNames ?? [],
    ...(memory !== undefined && { memory }),
  };
}

/** What a person would do with `kubectl edit`. */
async function personSuspends(clusterNames: readonly string[]): Promise<void> {
  const suspended = { dispatchingOnClusters: { clusterNames } };
  await plane.client.apply(
    {
      apiVersion: POLICY.apiVersion,
      kind: POLICY.kind,
      metadata: { name: 'web', namespace: 'shop' },
      spec: { suspension: suspended },
    },
    { fieldManager: 'kubectl-edit', force: true },
  );
}

describe('waves through a control plane', () => {
  test('an image goes out one cluster at a time, and the field is gone at the end (recording c1)', async () => {
    await running();
    const events: RolloutProgress[] = [];

    const report = await up([aPolicy(), aDeployment(TWO)], {}, { onEvent: (e) => events.push(e) });

    expect(report).toMatchObject({ outcome: 'done', notDone: [], suspended: [] });
    expect(arrived()).toEqual([`member3 ${TWO} x3`, `member2 ${TWO} x2`, `member1 ${TWO} x1`]);
    expect(writes()).toEqual([
      'fleetwright-rollout propagationpolicies/web',
      'fleetwright deployments/web',
      'fleetwright-rollout propagationpolicies/web',
      'fleetwright-rollout propagationpolicies/web',
      'fleetwright-rollout propagationpolicies/web',
      'fleetwright-rollout propagationpolicies/web',
    ]);
    expect(await suspension()).toEqual({ clusters: [] });
    const phases = events.flatMap((e) => (e.kind === 'wave' ? [`${e.wave} ${e.phase}`] : []));
    expect(phases).toEqual([
      'member3 applying',
      'member3 observing',
      'member3 passed',
      'member2 applying',
      'member2 observing',
      'member2 passed',
      'member1 applying',
      'member1 observing',
      'member1 passed',
    ]);
    expect(events.at(-1)).toMatchObject({ kind: 'outcome', outcome: 'done' });
  });

  test('the update waits for the Works, so that a controller with old policies leaks nothing (c5)', async () => {
    await running();
    plane.fake.options.policyLag = 6;

    const report = await up([aPolicy(), aDeployment(TWO)]);

    expect(report.outcome).toBe('done');
    expect(arrived()).toEqual([`member3 ${TWO} x3`, `member2 ${TWO} x2`, `member1 ${TWO} x1`]);
  });

  test('sent back to back, the same controller does leak (what the wait is for)', async () => {
    await running();
    plane.fake.options.policyLag = 6;

    await personSuspends(['member1', 'member2', 'member3']);
    await plane.client.apply(aDeployment(TWO));
    const changed = new AbortController();
    for await (const event of plane.client.watch(
      { apiVersion: 'work.karmada.io/v1alpha1', kind: 'Work' },
      {},
      changed.signal,
    ))
      if (
        event.type === 'MODIFIED' &&
        (event.object['spec'] as { suspendDispatching?: boolean }).suspendDispatching === true
      )
        changed.abort();

    expect(arrived().length).toBeGreaterThan(0);
  });

  test('replicas and image change together; each cluster gets both with its wave (c2, c10)', async () => {
    await running();
    const shares = { member1: 2, member2: 4, member3: 6 };

    const report = await up([aPolicy(), aDeployment(TWO, 12)], { shares });

    expect(report.outcome).toBe('done');
    expect(arrived()).toEqual([`member3 ${TWO} x6`, `member2 ${TWO} x4`, `member1 ${TWO} x2`]);
  });

  test('a new application: the policy never exists without its suspension (c6)', async () => {
    plane = await aControlPlane();

    const report = await up([aPolicy(), aDeployment(ONE)]);

    expect(report.outcome).toBe('done');
    expect(plane.writes().slice(0, 3)).toEqual([
      'fleetwright-rollout propagationpolicies/web',
      'fleetwright propagationpolicies/web',
      'fleetwright deployments/web',
    ]);
    expect(plane.fake.dispatches.map(({ cluster }) => cluster)).toEqual([
      'member3',
      'member2',
      'member1',
    ]);
  });

  test('nothing changed: nothing is written, and no approval is asked for', async () => {
    await running();
    const waves = WAVES.map((wave) => ({ ...wave, gate: { ...wave.gate, approval: true } }));

    const report = await up([aPolicy(), aDeployment(ONE)], { waves });

    expect(report.outcome).toBe('done');
    expect(writes()).toEqual([]);
  });

  test('objects without generation or replicas pass when they are applied', async () => {
    const settings = (level: string): KubeObject => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'settings', namespace: 'shop' },
      data: { level },
    });
    const selectors = [
      { apiVersion: 'v1', kind: 'ConfigMap', name: 'settings' },
      { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
    ];
    const policy = aPolicy(undefined, { selectors });
    await running([policy, settings('1'), aDeployment(ONE)]);

    const report = await up([policy, settings('2'), aDeployment(ONE)]);

    expect(report.outcome).toBe('done');
    expect(arrived()).toEqual([
      'member3 ConfigMap x1',
      'member2 ConfigMap x1',
      'member1 ConfigMap x1',
    ]);
  });
});

describe('dependencies of a workload', () => {
  const held = { 'fleetwright.dev/hold-dependencies': 'true' };
  const policy = (annotations: Record<string, string>): KubeObject => {
    const plain = aPolicy(undefined, { spec: { propagateDeps: true } });
    return { ...plain, metadata: { ...plain.metadata, annotations } };
  };
  const documents = (
    image: string,
    level: string,
    annotations: Record<string, string>,
  ): readonly KubeObject[] => [
    policy(annotations),
    aConfigMap(level),
    withEnvironment(aDeployment(image), 'settings'),
  ];
  test('are not held by Karmada: everywhere at once, before the first wave, and the report says so (i)', async () => {
    plane = await aControlPlane();
    await up(documents(ONE, '1', {}), {}, {}, followingConfigMap);
    dispatched = plane.fake.dispatches.length;

    const report = await up(documents(TWO, '2', {}), {}, {}, followingConfigMap);

    expect(report.outcome).toBe('done');
    expect([...arrived().slice(0, 3)].sort()).toEqual([
      'member1 ConfigMap x1',
      'member2 ConfigMap x1',
      'member3 ConfigMap x1',
    ]);
    expect(report.diagnostics.map(({ code }) => code)).toEqual(['KARMADA_DEPENDENCY_NOT_HELD']);
  });

  test('are held when the policy asks for it: each cluster gets them with its wave', async () => {
    plane = await aControlPlane();
    await up(documents(ONE, '1', {}), {}, {}, followingConfigMap);
    dispatched = plane.fake.dispatches.length;

    const report = await up(documents(TWO, '2', held), {}, {}, followingConfigMap);

    expect(report).toMatchObject({ outcome: 'done', diagnostics: [], suspended: [] });
    expect(arrived().map((line) => line.split(' ')[0])).toEqual([
      'member3',
      'member3',
      'member2',
      'member2',
      'member1',
      'member1',
    ]);
    expect(arrived().filter((line) => line.includes('ConfigMap'))).toHaveLength(3);
    const own = await plane.client.get({ ...POLICY, name: 'held-settings-configmap' });
    expect(own?.['spec']).toMatchObject({
      resourceSelectors: [{ kind: 'ConfigMap', name: 'settings' }],
      placement: { clusterAffinity: { clusterNames: ['member1', 'member2', 'member3'] } },
    });
    expect((own?.['spec'] as { suspension?: object }).suspension ?? {}).toEqual({});
  });

  test('held ones leave a cluster together with their workload, after the others have grown', async () => {
    plane = await aControlPlane();
    const before = { member1: 2, member2: 2 };
    const after = { member2: 2, member3: 2 };
    const at = (shares: typeof before | typeof after, image: string): readonly KubeObject[] => {
      const plain = aPolicy(shares, { spec: { propagateDeps: true } });
      return [
        { ...plain, metadata: { ...plain.metadata, annotations: held } },
        aConfigMap('1'),
        withEnvironment(aDeployment(image, 4), 'settings'),
      ];
    };
    const first = [aWave('all', ['member1', 'member2'])];
    expect(
      (await up(at(before, ONE), { shares: before, waves: first }, {}, followingConfigMap)).outcome,
    ).toBe('done');
    dispatched = plane.fake.dispatches.length;

    const waves = [aWave('first', ['member3']), aWave('second', ['member2', 'member1'])];
    const report = await up(at(after, TWO), { shares: after, waves }, {}, followingConfigMap);

    expect(report.outcome).toBe('done');
    expect(arrived().slice(-2)).toEqual(['member1 deleted', 'member1 deleted']);
    expect(arrived()).toContain('member3 ConfigMap x1');
    expect(arrived().filter((line) => line === 'member2 ConfigMap x1')).toEqual([]);
  });
});

describe('growing before shrinking', () => {
  test('a cluster leaves only after the others have grown (c3)', async () => {
    const before = { member1: 2, member2: 2 };
    await running([aPolicy(before), aDeployment(ONE, 4)], { shares: before });
    const after = { member2: 2, member3: 2 };
    const waves = [aWave('first', ['member3']), aWave('second', ['member2', 'member1'])];

    const report = await up([aPolicy(after), aDeployment(TWO, 4)], { shares: after, waves });

    expect(report.outcome).toBe('done');
    expect(arrived()).toEqual([`member3 ${TWO} x2`, `member2 ${TWO} x2`, 'member1 deleted']);
    expect(await suspension()).toEqual({ clusters: [] });
    const policy = await plane.client.get(POLICY);
    expect(policy?.['spec']).toMatchObject({
      placement: { clusterAffinity: { clusterNames: ['member2', 'member3'] } },
    });
  });

  test('replicas that move are there twice until the end', async () => {
    const before = { member1: 4, member2: 2 };
    await running([aPolicy(before), aDeployment(ONE)], { shares: before });
    const after = { member1: 2, member2: 4 };
    const waves = [aWave('first', ['member1']), aWave('second', ['member2'])];

    const report = await up([aPolicy(after), aDeployment(ONE)], { shares: after, waves });

    expect(report.outcome).toBe('done');
    expect(arrived()).toEqual([`member2 ${ONE} x4`, `member1 ${ONE} x2`]);
  });

  const selectors = [{ apiVersion: 'apps/v1', kind: 'Deployment' }];
  const every = (image: string, replicas = 4): readonly KubeObject[] => [
    aDeployment(image, replicas),
    aDeployment(image, replicas, 'api'),
  ];

  test('several divided workloads under one policy, only images change: stepped without pinning', async () => {
    const shares = { member1: 2, member2: 2 };
    await running([aPolicy(shares, { selectors }), ...every(ONE)], { shares });
    const waves = [aWave('first', ['member2']), aWave('second', ['member1'])];

    const report = await up([aPolicy(shares, { selectors }), ...every(TWO)], { shares, waves });

    expect(report.outcome).toBe('done');
    expect(arrived()).toEqual([
      `member2 ${TWO} x2`,
      `member2 ${TWO} x2`,
      `member1 ${TWO} x2`,
      `member1 ${TWO} x2`,
    ]);
  });

  test('several divided workloads in one proportion grow first together', async () => {
    const before = { member1: 2, member2: 2 };
    await running([aPolicy(before, { selectors }), ...every(ONE)], { shares: before });
    const after = { member2: 2, member3: 2 };
    const waves = [aWave('first', ['member3']), aWave('second', ['member2', 'member1'])];

    const report = await up([aPolicy(after, { selectors }), ...every(TWO)], {
      shares: after,
      waves,
    });

    expect(report.outcome).toBe('done');
    expect(arrived()).toEqual([
      `member3 ${TWO} x2`,
      `member3 ${TWO} x2`,
      `member2 ${TWO} x2`,
      `member2 ${TWO} x2`,
      'member1 deleted',
      'member1 deleted',
    ]);
  });

  test('in different proportions they cannot: refused before anything is written, with what to do', async () => {
    const before = { member1: 2, member2: 2 };
    await running([aPolicy(before, { selectors }), ...every(ONE)], { shares: before });
    const after = { member2: 2, member3: 2 };
    const lopsided = (plan: Plan): Plan => ({
      ...plan,
      bindings: plan.bindings.map((binding) =>
        binding.resource.name === 'api'
          ? {
              ...binding,
              assignments: [
                { cluster: 'member2', wave: 'all', replicas: 1 },
                { cluster: 'member3', wave: 'all', replicas: 3 },
              ],
            }
          : binding,
      ),
    });

    const report = await up(
      [aPolicy(after, { selectors }), ...every(ONE)],
      { shares: after },
      {},
      lopsided,
    );

    expect(report).toMatchObject({ outcome: 'failed', diagnostics: [{ code: 'KARMADA_STOPPED' }] });
    expect(report.diagnostics[0]?.summary).toContain(
      'Deployment shop/web (member1 2, member2 2, member3 2) and of Deployment shop/api (member1 2, member2 2, member3 3)',
    );
    expect(report.diagnostics[0]?.hint).toContain('a policy of its own');
    expect(writes()).toEqual([]);
  });

  test('a removed template is deleted last (c4)', async () => {
    const selectors = [{ apiVersion: 'apps/v1', kind: 'Deployment' }];
    const policy = aPolicy(undefined, { selectors });
    await running([policy, aDeployment(ONE), aDeployment(ONE, 6, 'old')]);
    const resource = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'old' };

    const report = await up([policy, aDeployment(TWO)], {}, {}, (plan) => ({
      ...plan,
      releases: [
        {
          application: 'web-shop',
          cluster: 'member1',
          wave: 'member1',
          manifests: [],
          deletions: [{ resource, reason: 'gone' }],
        },
      ],
    }));

    expect(report.outcome).toBe('done');
    expect(writes().filter((line) => line.startsWith('delete'))).toEqual([
      'delete deployments/old',
    ]);
    expect(writes().indexOf('delete deployments/old')).toBeGreaterThan(4);
    expect(await plane.client.get(resource)).toBeUndefined();
  });
});

describe('runs that end early', () => {
  test('a killed run continues from the field: what was released stays so, and nobody is asked again', async () => {
    await running();
    const waves = WAVES.map((wave) => ({ ...wave, gate: { ...wave.gate, approval: true } }));
    const documents = [aPolicy(), aDeployment(TWO)];
    const first = await up(documents, { waves }, { approve: ['member3'] });
    expect(first).toMatchObject({
      outcome: 'held',
      heldBy: { wave: 'member2', reason: 'approval' },
    });
    expect((await suspension()).clusters).toEqual(['member1', 'member2']);
    expect(first.suspended).toEqual([
      { policy: 'PropagationPolicy shop/web', byRollout: ['member1', 'member2'], byOthers: [] },
    ]);

    const second = await up(documents, { waves }, { approve: ['member2', 'member1'] });

    expect(second.outcome).toBe('done');
    expect(arrived()).toEqual([`member3 ${TWO} x3`, `member2 ${TWO} x2`, `member1 ${TWO} x1`]);
    expect(await suspension()).toEqual({ clusters: [] });
  });

  test('another change while partly released holds everything again: who had not seen the first never does (c7)', async () => {
    await running();
    const waves = WAVES.map((wave) => ({
      ...wave,
      gate: { ...wave.gate, approval: wave.name !== 'member3' },
    }));
    await up([aPolicy(), aDeployment(TWO)], { waves });

    const back = await up([aPolicy(), aDeployment(ONE)]);

    expect(back.outcome).toBe('done');
    expect(arrived()).toEqual([`member3 ${TWO} x3`, `member3 ${ONE} x3`]);
    expect(await suspension()).toEqual({ clusters: [] });
  });

  test('a person answers the question of a held wave', async () => {
    await running();
    const waves = WAVES.map((wave) => ({ ...wave, gate: { ...wave.gate, approval: true } }));
    const asked: string[] = [];

    const report = await up(
      [aPolicy(), aDeployment(TWO)],
      { waves },
      {
        askApproval: (wave) => {
          asked.push(wave.name);
          return Promise.resolve(wave.name !== 'member1');
        },
      },
    );

    expect(report).toMatchObject({ outcome: 'held', heldBy: { wave: 'member1' } });
    expect(asked).toEqual(['member3', 'member2', 'member1']);
    expect((await suspension()).clusters).toEqual(['member1']);
  });

  test('an interrupted run stops where it is', async () => {
    await running();
    const stop = new AbortController();

    const report = await up(
      [aPolicy(), aDeployment(TWO)],
      {},
      {
        signal: stop.signal,
        onEvent: (event) => {
          if (event.kind === 'wave' && event.phase === 'passed') stop.abort();
        },
      },
    );

    expect(report.outcome).toBe('aborted');
    expect(arrived()).toEqual([`member3 ${TWO} x3`]);
    expect((await suspension()).clusters).toEqual(['member1', 'member2']);
  });

  test('pods that never get ready fail their wave; later clusters keep what they have (d)', async () => {
    await running();
    plane.fake.options.neverReadyOn = new Set(['member2']);
    const waves = WAVES.map((wave) => ({ ...wave, gate: { ...wave.gate, deadlineSeconds: 3 } }));

    const report = await up([aPolicy(), aDeployment(TWO)], { waves });

    expect(report.outcome).toBe('failed');
    expect(report.notDone.map(({ cluster, why }) => [cluster, why])).toEqual([
      ['member2', 'not ready at the deadline of the wave: Deployment shop/web: 0 of 2 updated'],
      ['member1', 'untouched: wave "member2" has not passed'],
    ]);
    expect((await suspension()).clusters).toEqual(['member1']);
  });

  test('a failed override shows only as a missing generation, and is named with a hint (k)', async () => {
    await running();
    plane.fake.options.failOn = new Set(['member2']);
    const waves = [aWave('all', ['member1', 'member2', 'member3'], { deadlineSeconds: 3 })];

    const report = await up([aPolicy(), aDeployment(TWO)], { waves });

    expect(report.outcome).toBe('failed');
    expect(report.notDone).toHaveLength(1);
    expect(report.notDone[0]?.why).toContain('the Work has generation');
    expect(report.diagnostics).toMatchObject([
      { code: 'KARMADA_MANIFEST_MISSING', severity: 'error' },
    ]);
    expect(report.diagnostics[0]?.hint).toContain('override policy');
    expect([...arrived()].sort()).toEqual([`member1 ${TWO} x1`, `member3 ${TWO} x3`]);
  });

  test('Karmada decides otherwise: nothing is released', async () => {
    await running();
    plane.fake.options.decide = () => [
      { name: 'member1', replicas: 6 },
      { name: 'member2', replicas: 6 },
    ];

    const report = await up([aPolicy(), aDeployment(TWO, 12)], {
      shares: { member1: 2, member2: 4, member3: 6 },
    });

    expect(report.outcome).toBe('failed');
    expect(report.diagnostics[0]).toMatchObject({ code: 'KARMADA_STOPPED' });
    expect(report.diagnostics[0]?.summary).toContain(
      'Karmada decided member1 6, member2 6, the plan says member1 2, member2 4, member3 6',
    );
    expect(arrived().filter((line) => !line.endsWith('deleted'))).toEqual([]);
  });

  test('a control plane that does not move is given up after a while', async () => {
    await running();
    await plane.fake.stop();

    const report = await up([aPolicy(), aDeployment(TWO)], {}, { phaseSeconds: 1 });

    expect(report.outcome).toBe('failed');
    expect(report.diagnostics[0]?.summary).toContain('to be suspended');
    expect(writes()).toEqual(['fleetwright-rollout propagationpolicies/web']);
  });
});

describe('what others suspended', () => {
  test('stays suspended, and the waves go on without it', async () => {
    await running();
    await personSuspends(['member2']);

    const report = await up([aPolicy(), aDeployment(TWO)]);

    expect(report).toMatchObject({
      outcome: 'held',
      heldBy: { wave: 'member2' },
      diagnostics: [{ code: 'KARMADA_SUSPENDED_BY_OTHERS' }],
      suspended: [{ byRollout: [], byOthers: ['member2'] }],
    });
    expect(arrived()).toEqual([`member3 ${TWO} x3`, `member1 ${TWO} x1`]);
    expect(await suspension()).toEqual({ clusters: ['member2'] });
  });

  test('running the same again says the same, at once', async () => {
    await running();
    await personSuspends(['member2']);
    await up([aPolicy(), aDeployment(TWO)]);
    written = plane.writes().length;

    const again = await up([aPolicy(), aDeployment(TWO)]);

    expect(again).toMatchObject({
      outcome: 'held',
      diagnostics: [{ code: 'KARMADA_SUSPENDED_BY_OTHERS' }],
    });
    expect(writes()).toEqual([]);
  });

  test('stays suspended although it happens in the middle of a rollout', async () => {
    await running();
    const waves = WAVES.map((wave) => ({
      ...wave,
      gate: { ...wave.gate, approval: wave.name === 'member2' },
    }));

    const report = await up(
      [aPolicy(), aDeployment(TWO)],
      { waves },
      {
        askApproval: async () => {
          await personSuspends(['member1', 'member2', 'member3']);
          return true;
        },
      },
    );

    // member1 and member2 were held by the rollout; member3 had been released, so this is the person's.
    expect(report).toMatchObject({ outcome: 'held', suspended: [{ byOthers: ['member3'] }] });
    expect(arrived()).toEqual([`member3 ${TWO} x3`, `member2 ${TWO} x2`, `member1 ${TWO} x1`]);
    expect(await suspension()).toEqual({ clusters: ['member3'] });
  });

  test('in the document: never released, and the annotation remembers whose they are', async () => {
    await running();
    const suspended = { dispatchingOnClusters: { clusterNames: ['member1'] } };
    const held = await up([aPolicy(undefined, { suspension: suspended }), aDeployment(TWO)]);
    expect(held.outcome).toBe('held');
    expect(arrived()).toEqual([`member3 ${TWO} x3`, `member2 ${TWO} x2`]);
    expect((await suspension()).clusters).toEqual(['member1']);

    const freed = await up([aPolicy(), aDeployment(TWO)]);

    expect(freed.outcome).toBe('done');
    expect(arrived().at(-1)).toBe(`member1 ${TWO} x1`);
    expect(await suspension()).toEqual({ clusters: [] });
  });

  test.each([
    ['the whole policy (e)', { suspension: { dispatching: true } }, 'suspends dispatching'],
    ['a Lazy policy', { activationPreference: 'Lazy' }, 'is Lazy'],
  ])('%s: stops before anything is written', async (_name, spec, why) => {
    await running();
    await plane.client.apply(
      { ...aPolicy(undefined, { spec }), metadata: { name: 'web', namespace: 'shop' } },
      { fieldManager: 'kubectl-edit', force: true },
    );

    const report = await up([aPolicy(), aDeployment(TWO)]);

    expect(report.outcome).toBe('failed');
    expect(report.diagnostics[0]?.summary).toContain(why);
    expect(writes()).toEqual([]);
  });
});
