import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { parse } from 'yaml';
import type { KubeObject } from '../../lib/api/object.js';
import { STEADY_CLOCK } from '../../lib/providers/rollout/index.js';
import { startSandbox } from '../../lib/providers/sandbox/index.js';
import { aControlPlane, type ControlPlane } from '../providers/karmada/control-plane.js';
import { copyOf, put, run, type Ran } from './run.js';

jest.setTimeout(60_000);

const CLUSTERS = ['cluster-a', 'cluster-b', 'cluster-c'];

const WAVES = `apiVersion: fleetwright.dev/v1alpha1
kind: Rollout
metadata: { name: nginx }
spec:
  waves:
    - { name: first, clusterAffinity: { clusterNames: [cluster-c] } }
    - { name: second, clusterAffinity: { clusterNames: [cluster-b] }, approval: true, deadline: 10s }
    - { name: third, clusterAffinity: { clusterNames: [cluster-a] } }
`;

const POLICY = `apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: { name: nginx }
spec:
  resourceSelectors: [{ apiVersion: apps/v1, kind: Deployment }, { apiVersion: v1, kind: ConfigMap }]
  placement: { clusterAffinity: { clusterNames: [cluster-a, cluster-b, cluster-c] } }
`;

let plane: ControlPlane;
let cwd = '';

beforeEach(async () => {
  plane = await aControlPlane({}, CLUSTERS);
  cwd = copyOf('04-karmada-nginx');
  put(cwd, 'overridepolicy.yaml', '');
  put(cwd, 'propagationpolicy.yaml', POLICY);
  const fleet = readFileSync(join(cwd, 'fleet.yaml'), 'utf8');
  put(
    cwd,
    'fleet.yaml',
    fleet.replace(/member([123])/g, (_all, n: string) => `cluster-${'abc'[Number(n) - 1] ?? ''}`),
  );
  writeFileSync(join(cwd, 'kubeconfig'), plane.kubeconfig);
  put(cwd, 'rollout.yaml', WAVES);
  setImage('1.0');
});
afterEach(() => plane.close());

const FLAGS = '-f . --app nginx --target karmada --kubeconfig kubeconfig --karmada-context karmada';
const up = (more = '--approve all'): Promise<Ran> => run(`up ${FLAGS} --yes ${more}`, { cwd });
const status = (more = ''): Promise<Ran> => run(`status ${FLAGS} ${more}`, { cwd });
const setImage = (tag: string): void => {
  const deployment = readFileSync(join(cwd, 'deployment.yaml'), 'utf8');
  put(cwd, 'deployment.yaml', deployment.replace(/image: nginx\S*/, `image: nginx:${tag}`));
};
const rolledOut = async (): Promise<void> => {
  const ran = await up();
  expect([ran.code, ran.code === 0 ? '' : ran.stdout + ran.stderr]).toEqual([0, '']);
};
/** Ask until the controllers have come to where `text` stands in the answer. */
const statusSaying = async (text: string): Promise<Ran> => {
  for (;;) {
    const ran = await status();
    if (ran.stdout.includes(text)) return ran;
    await STEADY_CLOCK.sleep(20);
  }
};
const personSuspends = (clusterNames: readonly string[]): Promise<unknown> =>
  plane.client.apply(
    {
      apiVersion: 'policy.karmada.io/v1alpha1',
      kind: 'PropagationPolicy',
      metadata: { name: 'nginx', namespace: 'default' },
      spec: { suspension: { dispatchingOnClusters: { clusterNames } } },
    },
    { fieldManager: 'kubectl-edit', force: true },
  );

describe('status --target karmada', () => {
  test('nothing applied yet: what is missing, and the command that brings it', async () => {
    const ran = await status();

    expect(ran.stdout).toBe(`Deployment default/nginx  generation 0  observed 0/3  ready 0/3
  is not on the control plane · planned: cluster-a 2, cluster-b 2, cluster-c 2

Missing on the control plane
  Deployment default/nginx
  PropagationPolicy default/nginx

Continue with:  fleetwright up ${FLAGS}
`);
    expect(ran.code).toBe(1);
  });

  test('done: every template with its policy and its clusters, exit code 0, and nothing is written', async () => {
    await rolledOut();
    const before = plane.writes();

    const ran = await status();

    expect(ran.stdout).toBe(`Deployment default/nginx  generation 1  observed 3/3  ready 3/3
  by PropagationPolicy default/nginx · cluster-a 2, cluster-b 2, cluster-c 2
`);
    expect(ran.code).toBe(0);
    expect(plane.writes()).toEqual(before);
  });

  test('in the middle of a step: which wave, what holds it, and what every cluster says', async () => {
    await rolledOut();
    setImage('2.0');
    expect((await up('')).code).toBe(2);

    const ran = await status();

    expect(ran.stdout).toBe(`Deployment default/nginx  generation 2  observed 1/3  ready 1/3
  by PropagationPolicy default/nginx · Karmada: observed 2 of 2
  cluster-a  2 replicas · Healthy · 2 updated, 2 ready, 2 available · generation 1 · held by the rollout
  cluster-b  2 replicas · Healthy · 2 updated, 2 ready, 2 available · generation 1 · held by the rollout
  cluster-c  2 replicas · Healthy · 2 updated, 2 ready, 2 available · generation 2

Rollout  wave second (2 of 3) is held, and waits for approval
  wave first  done: released cluster-c
  wave second  held cluster-b
  wave third  held cluster-a

Continue with:  fleetwright up ${FLAGS} --approve second
`);
    expect(ran.code).toBe(1);
  });

  test('a change that is not applied differs, and nothing is said of waves', async () => {
    await rolledOut();
    setImage('2.0');

    const ran = await status();

    expect(ran.stdout).toBe(`Deployment default/nginx  generation 1  observed 3/3  ready 3/3
  by PropagationPolicy default/nginx · Karmada: observed 1 of 1
  differs from the plan
  cluster-a  2 replicas · Healthy · 2 updated, 2 ready, 2 available · generation 1
  cluster-b  2 replicas · Healthy · 2 updated, 2 ready, 2 available · generation 1
  cluster-c  2 replicas · Healthy · 2 updated, 2 ready, 2 available · generation 1

Other than planned
  Deployment default/nginx

Continue with:  fleetwright up ${FLAGS}
`);
    expect(ran.code).toBe(1);
  });

  test('held for a change that is planned no more', async () => {
    await rolledOut();
    setImage('2.0');
    expect((await up('')).code).toBe(2);
    setImage('3.0');

    const ran = await status();

    expect(ran.stdout).toContain('held for another change than the one planned now');
    expect(ran.code).toBe(1);
  });

  test('a member that refuses: its words', async () => {
    await rolledOut();
    plane.fake.options.refusedOn = new Map([['cluster-b', 'admission webhook "x" denied it']]);
    setImage('2.0');
    expect((await up()).code).toBe(1);

    const ran = await status();

    expect(ran.stdout).toBe(`Deployment default/nginx  generation 2  observed 1/3  ready 1/3
  by PropagationPolicy default/nginx · Karmada: observed 2 of 2
  cluster-a  2 replicas · Healthy · 2 updated, 2 ready, 2 available · generation 1 · held by the rollout
  cluster-b  2 replicas · Unknown · is not applied: admission webhook "x" denied it
  cluster-c  2 replicas · Healthy · 2 updated, 2 ready, 2 available · generation 2

Rollout  wave second (2 of 3) is released, and not done everywhere
  wave first  done: released cluster-c
  wave second  released cluster-b
  wave third  held cluster-a

Continue with:  fleetwright up ${FLAGS}
`);
    expect(ran.code).toBe(1);
  });

  test('suspended by a person: by whom and where, and not ready although it runs', async () => {
    await rolledOut();
    await personSuspends(['cluster-b']);

    const ran = await statusSaying('· suspended by somebody else');

    expect(ran.stdout).toBe(`Deployment default/nginx  generation 1  observed 3/3  ready 2/3
  by PropagationPolicy default/nginx · Karmada: observed 1 of 1
  cluster-a  2 replicas · Healthy · 2 updated, 2 ready, 2 available · generation 1
  cluster-b  2 replicas · Healthy · 2 updated, 2 ready, 2 available · generation 1 · suspended by somebody else
  cluster-c  2 replicas · Healthy · 2 updated, 2 ready, 2 available · generation 1

Suspended
  PropagationPolicy default/nginx: cluster-b by somebody else (spec.suspension.dispatchingOnClusters); no rollout releases this
`);
    expect(ran.code).toBe(1);
  });

  test('what the plan has no more is named until up deletes it', async () => {
    put(
      cwd,
      'settings.yaml',
      '{ apiVersion: v1, kind: ConfigMap, metadata: { name: settings }, data: { a: b } }',
    );
    await rolledOut();
    put(cwd, 'settings.yaml', '');

    const ran = await status();

    expect(ran.stdout).toContain(`Not in the plan any more
  ConfigMap default/settings · on cluster-a, cluster-b, cluster-c · up deletes it
`);
    expect(ran.code).toBe(1);
  });

  test('a template that a policy still propagates and no plan remembers is named, and does not count', async () => {
    put(
      cwd,
      'settings.yaml',
      '{ apiVersion: v1, kind: ConfigMap, metadata: { name: settings }, data: { a: b } }',
    );
    await rolledOut();
    put(cwd, 'settings.yaml', '');
    rmSync(join(cwd, 'fleet.lock.yaml'));

    const ran = await status();

    expect(ran.stdout).toContain(
      'ConfigMap default/settings · on cluster-a, cluster-b, cluster-c · its policy still propagates it',
    );
    expect(ran.code).toBe(0);
  });

  test('values of Secrets are never shown', async () => {
    const secret = (word: string): string =>
      `{ apiVersion: v1, kind: Secret, metadata: { name: token, namespace: default }, stringData: { token: "${word}" } }`;
    put(cwd, 'propagationpolicy.yaml', POLICY.replace('v1, kind: ConfigMap', 'v1, kind: Secret'));
    put(cwd, 'secret.yaml', secret('open-sesame'));
    await plane.client.apply(parse(secret('another-word')) as KubeObject, { fieldManager: 'x' });

    const said = [await status(), await status('--json')].map((ran) => ran.stdout + ran.stderr);

    expect(said[0]).toContain('Other than planned\n  Secret default/token\n');
    for (const word of ['open-sesame', 'another-word']) {
      expect(said.join()).not.toContain(word);
      expect(said.join()).not.toContain(Buffer.from(word).toString('base64'));
    }
  });

  test('--json has the same, in a shape that stays', async () => {
    await rolledOut();
    setImage('2.0');
    expect((await up('')).code).toBe(2);

    const ran = await status('--json');

    const cluster = {
      planned: true,
      plannedReplicas: 2,
      replicas: 2,
      applied: true,
      health: 'Healthy',
    };
    const counts = { availableReplicas: 2, readyReplicas: 2, replicas: 2, updatedReplicas: 2 };
    const held = {
      ...cluster,
      generation: 1,
      status: { ...counts, generation: 1, observedGeneration: 1 },
      suspendedBy: 'rollout',
      ready: false,
      waitingFor: 'the Work is suspended',
    };
    const policy = { kind: 'PropagationPolicy', namespace: 'default', name: 'nginx' };
    expect(JSON.parse(ran.stdout)).toEqual({
      schemaVersion: 1,
      target: 'karmada',
      ready: false,
      rollout: {
        id: expect.stringMatching(/^[0-9a-f]{12}$/),
        step: 'waves',
        waves: [
          { name: 'first', phase: 'done', held: [], released: ['cluster-c'] },
          {
            name: 'second',
            phase: 'held',
            held: ['cluster-b'],
            released: [],
            waitsFor: 'approval',
          },
          { name: 'third', phase: 'held', held: ['cluster-a'], released: [] },
        ],
      },
      suspensions: [
        {
          policy: 'PropagationPolicy default/nginx',
          whole: false,
          byRollout: ['cluster-a', 'cluster-b'],
          byDocument: [],
          byOthers: [],
        },
      ],
      templates: [
        {
          resource: {
            apiVersion: 'apps/v1',
            kind: 'Deployment',
            namespace: 'default',
            name: 'nginx',
          },
          state: 'same',
          policy,
          plannedPolicy: policy,
          generation: 2,
          observedGeneration: 0,
          behind: ['cluster-a', 'cluster-b'],
          karmadaObservedGeneration: 2,
          ready: false,
          findings: [],
          clusters: [
            { ...held, cluster: 'cluster-a' },
            { ...held, cluster: 'cluster-b' },
            {
              ...cluster,
              cluster: 'cluster-c',
              generation: 2,
              status: { ...counts, generation: 2, observedGeneration: 2 },
              ready: true,
              waitingFor: '',
            },
          ],
        },
      ],
      documents: [],
      leftovers: [],
      continueWith: `fleetwright up ${FLAGS} --approve second`,
    });
    expect(ran.code).toBe(1);
  });

  test('no control plane answers: which one, and why', async () => {
    put(cwd, 'kubeconfig', plane.kubeconfig.replace(/server: .*/, 'server: https://127.0.0.1:1'));

    const ran = await status();
    const json = await status('--json');

    expect(ran.stdout).toBe('');
    expect(ran.stderr).toBe(
      'error   The control plane does not answer (context "karmada"): karmada: list ResourceBinding: connection refused. Members are not asked instead; try again, or correct --kubeconfig and --karmada-context.\n',
    );
    expect(ran.code).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({ diagnostics: [{ code: 'COMMAND_FAILED' }] });
  });

  test('a cluster that is no control plane says so', async () => {
    const sandbox = await startSandbox({ clusters: [{ name: 'karmada' }] });
    put(cwd, 'kubeconfig', sandbox.kubeconfig);

    const ran = await status().finally(() => sandbox.close());

    expect(ran.stderr).toBe(
      'error   Context "karmada" is no Karmada control plane: it serves no ResourceBindings. Name the control plane\'s context with --karmada-context.\n',
    );
    expect(ran.code).toBe(1);
  });
});
