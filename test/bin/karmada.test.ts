import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { parse } from 'yaml';
import type { KubeObject } from '../../lib/api/object.js';
import { refOf } from '../../lib/engine/object.js';
import { aControlPlane, type ControlPlane } from '../providers/karmada/control-plane.js';
import { copyOf, put, run, type Ran } from './run.js';

jest.setTimeout(60_000);

const CLUSTERS = ['cluster-a', 'cluster-b', 'cluster-c'];

/** The announced policy, with names that a cluster may have (the announcement's have capitals). */
const ANNOUNCED = readFileSync(
  join(__dirname, '../fixtures/announcements/rolling-upgrade.yaml'),
  'utf8',
).replace(/Cluster([ABC])/g, (_all, letter: string) => `cluster-${letter.toLowerCase()}`);

const WAVES = `apiVersion: fleetwright.dev/v1alpha1
kind: Rollout
metadata: { name: nginx }
spec:
  waves:
    - { name: first, clusterAffinity: { clusterNames: [cluster-c] } }
    - { name: second, clusterAffinity: { clusterNames: [cluster-b] } }
    - { name: third, clusterAffinity: { clusterNames: [cluster-a] } }
`;

let plane: ControlPlane;
let cwd = '';

beforeEach(async () => {
  plane = await aControlPlane({}, CLUSTERS);
  cwd = copyOf('04-karmada-nginx');
  put(cwd, 'overridepolicy.yaml', '');
  const fleet = readFileSync(join(cwd, 'fleet.yaml'), 'utf8');
  put(
    cwd,
    'fleet.yaml',
    fleet.replace(/member([123])/g, (_all, n: string) => `cluster-${'abc'[Number(n) - 1] ?? ''}`),
  );
  writeFileSync(join(cwd, 'kubeconfig'), plane.kubeconfig);
  put(cwd, 'rollout.yaml', WAVES);
});
afterEach(() => plane.close());

const INPUT = '-f . --app nginx --target karmada --no-frozen';
const up = (more = '--yes'): Promise<Ran> =>
  run(`up ${INPUT} --kubeconfig kubeconfig --karmada-context karmada ${more}`, { cwd });
const setImage = (tag: string): void => {
  const deployment = readFileSync(join(cwd, 'deployment.yaml'), 'utf8');
  put(cwd, 'deployment.yaml', deployment.replace(/image: nginx\S*/, `image: nginx:${tag}`));
};
/** Without the field that the announcement changes by hand, three times. */
const withoutSuspension = (): void =>
  put(cwd, 'propagationpolicy.yaml', ANNOUNCED.replace(/\n {2}suspension:[\s\S]*$/, '\n'));

describe('--target karmada', () => {
  test('the three announced steps are one command', async () => {
    withoutSuspension();
    setImage('1.0');
    expect((await up('--yes')).code).toBe(0);
    setImage('2.0');

    const planned = await run(`plan ${INPUT}`, { cwd });
    const ran = await up('--yes');

    expect(planned.stdout).toContain(
      [
        'Steps   1 suspend cluster-a, cluster-b, cluster-c, until every Work says so',
        '        2 write templates, policies and overrides; stop if Karmada decides otherwise',
        '        3 wave first: release cluster-c; still suspended: cluster-a, cluster-b',
        '        4 wave second: release cluster-b; still suspended: cluster-a',
        '        5 wave third: release cluster-a; nothing is suspended any more',
      ].join('\n'),
    );
    expect(ran.stdout).toContain('Done after');
    expect(ran.stderr).toMatch(
      /control plane: everything is held: waits for Deployment default\/nginx: the Work of cluster-a to be suspended and 2 more/,
    );
    expect(ran.stderr).toContain('wave first: passed');
    expect(ran.code).toBe(0);
    expect(plane.fake.dispatches.slice(3).map(({ cluster, image }) => [cluster, image])).toEqual([
      ['cluster-c', 'nginx:2.0'],
      ['cluster-b', 'nginx:2.0'],
      ['cluster-a', 'nginx:2.0'],
    ]);
  });

  test('the announced policy as it is: what its author suspended stays so, and the command says it', async () => {
    withoutSuspension();
    setImage('1.0');
    expect((await up('--yes')).code).toBe(0);
    put(cwd, 'propagationpolicy.yaml', ANNOUNCED);
    setImage('2.0');

    const ran = await up('--yes');

    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('KARMADA_SUSPENDED_BY_OTHERS');
    expect(ran.stdout).toContain(
      'kept suspended by somebody else on PropagationPolicy default/nginx',
    );
    expect(ran.stdout).toContain('Continue with:  fleetwright up');
    expect(plane.fake.dispatches.slice(3).map(({ cluster }) => cluster)).toEqual(['cluster-c']);
  });

  test('a wave that waits for approval ends with 2; approve lets the next run go on', async () => {
    withoutSuspension();
    put(cwd, 'rollout.yaml', WAVES.replace('[cluster-b] }', '[cluster-b] }, approval: true'));
    setImage('1.0');
    expect((await up('--yes --approve all')).code).toBe(0);
    setImage('2.0');

    const held = await up('--yes');
    const approved = await run(
      `approve second ${INPUT} --kubeconfig kubeconfig --karmada-context karmada --yes`,
      { cwd },
    );
    const done = await up('--yes');

    expect(held.code).toBe(2);
    expect(held.stdout).toContain('Held: wave second waits for approval');
    expect(approved.stdout).toContain(
      'Approved: wave second on PropagationPolicy default/nginx-propagation, for what is planned now.',
    );
    expect(approved.code).toBe(0);
    expect(done.code).toBe(0);
    expect(plane.fake.dispatches.slice(3).map(({ cluster }) => cluster)).toEqual([
      'cluster-c',
      'cluster-b',
      'cluster-a',
    ]);
  });

  test('a changed dependency is said before; when its policy has it held, it waits with each wave', async () => {
    const settings = (level: string): void =>
      put(
        cwd,
        'settings.yaml',
        `{ apiVersion: v1, kind: ConfigMap, metadata: { name: settings }, data: { level: "${level}" } }`,
      );
    const policy = (annotations: string): void =>
      put(
        cwd,
        'propagationpolicy.yaml',
        ANNOUNCED.replace(/\n {2}suspension:[\s\S]*$/, '\n  propagateDeps: true\n').replace(
          'metadata:',
          `metadata:\n  annotations: {${annotations}}`,
        ),
      );
    const deployment = readFileSync(join(cwd, 'deployment.yaml'), 'utf8');
    put(
      cwd,
      'deployment.yaml',
      deployment.replace(/( +)- image: nginx\S*/, (line, indent: string) => {
        return `${line}\n${indent}  envFrom: [{ configMapRef: { name: settings } }]`;
      }),
    );
    policy('');
    settings('1');
    expect((await up('--yes')).code).toBe(0);
    settings('2');
    setImage('2.0');

    const loose = await run(`plan ${INPUT}`, { cwd });
    policy("'fleetwright.dev/hold-dependencies': 'true'");
    const held = await run(`plan ${INPUT}`, { cwd });
    const seen = plane.fake.dispatches.length;
    const ran = await up('--yes');

    expect(loose.stderr).toContain('KARMADA_DEPENDENCY_NOT_HELD');
    expect(loose.stderr).toContain('fleetwright.dev/hold-dependencies');
    expect(held.stderr).not.toContain('KARMADA_DEPENDENCY_NOT_HELD');
    expect(ran.code).toBe(0);
    expect(ran.stderr).not.toContain('KARMADA_DEPENDENCY_NOT_HELD');
    expect(plane.fake.dispatches.slice(seen).map(({ cluster }) => cluster)).toEqual([
      'cluster-c',
      'cluster-c',
      'cluster-b',
      'cluster-b',
      'cluster-a',
      'cluster-a',
    ]);
  });

  test('rollback says that a control plane keeps nothing to go back to, and what to do', async () => {
    const ran = await run('rollback --app nginx --target karmada --yes', { cwd });

    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('A control plane keeps no earlier version');
    expect(ran.stderr).toContain('git checkout');
  });

  test('destroy deletes the templates and says what stays', async () => {
    withoutSuspension();
    setImage('1.0');
    const first = await up('--yes');
    expect([first.code, first.code === 0 ? '' : first.stdout + first.stderr]).toEqual([0, '']);

    const ran = await run(
      'destroy --app nginx --target karmada --no-frozen --kubeconfig kubeconfig --karmada-context karmada',
      { cwd, answers: ['nginx'] },
    );

    expect(ran.stdout).toBe(
      `Deleted from the control plane: Deployment default/nginx.
Karmada deletes their copies on all clusters within a second, suspended or not, unless their policy preserves resources on deletion.
Policies, override policies, namespaces, CRDs and volumes stay.
Deployment default/nginx: deleted from cluster-a, cluster-b, cluster-c
`,
    );
    expect(ran.code).toBe(0);
    expect(plane.fake.member('cluster-a', 'nginx')).toBeUndefined();
    expect(await plane.client.get(POLICY)).toBeDefined();
  });

  test('what somebody else has written is not destroyed', async () => {
    withoutSuspension();
    setImage('1.0');
    expect((await up('--yes')).code).toBe(0);
    await plane.client.delete(DEPLOYMENT);
    await plane.client.apply(
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'nginx', namespace: 'default' },
        spec: SPEC,
      },
      { fieldManager: 'kubectl' },
    );

    const ran = await run(
      'destroy --app nginx --target karmada --no-frozen --kubeconfig kubeconfig --karmada-context karmada --yes',
      { cwd },
    );

    expect(ran.code).toBe(1);
    expect(ran.stdout).toContain(
      'Deployment default/nginx: kept · it was not written by fleetwright',
    );
    expect(await plane.client.get(DEPLOYMENT)).toBeDefined();
  });

  test('what acts on a control plane by itself is named in the plan, and written as it is', async () => {
    withoutSuspension();
    setImage('1.0');
    const cron = readFileSync(
      join(__dirname, '../fixtures/announcements/cron-federatedhpa.yaml'),
      'utf8',
    );
    put(cwd, 'cron.yaml', cron);
    const parsed = parse(cron) as KubeObject;
    await plane.serve('autoscaling/autoscaling.karmada.io_cronfederatedhpas.yaml');

    const planned = await run(`plan ${INPUT}`, { cwd });
    const ran = await up('--yes');

    const name = parsed.metadata.name ?? '';
    expect(planned.stdout).toContain(
      `3 write CronFederatedHPA ${name} as it is: Karmada acts on it at once, in no wave`,
    );
    expect(planned.stderr).not.toContain('KIND_NOT_ACTED_ON');
    expect(ran.code).toBe(0);
    const stored = await plane.client.get({ ...refOf(parsed), namespace: 'default' });
    // The control plane adds defaults of its own.
    expect(stored?.['spec']).toMatchObject(parsed['spec'] as object);
  });
});

const DEPLOYMENT = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  namespace: 'default',
  name: 'nginx',
} as const;
const POLICY = {
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind: 'PropagationPolicy',
  namespace: 'default',
  name: 'nginx-propagation',
} as const;
const SPEC = {
  selector: { matchLabels: { app: 'nginx' } },
  template: {
    metadata: { labels: { app: 'nginx' } },
    spec: { containers: [{ name: 'nginx', image: 'nginx' }] },
  },
};
