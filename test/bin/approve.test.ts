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

const FLAGS = '-f . --app nginx --kubeconfig kubeconfig --no-frozen';
const up = (more = ''): ReturnType<typeof run> => run(`up ${FLAGS} --yes ${more}`, { cwd });
const approve = (wave: string, options: object = {}): ReturnType<typeof run> =>
  run(`approve ${wave} ${FLAGS}`, { cwd, ...options });
const aRollout = (rest: string): void =>
  put(
    cwd,
    'rollout.yaml',
    `apiVersion: fleetwright.dev/v1alpha1
kind: Rollout
metadata: { name: web }
spec:
  waves:
    - { name: first, clusterAffinity: { clusterNames: [member1] } }
    - { name: rest, ${rest} }
`,
  );

test('a held wave goes on after an approval, for what was approved and nothing else', async () => {
  aRollout('approval: true');

  const held = await up();
  const unasked = await approve('rest');
  const stillHeld = await up();
  const approved = await approve('rest', { answers: ['y'] });
  const done = await up();
  put(cwd, 'deployment.yaml', read(cwd, 'deployment.yaml').replace(/image: .*/, 'image: nginx:2'));
  const changed = await up();
  await approve('rest', { answers: ['y'] });
  put(cwd, 'deployment.yaml', read(cwd, 'deployment.yaml').replace(/image: .*/, 'image: nginx:3'));
  const changedAgain = await up();
  const asked = await approve('rest');
  const forced = await up('--approve all');

  expect(held).toMatchObject({ code: 2, stdout: expect.stringContaining('waits for approval') });
  expect(unasked).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Nothing was approved'),
  });
  expect(stillHeld.code).toBe(2);
  expect(approved).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Approved: wave rest on member2, for what is planned now.'),
  });
  expect(done.code).toBe(0);
  expect(changed.code).toBe(2);
  // The approval that was used says nothing about what comes next.
  expect(changed.stdout + changed.stderr).not.toContain('an approval was recorded');
  const other =
    /member2.* an approval was recorded at 20\S+ for release [0-9a-f]{16}, and what is planned now is release [0-9a-f]{16}/;
  expect(changedAgain.code).toBe(2);
  expect(changedAgain.stdout + changedAgain.stderr).toMatch(other);
  expect(asked.stderr).toMatch(other);
  expect(forced.code).toBe(0);
  expect(forced.stdout + forced.stderr).not.toContain('an approval was recorded');
});

test('status says which wave waits for approval, and with which command it goes on', async () => {
  const status = (more = ''): ReturnType<typeof run> =>
    run(`status -f . --app nginx --kubeconfig kubeconfig ${more}`, { cwd });
  await up('--approve rest');
  const before = await status();
  put(cwd, 'deployment.yaml', read(cwd, 'deployment.yaml').replace(/image: .*/, 'image: nginx:4'));
  const first = await status();
  await up();

  const held = await status();
  const json = await status('--json');
  await approve('rest', { answers: ['y'] });
  const approved = await status();
  put(cwd, 'deployment.yaml', read(cwd, 'deployment.yaml').replace(/image: .*/, 'image: nginx:5'));
  const other = await status();

  const command = 'fleetwright approve rest -f . --app nginx --kubeconfig kubeconfig';
  expect(before).toMatchObject({ code: 0, stdout: expect.not.stringContaining('approval') });
  expect(first.stdout).toContain(
    `Wave rest (member2) waits for approval, once wave first is through: ${command}\n`,
  );
  expect(held.code).toBe(1);
  expect(held.stdout).toMatch(/^ {2}member2 {2}\w+ · waits for the approval of wave rest$/m);
  expect(held.stdout).toContain(`\nWave rest (member2) waits for approval: ${command}\n`);
  expect(held.stdout).not.toContain('revision');
  expect(JSON.parse(json.stdout)).toMatchObject({
    waiting: [{ wave: 'rest', waitsFor: 'approval', clusters: ['member2'], command }],
  });
  expect(approved).toMatchObject({ code: 1, stdout: expect.not.stringContaining('approval') });
  expect(other.stdout).toMatch(/^ {2}member2: an approval was recorded at .* was changed after/m);
});

test('what is unchanged on clusters of a held wave is not looked at, and the report says that', async () => {
  put(
    cwd,
    'extra.yaml',
    `apiVersion: v1
kind: ConfigMap
metadata: { name: extra }
data: { key: value }
---
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: { name: extra }
spec:
  resourceSelectors: [{ apiVersion: v1, kind: ConfigMap, name: extra }]
  placement: { clusterAffinity: { clusterNames: [member1, member2] } }
`,
  );
  expect((await up('--approve rest')).code).toBe(0);
  put(cwd, 'deployment.yaml', read(cwd, 'deployment.yaml').replace(/image: .*/, 'image: nginx:6'));

  const held = await up();

  expect(held.code).toBe(2);
  expect(held.stdout).toMatch(
    /Deployment default\/nginx {2}generation \d+ {2}observed 1\/2 {2}ready 1\/2\n/,
  );
  expect(held.stdout).toMatch(
    /\n {2}1 other object is unchanged: ready where this run came, and not/,
  );
  expect(held.stdout).not.toMatch(/ConfigMap default\/extra {2}generation/);
});

test('a wave that waits for nothing cannot be approved', async () => {
  const ran = await approve('first', { answers: ['y'] });

  expect(ran).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(
      'No wave "first" waits for approval in this plan; those that do: rest.',
    ),
  });
});

test('outside its time window a wave is held until the next opening, or pushed', async () => {
  aRollout("windows: [{ schedule: '0 22 * * *', duration: 1h }]");

  const held = await up();
  const pushed = await up('--ignore-windows');

  expect(held).toMatchObject({
    code: 2,
    stdout: expect.stringContaining(
      'Held: wave rest waits for its time window, which opens at 2026-01-15T22:00:00Z',
    ),
  });
  expect(pushed.code).toBe(0);
});

test('a window that never opens is refused where it stands', async () => {
  aRollout("windows: [{ schedule: '61 22 * * *', timeZone: Mars/Base, duration: 1h }]");

  const ran = await run(`plan ${FLAGS}`, { cwd });

  expect(ran.code).toBe(1);
  expect(ran.stderr).toContain('expected a cron schedule that comes up');
  expect(ran.stderr).toContain('expected the name of a time zone');
});
