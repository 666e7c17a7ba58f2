import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { otherCommand, sameCommand } from '../../bin/other-command.js';
import { startSandbox, type Sandbox } from '../../lib/providers/sandbox/index.js';
import { printDocuments } from '../../lib/providers/source/index.js';
import { copyOf, put, read, run } from './run.js';

jest.setTimeout(60_000);

/** Commands that reports propose: they are about the same application and reach the same clusters. */
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
});
afterAll(() => sandbox.close());

const FLAGS = '-f . --app nginx --no-frozen';
const LIVE = `${FLAGS} --kubeconfig kubeconfig`;

describe('another command', () => {
  test.each([
    ['up -f a -f b --yes --approve all --kubeconfig x', 'rollback -f a -f b --kubeconfig x'],
    ['rollback --to 3 --app=shop -fsrc --leave-secrets', 'rollback --app=shop -fsrc'],
    [
      'up --acknowledge FLEET_SHRANK --env prod --no-frozen --json',
      'rollback --env prod --no-frozen',
    ],
    ['up --context-map a=b --app -y', 'rollback --context-map a=b --app -y'],
  ])('%s', (given, expected) => {
    expect(otherCommand(given.split(' '), 'rollback')).toBe(`fleetwright ${expected}`);
  });

  test('words that a shell would take apart are quoted', () => {
    expect(otherCommand(['up', '-f', 'my files'], 'diff', '--live')).toBe(
      "fleetwright diff --live -f 'my files'",
    );
  });
});

test.each([
  ['up --approve all --yes', 'up --yes'],
  ['up --approve=all -f all', 'up -f all'],
  ['up --approve first --approve all', 'up --approve first'],
])('the same command: %s', (given, expected) => {
  expect(sameCommand(given.split(' '))).toBe(`fleetwright ${expected}`);
});

test('a failed wave: forward without a blanket approval, or back', async () => {
  const up = (): ReturnType<typeof run> => run(`up ${LIVE} --yes --approve all`, { cwd });
  sandbox
    .cluster('member2')
    .faults.inject(({ method, path }) =>
      method === 'PATCH' && path.includes('deployments')
        ? { code: 422, reason: 'Invalid', message: 'refused' }
        : undefined,
    );
  const first = await up();
  sandbox.cluster('member2').faults.inject(undefined);
  expect((await up()).code).toBe(0);
  put(cwd, 'deployment.yaml', read(cwd, 'deployment.yaml').replace(/image: .*/, 'image: nginx:2'));
  sandbox
    .cluster('member2')
    .faults.inject(({ method, path }) =>
      method === 'PATCH' && path.includes('deployments')
        ? { code: 422, reason: 'Invalid', message: 'refused' }
        : undefined,
    );

  const second = await up();
  sandbox.cluster('member2').faults.inject(undefined);

  expect([first.code, second.code]).toEqual([1, 1]);
  expect(first.stdout).toMatch(/Continue with: {2}fleetwright up -f \. .*--yes\n$/);
  expect(first.stdout).not.toContain('--approve all');
  expect(second.stdout).toMatch(
    /Continue with: {2}fleetwright up .*--yes\nOr go back with: {2}fleetwright rollback -f \. --app nginx --no-frozen --kubeconfig kubeconfig\n$/,
  );
});

test.each([
  ['plan --live', ''],
  ['diff --live', ''],
  ['up', '--yes'],
])(
  '%s: a kubeconfig that is not there can be named, and not acknowledged',
  async (command, more) => {
    const flags = `${FLAGS} --kubeconfig nowhere --acknowledge KUBECONFIG_INVALID ${more}`;

    const ran = await run(`${command} ${flags}`, { cwd });

    expect(ran.code).toBe(1);
    expect(ran.stderr).toMatch(/error +KUBECONFIG_INVALID/);
    expect(ran.stderr.replaceAll(/\s+/g, ' ')).toContain(
      'Name the file with `--kubeconfig FILE` or KUBECONFIG, or the context with `--context-map CLUSTER=CONTEXT`.',
    );
    expect(ran.stderr).not.toContain('--acknowledge');
    expect(ran.stdout).not.toContain('Continue with');
  },
);
