import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { connectKubeconfig, type ClusterClient } from '../../lib/providers/cluster/index.js';
import { startSandbox, type Sandbox } from '../../lib/providers/sandbox/index.js';
import { printDocuments } from '../../lib/providers/source/index.js';
import { copyOf, put, read, run } from './run.js';

jest.setTimeout(60_000);

/** What somebody changes on a cluster by hand, against simulated ones. Each test has an application of its own. */
let sandbox: Sandbox;
let client: ClusterClient;
let cwd = '';
let app = '';
let count = 0;

beforeAll(async () => {
  sandbox = await startSandbox({
    clusters: ['member1', 'member2', 'member3'].map((name) => ({ name, region: name })),
  });
  client = await connectKubeconfig({ kubeconfig: { text: sandbox.kubeconfig } })('member1');
});
afterAll(async () => {
  await client.close();
  await sandbox.close();
});
beforeEach(async () => {
  cwd = copyOf('04-karmada-nginx');
  app = `drift-${(count += 1)}`;
  writeFileSync(join(cwd, 'kubeconfig'), sandbox.kubeconfig);
  put(cwd, 'fleet.yaml', printDocuments(sandbox.fleet()));
  for (const file of ['deployment.yaml', 'overridepolicy.yaml', 'propagationpolicy.yaml'])
    put(cwd, file, read(cwd, file).replaceAll('name: nginx', `name: ${app}`));
  expect(await up()).toMatchObject({ code: 0 });
});

const flags = (): string => `-f . --app ${app} --kubeconfig kubeconfig --no-frozen`;
const up = (more = ''): ReturnType<typeof run> => run(`up ${flags()} --yes ${more}`, { cwd });
const diff = (more = ''): ReturnType<typeof run> => run(`diff ${flags()} --live ${more}`, { cwd });
const status = (more = ''): ReturnType<typeof run> =>
  run(`status ${flags()} ${more}`.replace(' --no-frozen', ''), { cwd });
const ref = (): { apiVersion: string; kind: string; namespace: string; name: string } => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  namespace: 'default',
  name: app,
});
const replicas = async (): Promise<unknown> =>
  ((await client.get(ref()))?.['spec'] as { readonly replicas?: number }).replicas;

/** `kubectl edit`: takes the field from us. */
async function scaleByHand(): Promise<void> {
  const { apiVersion, kind, namespace, name } = ref();
  await client.apply(
    { apiVersion, kind, metadata: { name, namespace }, spec: { replicas: 5 } },
    { fieldManager: 'kubectl-edit', force: true },
  );
}

describe('drift', () => {
  test('diff --live shows the field with both values and who has it', async () => {
    await scaleByHand();

    expect(await diff('--detailed-exitcode')).toMatchObject({
      code: 2,
      stdout: `~ member1  Deployment default/${app} differs\n    .spec.replicas: 1 planned, 5 live  · kubectl-edit\n`,
    });
  });

  test('up sets it back where the policy says Overwrite', async () => {
    const policy = read(cwd, 'propagationpolicy.yaml');
    put(
      cwd,
      'propagationpolicy.yaml',
      policy.replace('spec:\n', 'spec:\n  conflictResolution: Overwrite\n'),
    );
    await scaleByHand();

    const ran = await up();

    expect(ran.stdout).toMatch(/0 to add, 1 to change, 0 to move/);
    expect(ran.stdout).toMatch(
      /set back by this run .*\n~ member1 .*\n {4}\.spec\.replicas: 1 planned, 5 live/,
    );
    expect(ran.code).toBe(0);
    expect(await replicas()).toBe(1);
    expect((await diff('--detailed-exitcode')).code).toBe(0);
  });

  test('without it the field stays with who took it: up refuses before anything is written', async () => {
    await scaleByHand();

    const ran = await up();

    expect(ran.stdout).toMatch(/a conflict, unless .*\n~ member1 /);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toMatch(/APPLY_CONFLICT/);
    expect(ran.stderr).toMatch(/member1: \.spec\.replicas was changed there by "kubectl-edit"/);
    expect(ran.stderr).toMatch(/--keep-drift FIELD.*conflictResolution: Overwrite/);
    expect(ran.stdout).not.toMatch(/^Waves? .*(passed|failed)/m);
    expect(await replicas()).toBe(5);
  });

  test('plan --live counts it, with who and which field, and exits with 2 where it is set back', async () => {
    const refused = await (async () => {
      await scaleByHand();
      return run(`plan ${flags()} --live`, { cwd });
    })();
    const policy = read(cwd, 'propagationpolicy.yaml');
    put(
      cwd,
      'propagationpolicy.yaml',
      policy.replace('spec:\n', 'spec:\n  conflictResolution: Overwrite\n'),
    );
    expect((await run(`up ${flags()} --yes --keep-drift .spec.replicas`, { cwd })).code).toBe(0);

    const ran = await run(`plan ${flags()} --live --detailed-exitcode --json`, { cwd });

    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('APPLY_CONFLICT') });
    expect(ran.code).toBe(2);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      changes: expect.arrayContaining([
        expect.objectContaining({
          cluster: 'member1',
          action: 'update',
          class: 'drift',
          reason: 'changed on the cluster by "kubectl-edit": .spec.replicas',
        }),
      ]),
    });
  });

  test('--keep-drift leaves the field, says so, and the next run without it does not', async () => {
    await scaleByHand();

    const ran = await up('--keep-drift .spec.replicas --keep-drift .spec.nothing');

    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain(`Kept on member1: Deployment default/${app} .spec.replicas\n`);
    expect(ran.stderr).toContain('--keep-drift .spec.nothing: no such field differs.');
    expect(ran.stdout).not.toContain('Changed on the clusters');
    expect(await replicas()).toBe(5);
    expect((await diff('--detailed-exitcode')).code).toBe(2);
  });

  test('members of the set that the plan lacks are unwanted', async () => {
    const web = await client.get(ref());
    const labels = web?.metadata.labels ?? {};
    const partOf = labels['applyset.kubernetes.io/part-of'] ?? '';
    await client.apply(
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: {
          name: `${app}-old`,
          namespace: 'default',
          labels: { 'applyset.kubernetes.io/part-of': partOf },
        },
        spec: {
          replicas: 1,
          selector: { matchLabels: { app } },
          template: {
            metadata: { labels: { app } },
            spec: { containers: [{ name: 'x', image: 'nginx' }] },
          },
        },
      },
      { fieldManager: 'kubectl' },
    );

    const shown = await diff('--json');

    expect(JSON.parse(shown.stdout)).toMatchObject({
      drift: [{ cluster: 'member1', state: 'unwanted', resource: { name: `${app}-old` } }],
    });
  });

  test('status shows it with both values and who has it, and is not ready', async () => {
    const well = await status();
    await scaleByHand();

    const shown = await status();
    const json = await status('--json');

    expect(well.code).toBe(0);
    expect(shown).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(
        /observed 2\/2 {2}ready 1\/2\n {2}member1 {2}\w+ · drifted · waits for .*\n {4}\.spec\.replicas: 1 planned, 5 live {2}· kubectl-edit\n/,
      ),
    });
    expect(JSON.parse(json.stdout)).toMatchObject({
      ready: false,
      templates: [
        {
          clusters: [
            {
              cluster: 'member1',
              isCurrent: true,
              ready: false,
              drift: [{ path: '.spec.replicas', planned: 1, live: 5, managers: ['kubectl-edit'] }],
            },
            { cluster: 'member2', ready: true },
          ],
        },
      ],
    });
  });

  test('status says of a Secret only which field, and of an older revision only that', async () => {
    put(
      cwd,
      'extra.yaml',
      `apiVersion: v1
kind: Secret
metadata: { name: ${app} }
stringData: { password: open-sesame }
---
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: { name: ${app}-extra }
spec:
  resourceSelectors: [{ apiVersion: v1, kind: Secret, name: ${app} }]
  placement: { clusterAffinity: { clusterNames: [member1] } }
`,
    );
    expect(await up()).toMatchObject({ code: 0 });
    const metadata = { name: app, namespace: 'default' };
    await client.apply(
      { apiVersion: 'v1', kind: 'Secret', metadata, data: { password: 'b3RoZXI=' } },
      { fieldManager: 'kubectl-edit', force: true },
    );
    await scaleByHand();
    put(cwd, 'deployment.yaml', read(cwd, 'deployment.yaml').replace(/image: .*/, 'image: x:2'));

    const shown = await status();
    const json = await status('--json');

    expect(shown.stdout).toMatch(/ {4}\.data\.password {2}· kubectl-edit\n/);
    expect(shown.stdout + json.stdout).not.toMatch(/open-sesame|b3RoZXI|b3Blbi1/);
    expect(shown.stdout).toContain('waits for revision');
    expect(shown.stdout).not.toContain('.spec.replicas');
  });
});
