import { execFileSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { startSandbox, type Sandbox } from '../../lib/providers/sandbox/index.js';
import { printDocuments } from '../../lib/providers/source/index.js';
import { copyOf, put, read, run } from './run.js';

jest.setTimeout(60_000);

let sandbox: Sandbox;
let cwd = '';
beforeAll(async () => {
  sandbox = await startSandbox({
    clusters: ['member1', 'member2', 'member3'].map((name) => ({ name, region: name })),
  });
  cwd = copyOf('04-karmada-nginx');
  writeFileSync(join(cwd, 'kubeconfig'), sandbox.kubeconfig);
  put(cwd, 'fleet.yaml', printDocuments(sandbox.fleet()));
});
afterAll(() => sandbox.close());

const FLAGS = '--app nginx --kubeconfig kubeconfig --no-frozen';
const rollback = (more: string, options: object = {}): ReturnType<typeof run> =>
  run(`rollback ${FLAGS} ${more}`, { cwd, ...options });
const up = (more = ''): ReturnType<typeof run> => run(`up -f . ${FLAGS} --yes ${more}`, { cwd });
const template = (image: string): void =>
  put(cwd, 'deployment.yaml', read(cwd, 'deployment.yaml').replace(/image: .*/, `image: ${image}`));
const running = (): string[] =>
  ['member1', 'member2'].map((cluster) => {
    const found = sandbox
      .cluster(cluster)
      .objects()
      .find(({ kind }) => kind === 'Deployment') as unknown as
      { spec: { template: { spec: { containers: { image: string }[] } } } } | undefined;
    return found?.spec.template.spec.containers[0]?.image ?? '';
  });

test('what is kept is listed, and brought back when a person agrees', async () => {
  const nothing = await rollback('--list');
  template('nginx:1.28');
  expect((await up()).code).toBe(0);
  template('nginx:1.29');
  put(
    cwd,
    'extra.yaml',
    `apiVersion: v1
kind: Secret
metadata: { name: extra }
stringData: { password: open-sesame }
---
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: { name: extra }
spec:
  resourceSelectors: [{ apiVersion: v1, kind: Secret, name: extra }]
  placement: { clusterAffinity: { clusterNames: [member1] } }
`,
  );
  expect((await up()).code).toBe(0);

  const listed = await rollback('--list');
  const unasked = await rollback('');
  const before = running();
  const done = await rollback('', { answers: ['y'] });

  expect(nothing).toMatchObject({ code: 0, stdout: 'Nothing is kept.\n' });
  expect(listed.stdout).toMatch(/^REVISION .*\n2 .* member1 member2\n1 .* member1 member2\n$/);
  expect(unasked).toMatchObject({ code: 1, stderr: expect.stringContaining('Nobody to ask') });
  // Before anybody is asked: what changes where, deletions too, and no value of a Secret.
  expect(unasked.stdout).toContain('member1  0 to add, 1 to change, 1 to delete\n');
  expect(unasked.stdout).toContain('member2  0 to add, 1 to change, 0 to delete\n');
  expect(unasked.stdout).toMatch(
    /\n~ Deployment default\/nginx on member1, member2\n[^~]*\n {4}- +- image: nginx:1.29\n {4}\+ +- image: nginx:1.28\n/,
  );
  expect(unasked.stdout).toMatch(/\n- Secret default\/extra on member1\n/);
  expect(unasked.stdout).not.toMatch(/open-sesame|b3Blbi1zZXNhbWU/);
  expect(
    unasked.stdout.split('\n').filter((line) => /^ {4}[-+] .*(replicas|creat)/.test(line)),
  ).toEqual([]);
  expect(before).toEqual(['nginx:1.29', 'nginx:1.29']);
  expect(done).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Done: 2 clusters have revision 1'),
  });
  expect(done.stderr).toContain('No commit here has the lock with serial 1.');
  expect(running()).toEqual(['nginx:1.28', 'nginx:1.28']);
});

test('who would roll forward again what was left is told so, by status and by up before it asks', async () => {
  const status = (more = ''): ReturnType<typeof run> =>
    run(`status -f . ${FLAGS} ${more}`.replace(' --no-frozen', ''), { cwd });
  const told = `member1, member2: rolled back to revision 1 on 2026-01-15T12:00:00Z; this plan`;

  const shown = await status();
  const json = await status('--json');
  const same = await run(`up -f . ${FLAGS}`, { cwd });
  template('nginx:1.27');
  const other = await run(`up -f . ${FLAGS}`, { cwd });
  template('nginx:1.28');
  const extra = read(cwd, 'extra.yaml');
  rmSync(join(cwd, 'extra.yaml'));
  const restored = await run(`up -f . ${FLAGS}`, { cwd });
  const restoredStatus = await status();
  put(cwd, 'extra.yaml', extra);

  expect(shown.code).toBe(1);
  expect(shown.stdout).toContain(`${told} brings back what was left (revision 2)\n`);
  expect(JSON.parse(json.stdout)).toMatchObject({
    rolledBack: [{ clusters: ['member1', 'member2'], to: 1, left: 2, bringsBack: true }],
  });
  expect(same.stderr).toContain(`warning ${told} brings back what was left (revision 2)\n`);
  expect(other.stderr).toContain(
    `warning ${told} is neither that nor what was left (revision 2)\n`,
  );
  expect(restored.stderr + restoredStatus.stdout).not.toContain('rolled back');
  expect(restoredStatus.code).toBe(0);
});

test('lock and templates are restored by the command that is printed, and then nothing differs', async () => {
  const git = (...args: string[]): void =>
    void execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args], {
      cwd,
    });
  const commit = (image: string): void => {
    template(image);
    git('add', '-A');
    git('commit', '-q', '-m', image);
  };
  git('init', '-q');
  put(cwd, '.gitignore', 'kubeconfig\n');
  for (const image of ['nginx:1.30', 'nginx:1.31']) {
    template(image);
    expect((await up()).code).toBe(0);
    commit(image);
  }
  put(cwd, 'later.yaml', read(cwd, 'extra.yaml').replaceAll('extra', 'later'));
  expect((await up()).code).toBe(0);
  git('add', '-A');
  git('commit', '-q', '-m', 'later');

  await rollback('--yes -f .');
  const done = await rollback('--yes -f .');
  const command = /^ {2}(git restore .*)$/m.exec(done.stderr)?.[1] ?? 'false';
  execFileSync('sh', ['-c', command], { cwd });
  const words = /^ {2}fleetwright (diff --live .*)$/m.exec(done.stderr)?.[1] ?? '';
  const check = await run(words, { cwd });

  expect(done.code).toBe(0);
  expect(words).toBe(`diff --live ${FLAGS} -f .`);
  expect(read(cwd, 'deployment.yaml')).toContain('image: nginx:1.30');
  expect(existsSync(join(cwd, 'later.yaml'))).toBe(false);
  expect(check).toMatchObject({ code: 0, stdout: 'The clusters are as planned.\n' });
});

test('after destroy it is said that nothing is kept, and what to do', async () => {
  const other = copyOf('04-karmada-nginx');
  writeFileSync(join(other, 'kubeconfig'), sandbox.kubeconfig);
  put(other, 'fleet.yaml', printDocuments(sandbox.fleet()));
  const flags = '--app second --kubeconfig kubeconfig --no-frozen --yes';
  for (const file of ['deployment.yaml', 'propagationpolicy.yaml', 'overridepolicy.yaml'])
    put(other, file, read(other, file).replaceAll('name: nginx', 'name: second'));
  expect(await run(`up -f . ${flags}`, { cwd: other })).toMatchObject({ code: 0 });
  const first = await run(`rollback ${flags}`, { cwd: other });
  expect((await run(`destroy ${flags}`, { cwd: other })).code).toBe(0);

  const after = await run(`rollback ${flags}`, { cwd: other });

  expect(first.stderr).toMatch(/second has the earliest state .* Kept: 1\.\n.*--to 1/);
  expect(after).toMatchObject({ code: 1, stdout: '' });
  expect(after.stderr).toMatch(/^No revision of second is kept on member1, .*destroyed/);
  expect(after.stderr).toContain(
    'run `fleetwright up --app second --kubeconfig kubeconfig --no-frozen`',
  );
  expect(after.stderr).not.toMatch(/No .* not /);
});

test('a number that is none, or that is not kept, changes nothing', async () => {
  const before = running();

  const none = await rollback('--to latest --yes');
  const unknown = await rollback('--to 99 --yes');

  expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining('--to') });
  expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('not kept') });
  expect(running()).toEqual(before);
});

test('onFailure: rollback takes a failed up back, and the report says so', async () => {
  put(
    cwd,
    'rollout.yaml',
    `apiVersion: fleetwright.dev/v1alpha1
kind: Rollout
metadata: { name: web }
spec:
  onFailure: rollback
  waves: [{ name: first, clusterAffinity: { clusterNames: [member1] }, deadline: 1s }, { name: rest }]
`,
  );
  const before = running();
  template('nginx:does-not-exist');

  const ran = await up();

  expect(ran.code).toBe(1);
  expect(ran.stdout).toMatch(/Rollback to revision \d+\n {2}back: member1\n/);
  expect(running()).toEqual(before);
});
