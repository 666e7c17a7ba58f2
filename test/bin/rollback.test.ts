import { writeFileSync } from 'node:fs';
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
  // The lock of revision 1 has another serial, and is in git.
  expect(done.stderr).toContain("-G'^serial: 1$' -- fleet.lock.yaml");
  expect(running()).toEqual(['nginx:1.28', 'nginx:1.28']);
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
  expect(ran.stdout).toMatch(/Rollback to revision 3\n {2}back: member1\n/);
  expect(running()).toEqual(before);
});
