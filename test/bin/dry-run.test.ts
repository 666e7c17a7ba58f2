import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
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
});
afterAll(() => sandbox.close());
beforeEach(() => {
  cwd = copyOf('04-karmada-nginx');
  writeFileSync(join(cwd, 'kubeconfig'), sandbox.kubeconfig);
  put(cwd, 'fleet.yaml', printDocuments(sandbox.fleet()));
  put(cwd, 'overridepolicy.yaml', '');
});

const INPUT = '-f . --app nginx --kubeconfig kubeconfig --no-frozen';
const edit = (from: string, to: string): void =>
  put(cwd, 'deployment.yaml', read(cwd, 'deployment.yaml').replace(from, to));

describe('--dry-run=server', () => {
  test('what every cluster refuses is one error with their names, and the command fails', async () => {
    edit('      app: nginx\n  template', '      app: other\n  template');

    const ran = await run(`plan ${INPUT} --dry-run server`, { cwd });

    expect(ran.code).toBe(1);
    expect(ran.stderr).toMatch(
      /error +APPLY_REFUSED +member1, member2: apply Deployment default\/nginx: /,
    );
    expect(
      sandbox
        .cluster('member1')
        .objects()
        .some(({ kind }) => kind === 'Deployment'),
    ).toBe(false);
  });

  test('what they take is said as before, and silent clusters are named within seconds', async () => {
    const good = await run(`plan ${INPUT} --dry-run server --json`, { cwd });
    expect(good.code).toBe(0);
    expect(JSON.parse(good.stdout)).toMatchObject({ applicable: true });

    await sandbox.cluster('member2').stop({ blackHole: true });
    const startedAt = performance.now();
    try {
      const ran = await run(`plan ${INPUT} --dry-run server`, { cwd });

      expect(ran.code).toBe(0);
      expect(ran.stderr).toMatch(
        /warning +CLUSTER_UNREACHABLE +member2: .*its objects were not checked/,
      );
      // A request of its own would be given 30 s.
      expect(performance.now() - startedAt).toBeLessThan(25_000);
    } finally {
      await sandbox.cluster('member2').start();
    }
  });

  test('diff against a commit asks too', async () => {
    const git = (...args: readonly string[]): unknown =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
        cwd,
      });
    git('init', '-q');
    git('add', '.');
    git('commit', '-q', '-m', 'one');
    edit('      app: nginx\n  template', '      app: other\n  template');

    const ran = await run(`diff ${INPUT} --dry-run server --format json`, { cwd });

    expect(ran.code).toBe(1);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      applicable: false,
      diagnostics: [{ code: 'APPLY_REFUSED', summary: expect.stringContaining('selector') }],
    });
  });

  test('a control plane is no member cluster', async () => {
    const ran = await run(`plan ${INPUT} --target karmada --dry-run server`, { cwd });

    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('--dry-run=server asks member clusters, not target karmada');
  });
});
