import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { KubeObject } from '../../lib/api/object.js';
import { startSandbox, type Sandbox } from '../../lib/providers/sandbox/index.js';
import { printDocuments } from '../../lib/providers/source/index.js';
import { contentsOf, copyOf, put, read, run } from './run.js';

jest.setTimeout(60_000);

/** The commands that reach clusters, against simulated ones. Each test has an application of its own. */
let sandbox: Sandbox;
let cwd = '';
let app = '';
let count = 0;

beforeAll(async () => {
  sandbox = await startSandbox({
    clusters: ['member1', 'member2', 'member3'].map((name) => ({ name, region: name })),
  });
});
afterAll(() => sandbox.close());

beforeEach(() => {
  cwd = copyOf('04-karmada-nginx');
  app = `app-${(count += 1)}`;
  writeFileSync(join(cwd, 'kubeconfig'), sandbox.kubeconfig);
  put(cwd, 'fleet.yaml', printDocuments(sandbox.fleet()));
  // An object can belong to one application only.
  for (const file of ['deployment.yaml', 'overridepolicy.yaml', 'propagationpolicy.yaml'])
    put(cwd, file, read(cwd, file).replaceAll('name: nginx', `name: ${app}`));
});

const flags = (): string => `-f . --app ${app} --kubeconfig kubeconfig --no-frozen`;
const up = (more = '--yes', options: object = {}): ReturnType<typeof run> =>
  run(`up ${flags()} ${more}`, { cwd, ...options });
const deployments = (cluster: string): unknown[] =>
  sandbox
    .cluster(cluster)
    .objects()
    .filter((o) => o.kind === 'Deployment' && o.metadata.name === app);

describe('up', () => {
  test('applies the plan, writes the lock, reports the status; again it changes nothing', async () => {
    const first = await up();

    expect(first.stderr).toContain('done after');
    expect(first).toMatchObject({ code: 0 });
    expect(first.stdout).toMatch(
      new RegExp(`Deployment default/${app} +generation 1 +observed 2/2 +ready 2/2`),
    );
    expect(deployments('member1')).toHaveLength(1);
    expect(deployments('member3')).toHaveLength(0);
    const lock = read(cwd, 'fleet.lock.yaml');

    const second = await up();

    expect(second.code).toBe(0);
    expect(second.stdout).toContain('0 to add, 0 to change');
    expect(read(cwd, 'fleet.lock.yaml')).toBe(lock);
  });

  test('CLUSTER_AMBIGUOUS: two names for one server are refused before anything is written', async () => {
    const { code, stderr } = await up('--yes --context-map member2=member1');

    expect(stderr).toContain('CLUSTER_AMBIGUOUS');
    expect(stderr).toContain('"member1" and "member2" are the same cluster');
    expect(code).toBe(1);
    expect(deployments('member1')).toHaveLength(0);
  });

  test("another application's lock is refused", async () => {
    await run(`lock -f . --app somebody --no-frozen`, { cwd });
    const before = contentsOf(cwd);

    const { code, stderr } = await up();

    expect(stderr).toContain('This lock belongs to application "somebody"');
    expect(code).toBe(1);
    expect(contentsOf(cwd)).toEqual(before);
  });

  test('the same with --frozen from a fresh clone keeps assignments', async () => {
    await run(`lock -f . --app ${app} --no-frozen`, { cwd });
    const before = contentsOf(cwd);

    const ran = await up('--yes --frozen');

    expect(ran.code).toBe(0);
    expect(contentsOf(cwd)).toEqual(before);
  });

  test('refuses with CI=true what would change the lock, and says what', async () => {
    await run(`lock -f . --app ${app} --no-frozen`, { cwd });
    put(cwd, 'deployment.yaml', read(cwd, 'deployment.yaml').replace('replicas: 2', 'replicas: 4'));

    const ran = await run(`up -f . --app ${app} --kubeconfig kubeconfig --yes`, {
      cwd,
      env: { CI: 'true' },
    });

    expect(ran.code).toBe(1);
    expect(ran.stderr).toMatch(/LOCK_WOULD_CHANGE .*member1 1, member2 1 → member1 2, member2 2/);
    expect(deployments('member1')).toHaveLength(0);
  });

  test.each([
    ['nobody is there to ask', [], /Nobody to ask/],
    ['the answer is no', ['n'], /Nothing was applied/],
  ])('applies nothing when %s', async (_name, answers, message) => {
    const before = contentsOf(cwd);

    const ran = await up('', { answers });

    expect(ran.code).toBe(1);
    expect(ran.stderr).toMatch(message);
    expect(contentsOf(cwd)).toEqual(before);
    expect(deployments('member1')).toHaveLength(0);
  });

  test('where nothing is to be done nobody is asked: it verifies, and exits with 0', async () => {
    put(cwd, 'rollout.yaml', rollout());
    await up();
    const held = await up('');
    await up('--yes --approve rest');

    const idle = await up('');
    const json = await up('--json');
    put(cwd, 'deployment.yaml', read(cwd, 'deployment.yaml').replace('replicas: 2', 'replicas: 3'));
    const changed = await up('');

    expect(held).toMatchObject({ code: 1, stderr: expect.stringContaining('Nobody to ask') });
    expect(idle.code).toBe(0);
    expect(idle.stdout).toContain('Nothing to change. Verifying 2 clusters.');
    expect(idle.stdout).toMatch(/ready 2\/2/);
    expect(json.code).toBe(0);
    expect(JSON.parse(json.stdout)).toMatchObject({ outcome: 'done' });
    expect(changed).toMatchObject({ code: 1, stderr: expect.stringContaining('Nobody to ask') });
  });

  test('asks, and goes on with yes', async () => {
    expect(await up('', { answers: ['y'] })).toMatchObject({ code: 0 });
    expect(deployments('member2')).toHaveLength(1);
  });

  test('stops at a wave that waits for approval with code 2 and the command that continues', async () => {
    put(cwd, 'rollout.yaml', rollout());

    const held = await up();

    expect(held.code).toBe(2);
    expect(held.stdout).toMatch(/Continue with: {2}fleetwright up .*--approve rest/);
    expect([deployments('member1').length, deployments('member2').length]).toEqual([1, 0]);

    const done = await up('--yes --approve rest');

    expect(done.code).toBe(0);
    expect(deployments('member2')).toHaveLength(1);
  });

  test('--events-json prints events and the report, one JSON object a line', async () => {
    const ran = await up('--yes --events-json');

    const lines = ran.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { kind: string });
    expect(new Set(lines.map((l) => l.kind))).toEqual(
      new Set(['wave', 'cluster', 'object', 'outcome', 'report']),
    );
    expect(lines.at(-1)).toMatchObject({ kind: 'report', outcome: 'done' });
  });

  test('Ctrl-C starts nothing new and says how to go on; the next run completes', async () => {
    put(cwd, 'rollout.yaml', rollout().replace('approval: true', 'maxConcurrent: 1'));
    let interrupt = (): void => undefined;

    const stopped = await up('--yes', {
      onStart: (f: () => void) => (interrupt = f),
      onPrint: (text: string) => {
        if (text.includes('member1: applying') && !text.includes('Stopping')) interrupt();
      },
    });

    expect(stopped.code).toBe(130);
    expect(stopped.stdout).toMatch(/Continue with: {2}fleetwright up/);
    expect(deployments('member2')).toHaveLength(0);

    expect(await up()).toMatchObject({ code: 0 });
    expect(deployments('member2')).toHaveLength(1);
  });

  test('an unreachable cluster: nothing is applied; acknowledged, the others finish and the report names what is left', async () => {
    await sandbox.cluster('member2').stop();
    try {
      const refused = await up();
      expect(refused.code).toBe(1);
      expect(refused.stderr).toMatch(/error +CLUSTER_UNREACHABLE .*member2/);
      expect(deployments('member1')).toHaveLength(0);

      const partly = await up('--yes --acknowledge CLUSTER_UNREACHABLE --patience 1');
      expect(partly.code).toBe(1);
      expect(partly.stdout).toMatch(/Not done\n {2}member2 {2}wave all/);
      expect(partly.stdout).toContain('Continue with:');
      expect(deployments('member1')).toHaveLength(1);
    } finally {
      await sandbox.cluster('member2').start();
    }
    expect(await up()).toMatchObject({ code: 0 });
    expect(deployments('member2')).toHaveLength(1);
  });

  test('expired credentials: a finding, and nothing is applied', async () => {
    put(cwd, 'kubeconfig', read(cwd, 'kubeconfig').replace(/token: .*/g, 'token: expired'));

    const ran = await up();

    expect(ran.code).toBe(1);
    expect(ran.stderr).toMatch(/error +[A-Z_]+ .*member1/);
    expect(ran.stderr).not.toContain(sandbox.cluster('member1').token);
    expect(deployments('member1')).toHaveLength(0);
  });

  test('without a name nothing is applied', async () => {
    const ran = await run('up -f . --kubeconfig kubeconfig --yes', { cwd });

    expect(ran).toMatchObject({ code: 1 });
    expect(ran.stderr).toContain('PROJECT_INVALID');
  });
});

describe('status', () => {
  test('shows generations and health, and fails while something is missing', async () => {
    const before = await run(`status ${flags()}`, { cwd });
    await up();

    const after = await run(`status ${flags()}`, { cwd });
    const json = await run(`status ${flags()} --json`, { cwd });

    expect(before.code).toBe(1);
    expect(after).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/generation 1 {2}observed 2\/2 {2}ready 2\/2/),
    });
    expect(JSON.parse(json.stdout)).toMatchObject({
      ready: true,
      templates: [
        {
          observedGeneration: 1,
          karmada: { readyReplicas: 2 },
          clusters: [
            { cluster: 'member1', ready: true },
            { cluster: 'member2', ready: true },
          ],
        },
      ],
    });
  });
});

describe('live state', () => {
  test('plan --live shows what somebody changed by hand', async () => {
    await up();
    const clean = await run(`plan ${flags()} --live --detailed-exitcode`, { cwd });
    const { connectKubeconfig } = await import('../../lib/providers/cluster/index.js');
    const client = await connectKubeconfig({ kubeconfig: { text: sandbox.kubeconfig } })('member1');
    await client.delete({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      namespace: 'default',
      name: app,
    });
    await client.close();

    const changed = await run(`plan ${flags()} --live --detailed-exitcode`, { cwd });

    expect(clean.code).toBe(0);
    expect(changed.code).toBe(2);
    expect(changed.stdout).toContain('1 to add');

    const drift = await run(`diff ${flags()} --live --detailed-exitcode`, { cwd });
    expect(drift).toMatchObject({
      code: 2,
      stdout: `+ member1  Deployment default/${app} missing\n`,
    });
    await up();
    expect(await run(`diff ${flags()} --live`, { cwd })).toMatchObject({
      code: 0,
      stdout: 'The clusters are as planned.\n',
    });
  });
});

describe('destroy', () => {
  test('removes the application everywhere, and nothing else', async () => {
    await up();
    const refused = await run(`destroy --app ${app} --kubeconfig kubeconfig`, {
      cwd,
      answers: ['y'],
    });
    expect(refused.code).toBe(1);
    expect(deployments('member1')).toHaveLength(1);

    const ran = await run(`destroy --app ${app} --kubeconfig kubeconfig --no-frozen`, {
      cwd,
      answers: [app],
    });

    expect(ran).toMatchObject({ code: 0 });
    expect([...deployments('member1'), ...deployments('member2')]).toEqual([]);
    expect(read(cwd, 'fleet.lock.yaml')).toContain('bindings: []');
    expect(await run(`status ${flags()}`, { cwd })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Destroyed: fleet.lock.yaml places nothing'),
    });
  });

  test('looks at all clusters first: something protected on one removes nothing anywhere', async () => {
    await up();
    const protect = async (value: string): Promise<void> => {
      const { connectKubeconfig } = await import('../../lib/providers/cluster/index.js');
      const open = connectKubeconfig({ kubeconfig: { files: [join(cwd, 'kubeconfig')] } });
      const client = await open('member2');
      const found = deployments('member2')[0];
      const { name = '', namespace = '' } = (found as KubeObject | undefined)?.metadata ?? {};
      const labels = { 'resourcetemplate.karmada.io/deletion-protected': value };
      await client.apply(
        { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name, namespace, labels } },
        { fieldManager: 'kubectl', force: true },
      );
      await client.close();
    };
    await protect('Always');
    const args = `destroy --app ${app} --kubeconfig kubeconfig --no-frozen --yes`;

    const refused = await run(args, { cwd });
    const there = [...deployments('member1'), ...deployments('member2')].length;
    const lock = read(cwd, 'fleet.lock.yaml');
    await protect('Never');
    const done = await run(args, { cwd });

    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(
      /DELETE_REFUSED.*Deployment .* on member2 stays: it is protected/,
    );
    expect(refused.stderr.replaceAll(/\s+/g, ' ')).toContain(
      'Nothing was removed anywhere. If it may go, run `kubectl --context member2 label deployment -n',
    );
    expect(there).toBe(2);
    expect(lock).toContain('member1');
    expect(done.code).toBe(0);
    expect(done.stdout).toMatch(/^member1: \d objects will be removed\n {2}- /);
    expect(deployments('member2')).toEqual([]);
  });

  test('one that is stopped while a finalizer holds an object: named, shown by status, and continued', async () => {
    await up();
    const { connectKubeconfig } = await import('../../lib/providers/cluster/index.js');
    const open = connectKubeconfig({ kubeconfig: { files: [join(cwd, 'kubeconfig')] } });
    const client = await open('member2');
    const { name = '', namespace = '' } = (deployments('member2')[0] as KubeObject).metadata;
    const finalize = async (...finalizers: string[]): Promise<void> =>
      void (await client.apply(
        { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name, namespace, finalizers } },
        { fieldManager: 'kubectl', force: true },
      ));
    await finalize('example.io/cleanup');
    const args = `destroy --app ${app} --kubeconfig kubeconfig --no-frozen --yes`;
    let interrupt = (): void => undefined;
    let isStopped = false;

    const stopped = await run(args, {
      cwd,
      onStart: (stop) => (interrupt = stop),
      onPrint: (text) => {
        if (isStopped || !text.includes('is being deleted')) return;
        isStopped = true;
        interrupt();
      },
    });
    const status = await run(`status ${flags()}`, { cwd });
    await finalize();
    const done = await run(args, { cwd });
    await up();
    const back = await run(`status ${flags()}`, { cwd });
    await client.close();

    const held = `Deployment ${namespace}/${name} is being deleted, waits for the finalizer "example.io/cleanup"`;
    expect(stopped.code).toBe(130);
    expect(stopped.stderr).toContain('Stopping: ');
    expect(stopped.stdout).toContain('member2: interrupted\n');
    expect(stopped.stdout).not.toMatch(/aborted|stopped/);
    expect(stopped.stderr).toContain(`member2: ${held}`);
    expect(status.code).toBe(1);
    expect(status.stdout).toMatch(
      /A destroy was begun and is not finished; `fleetwright destroy` continues it/,
    );
    expect(status.stdout).toContain(`    ${held}\n`);
    expect(done.code).toBe(0);
    expect(back.stdout).not.toContain('A destroy was begun');
  });

  test('says what to do about a cluster that cannot be cleared, and leaves it out on request', async () => {
    await up();
    const args = `destroy --app ${app} --kubeconfig kubeconfig --no-frozen --yes`;
    const bad = `${args} --context-map member2=nowhere`;

    const failed = await run(bad, { cwd });
    await up();
    const skipped = await run(`${bad} --skip member2`, { cwd });
    const unknown = await run(`${args} --skip member9`, { cwd });

    expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('--skip member2') });
    expect(skipped).toMatchObject({ code: 0 });
    expect(deployments('member1')).toEqual([]);
    expect(deployments('member2')).toHaveLength(1);
    expect(read(cwd, 'fleet.lock.yaml')).toContain('member2');
    expect(unknown).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('not on that cluster'),
    });
  });
});

describe('status', () => {
  test('counts what the report of up counts, without the namespace that goes along', async () => {
    for (const file of ['deployment.yaml', 'overridepolicy.yaml', 'propagationpolicy.yaml'])
      put(cwd, file, read(cwd, file).replace(/^metadata:\n/gm, `metadata:\n  namespace: ${app}\n`));

    const ran = await up();
    const shown = await run(`status ${flags().replace(' --no-frozen', '')}`, { cwd });

    expect(ran.stdout).toContain(`Deployment ${app}/${app}  generation 1  observed 2/2  ready 2/2`);
    expect(shown).toMatchObject({
      code: 0,
      stdout: `Deployment ${app}/${app}  generation 1  observed 2/2  ready 2/2\n`,
    });
  });

  test('does not look for members where a control plane is the target', async () => {
    const ran = await run('status -f . --app shop --kubeconfig kubeconfig --target karmada', {
      cwd,
    });

    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('karmada-apiserver') });
  });
});

describe('fleet snapshot', () => {
  test('writes the clusters, and plans can use them', async () => {
    const ran = await run(
      'fleet snapshot --kubeconfig kubeconfig --context member1 --context member2 --context member3 --fleet fleet2.yaml',
      { cwd },
    );

    expect(ran).toMatchObject({ code: 0, stdout: 'fleet2.yaml: 3 of 3 clusters read\n' });
    expect(
      (await run(`plan -f deployment.yaml -f propagationpolicy.yaml --fleet fleet2.yaml`, { cwd }))
        .code,
    ).toBe(0);
  });

  const snapshot = (more: string): ReturnType<typeof run> => run(`fleet snapshot ${more}`, { cwd });
  /** A kubeconfig in which some things are wrong. */
  const wrong = (change: (text: string) => string): string => {
    put(cwd, 'wrong', change(sandbox.kubeconfig));
    return '--kubeconfig wrong';
  };
  /** The text after the entry of this name in the list of users or clusters. */
  const inEntry =
    (name: string, field: RegExp, by: string) =>
    (text: string): string =>
      text
        .split(/(?=^ *- name:)/m)
        .map((entry) => (entry.includes(`name: ${name}\n`) ? entry.replace(field, by) : entry))
        .join('');

  test.each([
    ['a kubeconfig that does not exist', () => '--kubeconfig nowhere', 'KUBECONFIG_INVALID'],
    [
      'a context that the kubeconfig does not have',
      () => '--kubeconfig kubeconfig --context-map member2=nowhere',
      'KUBECONFIG_INVALID',
    ],
    [
      'a token file that cannot be read',
      () => wrong(inEntry('member2', /token: .*/, 'tokenFile: /nonexistent/token')),
      'CLUSTER_UNAUTHORIZED',
    ],
    [
      'a token that the cluster does not know',
      () => wrong(inEntry('member2', /token: .*/, 'token: wrong')),
      'CLUSTER_UNAUTHORIZED',
    ],
    [
      'certificate data that is none',
      () =>
        wrong(
          inEntry('member2', /certificate-authority-data: .*/, 'certificate-authority-data: Zm9v'),
        ),
      'CLUSTER_UNREACHABLE',
    ],
    [
      'a server address that is none',
      () => wrong(inEntry('member2', /server: .*/, 'server: nonsense')),
      'KUBECONFIG_INVALID',
    ],
  ])('writes nothing for a mistake on this side: %s', async (_, flags, code) => {
    const before = contentsOf(cwd)['fleet.yaml'];

    const ran = await snapshot(flags());

    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining(code) });
    expect(ran.stdout).toBe('fleet.yaml is unchanged: correct what is wrong on this side first.\n');
    expect(contentsOf(cwd)['fleet.yaml']).toBe(before);
  });

  test('records a cluster that does not answer beside others that were read, and says so', async () => {
    const flags = wrong(inEntry('member2', /server: .*/, 'server: https://127.0.0.1:1'));

    const ran = await snapshot(flags);
    const json = await snapshot(`${flags} --json`);

    expect(ran).toMatchObject({
      code: 1,
      stdout:
        'fleet.yaml: 2 of 3 clusters read; recorded as not ready, since it did not answer: member2\n',
    });
    expect(JSON.parse(json.stdout)).toMatchObject({
      clusters: ['member1', 'member3'],
      unreachable: ['member2'],
      written: true,
    });
    expect(read(cwd, 'fleet.yaml')).toContain('ClusterNotReachable');
  });

  test('writes nothing when no cluster answers, unless that is what was asked for', async () => {
    const flags = wrong((text) => text.replace(/server: .*/g, 'server: https://127.0.0.1:1'));
    const before = read(cwd, 'fleet.yaml');

    const ran = await snapshot(flags);
    const after = read(cwd, 'fleet.yaml');
    const json = await snapshot(`${flags} --json`);
    const asked = await snapshot(`${flags} --record-unreachable`);

    expect(ran).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('fleet.yaml is unchanged: no cluster answered'),
    });
    expect(ran.stdout).toContain('--record-unreachable');
    expect(JSON.parse(json.stdout)).toMatchObject({ clusters: [], written: false });
    expect(after).toBe(before);
    expect(asked).toMatchObject({ code: 1, stdout: expect.stringContaining('0 of 3 clusters') });
    expect(read(cwd, 'fleet.yaml').match(/ClusterNotReachable/g)).toHaveLength(3);
  });
});

function rollout(): string {
  return `apiVersion: fleetwright.dev/v1alpha1
kind: Rollout
metadata:
  name: all
spec:
  waves:
  - name: first
    clusterAffinity:
      clusterNames: [member1]
  - name: rest
    approval: true
`;
}
