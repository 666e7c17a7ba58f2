import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { startSandbox, type Sandbox } from '../../lib/providers/sandbox/index.js';
import { printDocuments } from '../../lib/providers/source/index.js';
import { copyOf, put, read, run } from './run.js';

jest.setTimeout(60_000);

/** Commands that reach clusters where the application runs, after its lock was lost. */
let sandbox: Sandbox;
let cwd = '';

beforeAll(async () => {
  sandbox = await startSandbox({
    clusters: ['member1', 'member2', 'member3'].map((name) => ({ name })),
  });
});
afterAll(() => sandbox.close());

beforeEach(() => {
  cwd = copyOf('04-karmada-nginx');
  writeFileSync(join(cwd, 'kubeconfig'), sandbox.kubeconfig);
  put(cwd, 'fleet.yaml', printDocuments(sandbox.fleet()));
});

const FLAGS = '-f . --app nginx --kubeconfig kubeconfig --no-frozen';
const up = (more = ''): ReturnType<typeof run> => run(`up ${FLAGS} --yes ${more}`, { cwd });
const deployedOn = (): string[] =>
  ['member1', 'member2', 'member3'].filter((cluster) =>
    sandbox
      .cluster(cluster)
      .objects()
      .some(({ kind }) => kind === 'Deployment'),
  );

test('a first run does not need the clusters that it does not use', async () => {
  const { code, stderr } = await run(`plan ${FLAGS} --live --context-map member3=nowhere`, { cwd });

  expect(stderr).toMatch(/warning +KUBECONFIG_INVALID .*member3/);
  expect(code).toBe(0);
});

test('LOCK_LOST: nothing is decided afresh, or deleted, before somebody says so', async () => {
  expect(await up()).toMatchObject({ code: 0 });
  expect(deployedOn()).toEqual(['member1', 'member2']);
  rmSync(join(cwd, 'fleet.lock.yaml'));
  const policy = read(cwd, 'propagationpolicy.yaml');
  put(cwd, 'propagationpolicy.yaml', policy.replaceAll(/member[12]/g, 'member3'));

  const refused = await up();

  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('LOCK_LOST');
  expect(refused.stderr).toContain(
    '2 objects of application "nginx" are on the clusters: member1 (1), member2 (1)',
  );
  expect(deployedOn()).toEqual(['member1', 'member2']);
  const seen = await run(`plan ${FLAGS} --live`, { cwd });
  expect(seen.stderr).toContain('LOCK_LOST');
  // What would go is shown, also on clusters that the plan does not use.
  expect(seen.stdout).toContain('-2 deleted');

  const meant = await up('--acknowledge LOCK_LOST');

  expect(meant.stderr).toContain('LOCK_LOST');
  expect(meant.code).toBe(0);
  expect(deployedOn()).toEqual(['member3']);
});
