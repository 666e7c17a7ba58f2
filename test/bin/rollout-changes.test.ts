import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { startSandbox, type Sandbox } from '../../lib/providers/sandbox/index.js';
import { printDocuments } from '../../lib/providers/source/index.js';
import { copyOf, put, read, run } from './run.js';

jest.setTimeout(60_000);

/** What people see of a change before they agree to it. The tests go on from what the one before left on the clusters. */
let sandbox: Sandbox;
let cwd = '';
beforeAll(async () => {
  sandbox = await startSandbox({
    clusters: ['member1', 'member2', 'member3'].map((name) => ({ name, region: name })),
  });
  cwd = copyOf('04-karmada-nginx');
  writeFileSync(join(cwd, 'kubeconfig'), sandbox.kubeconfig);
  put(cwd, 'fleet.yaml', printDocuments(sandbox.fleet()));
  put(
    cwd,
    'rollout.yaml',
    `apiVersion: fleetwright.dev/v1alpha1
kind: Rollout
metadata: { name: web }
spec:
  waves:
    - { name: first, clusterAffinity: { clusterNames: [member1] } }
    - { name: rest, approval: true }
`,
  );
  template('nginx:1.29');
  extra('v1', 'open-sesame', 1);
  expect((await up('--yes --approve all')).code).toBe(0);
});
afterAll(() => sandbox.close());

const FLAGS = '-f . --app nginx --kubeconfig kubeconfig --no-frozen';
const up = (more = ''): ReturnType<typeof run> => run(`up ${FLAGS} ${more}`, { cwd });
const template = (image: string): void =>
  put(cwd, 'deployment.yaml', read(cwd, 'deployment.yaml').replace(/image: .*/, `image: ${image}`));

/** A Secret and a ConfigMap with `lines` keys, both on member1. */
function extra(value: string, password: string, lines: number, kinds = 'Secret ConfigMap'): void {
  const keys = Array.from({ length: lines }, (_, i) => `k${i}: ${value}`).join(', ');
  const policies = kinds.split(' ').map(
    (kind) => `---
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: { name: extra-${kind.toLowerCase()} }
spec:
  resourceSelectors: [{ apiVersion: v1, kind: ${kind}, name: extra }]
  placement: { clusterAffinity: { clusterNames: [member1] } }
`,
  );
  const secret = `apiVersion: v1
kind: Secret
metadata: { name: extra }
stringData: { password: ${password} }
---
`;
  put(
    cwd,
    'extra.yaml',
    `${kinds.includes('Secret') ? secret : ''}apiVersion: v1
kind: ConfigMap
metadata: { name: extra }
data: { ${keys} }
${policies.join('')}`,
  );
}

test('up shows a person the diff of what the clusters hold, and a pipeline nothing of it', async () => {
  template('nginx:1.30');
  extra('v1', 'other-secret', 1);
  put(cwd, 'later.yaml', `${read(cwd, 'extra.yaml').replaceAll('extra', 'later')}`);

  const asked = await up();
  const json = await up('--json');
  const frozen = await run(`up ${FLAGS} --yes --events-json`, { cwd: copyOf('04-karmada-nginx') });

  expect(asked).toMatchObject({ code: 1, stderr: expect.stringContaining('Nobody to ask') });
  const changes = asked.stdout.slice(asked.stdout.indexOf('\nChanges\n'));
  expect(changes).toMatch(
    /\n~ Deployment default\/nginx on member1, member2\n {4}@@ .*\n[^~]*\n {4}- +- image: nginx:1.29\n {4}\+ +- image: nginx:1.30\n/,
  );
  expect(changes).toMatch(/\n~ Secret default\/extra on member1\n[^~]*\(hidden, after\)/);
  expect(changes).toMatch(
    /\n\+ ConfigMap default\/later on member1 \(new\)\n\+ Secret default\/later on member1 \(new\)\n$/,
  );
  expect(changes).not.toMatch(/other-secret|open-sesame|b3RoZXIt|b3Blbi1z/);
  expect(json.stdout).not.toContain('Changes');
  expect(frozen.stdout + frozen.stderr).not.toContain('\nChanges\n');
});

test('approve shows what changes in its wave only', async () => {
  const asked = await run(`approve rest ${FLAGS}`, { cwd });

  const changes = asked.stdout.slice(asked.stdout.indexOf('\nChanges in wave rest\n'));
  expect(asked.code).toBe(1);
  expect(changes).toMatch(
    /\n~ Deployment default\/nginx on member2\n[^~]*\+ +- image: nginx:1.30\n +name: nginx\n$/,
  );
  expect(changes).not.toContain('member1');
});

test('what goes is named, and a long diff is cut with the command that shows the rest', async () => {
  extra('v1', '', 60, 'ConfigMap');
  put(cwd, 'later.yaml', '');
  expect((await up('--yes --approve all')).code).toBe(0);
  extra('v2', '', 60, 'ConfigMap');

  const asked = await up();

  const changes = asked.stdout.slice(asked.stdout.indexOf('\nChanges\n')).split('\n').slice(2, -1);
  expect(changes[0]).toBe('~ ConfigMap default/extra on member1');
  expect(changes).toHaveLength(41);
  expect(changes.at(-1)).toMatch(/^… \d\d more lines; see `fleetwright diff --live`$/);
});

test('a wave in which nothing changes says so', async () => {
  const asked = await run(`approve rest ${FLAGS}`, { cwd });

  expect(asked.stdout).toContain('\nChanges in wave rest\nnone\n');
});
