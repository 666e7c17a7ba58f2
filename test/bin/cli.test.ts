import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, jest, test } from '@jest/globals';
import { z } from 'zod';
import { contentsOf, copyOf, emptyFolder, put, read, run } from './run.js';

jest.setTimeout(120_000);

const ROOT = resolve(__dirname, '../..');
/** From sources: the loader by its address, since tests run in folders without packages. */
const LOADER = pathToFileURL(join(ROOT, 'node_modules/tsx/dist/loader.mjs')).href;
const FLEETWRIGHT = ['--import', LOADER, join(ROOT, 'bin/fleetwright.ts')];

describe('plan', () => {
  test('of Karmada’s nginx sample is what Karmada does', async () => {
    const cwd = copyOf('04-karmada-nginx');

    const ran = await run('plan -f . --app nginx --profile karmada', { cwd });
    const { stdout } = await run('synth -f . --app nginx --profile karmada --out out --json', {
      cwd,
    });

    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout).toMatchSnapshot();
    expect(JSON.parse(stdout)).toMatchObject({ removed: [], held: [] });
    const one = read(cwd, 'out/clusters/member1/nginx/manifest.yaml');
    const two = read(cwd, 'out/clusters/member2/nginx/manifest.yaml');
    expect([one, two].map((text) => /replicas: (\d+)/.exec(text)?.[1])).toEqual(['1', '1']);
    expect([one, two].map((text) => text.includes('env: skoala-dev'))).toEqual([false, true]);
    expect([one, two].map((text) => text.includes('env: skoala-stage'))).toEqual([true, false]);
  });

  test('of the online boutique is the expected one', async () => {
    const ran = await run('plan', { cwd: copyOf('01-online-boutique') });

    expect(ran.code).toBe(0);
    expect(ran.stdout).toMatchSnapshot();
  });

  test('--json is one document, and says the same', async () => {
    const ran = await run('plan -f . --json', { cwd: copyOf('04-karmada-nginx') });

    expect(JSON.parse(ran.stdout)).toMatchObject({
      schemaVersion: 1,
      applicable: true,
      fleet: { clusters: 3 },
      bindings: [
        {
          resource: { kind: 'Deployment', name: 'nginx' },
          assignments: [
            { cluster: 'member1', replicas: 1 },
            { cluster: 'member2', replicas: 1 },
          ],
        },
      ],
      diagnostics: [],
    });
    expect(ran.stdout).not.toContain('"releases"');
    expect(ran.stderr).toBe('');
  });

  test('--json keeps to its published schema', async () => {
    const schema = z.fromJSONSchema(
      JSON.parse(readFileSync(join(ROOT, 'docs/plan.schema.json'), 'utf8')) as never,
    );
    for (const example of ['01-online-boutique', '04-karmada-nginx']) {
      const ran = await run('plan -f . --json', { cwd: copyOf(example) });

      expect(schema.safeParse(JSON.parse(ran.stdout)).error).toBeUndefined();
    }
    expect(schema.safeParse({ schemaVersion: 2 }).success).toBe(false);
  });

  test('--detailed-exitcode tells changes from none', async () => {
    const cwd = copyOf('04-karmada-nginx');

    expect((await run('plan -f . --detailed-exitcode', { cwd })).code).toBe(2);
    await run('lock -f .', { cwd });
    expect((await run('plan -f . --detailed-exitcode', { cwd })).code).toBe(0);
  });

  test('a re-plan changes no byte, and input from a pipe is the same as from files', async () => {
    const cwd = copyOf('04-karmada-nginx');
    await run('lock -f .', { cwd });
    const before = contentsOf(cwd);

    await run('lock -f . --now 2027-01-01T00:00:00Z', { cwd });
    const piped = await run('plan -f - -f propagationpolicy.yaml -f overridepolicy.yaml', {
      cwd,
      stdin: read(cwd, 'deployment.yaml'),
    });

    expect(contentsOf(cwd)).toEqual(before);
    expect(piped.stdout).toBe((await run('plan -f .', { cwd })).stdout);
  });
});

describe('environments', () => {
  test('have a lock each and may see some clusters only', async () => {
    const cwd = copyOf('04-karmada-nginx');
    put(
      cwd,
      'fleetwright.yaml',
      'app: nginx\nsources: [deployment.yaml, policy.yaml]\nenvironments:\n  prod: {clusterSelector: {matchLabels: {tier: prod}}}\n  test: {clusterSelector: {matchLabels: {tier: test}}}\n',
    );
    put(
      cwd,
      'policy.yaml',
      'apiVersion: policy.karmada.io/v1alpha1\nkind: PropagationPolicy\nmetadata: {name: all}\nspec:\n  resourceSelectors: [{apiVersion: apps/v1, kind: Deployment}]\n  placement: {}\n',
    );

    await run('lock --env prod', { cwd });
    await run('lock --env test', { cwd });

    expect(read(cwd, 'fleet.prod.lock.yaml')).toContain('"member1":2,"member2":2');
    expect(read(cwd, 'fleet.test.lock.yaml')).toContain('"member3":2');
  });
});

describe('diff', () => {
  test('shows per cluster what a change does against a commit; Secrets stay hidden', async () => {
    const cwd = copyOf('04-karmada-nginx');
    const secret = (value: string): string =>
      `apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {password: ${value}}\n`;
    put(cwd, 'secret.yaml', secret('hunter1'));
    put(
      cwd,
      'deployment.yaml',
      read(cwd, 'deployment.yaml').replace('name: nginx\n', 'name: nginx\n').trimEnd() +
        '\n        envFrom: [{secretRef: {name: s}}]\n',
    );
    put(
      cwd,
      'propagationpolicy.yaml',
      read(cwd, 'propagationpolicy.yaml').replace('spec:\n', 'spec:\n  propagateDeps: true\n'),
    );
    const git = (...args: string[]): void =>
      void execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args], {
        cwd,
      });
    git('init', '-q');
    git('add', '-A');
    git('commit', '-q', '-m', 'base');
    expect((await run('diff -f . --app nginx', { cwd })).stdout).toBe('No differences.\n');
    put(
      cwd,
      'deployment.yaml',
      read(cwd, 'deployment.yaml').replace('image: nginx', 'image: nginx:1.29'),
    );
    put(cwd, 'secret.yaml', secret('hunter2'));

    const text = await run('diff -f . --app nginx --detailed-exitcode', { cwd });
    const markdown = await run('diff -f . --app nginx --format markdown', { cwd });
    const json = await run('diff -f . --app nginx --json', { cwd });

    expect(text.code).toBe(2);
    expect(text.stdout).toMatchSnapshot();
    expect(markdown.stdout).toMatchSnapshot();
    expect(JSON.parse(json.stdout)).toMatchObject({
      schemaVersion: 1,
      differences: [
        { action: 'update', clusters: ['member1', 'member2'] },
        { action: 'update', resource: { kind: 'Secret' } },
      ],
    });
    expect(text.stdout + markdown.stdout + json.stdout).not.toContain('hunter');
    expect((await run('diff -f . --base nope', { cwd })).stderr).toContain('"nope" is no commit');
  });
});

describe('init', () => {
  test.each(['cli', 'gitops'])(
    '%s makes a project that plans without a finding',
    async (template) => {
      const cwd = emptyFolder();

      expect((await run(`init shop --template ${template}`, { cwd })).code).toBe(0);
      const ran = await run('plan', { cwd: join(cwd, 'shop') });

      expect(ran).toMatchObject({ code: 0, stderr: '' });
      expect(ran.stdout).toMatch(/ConfigMap shop\/web-env +follows Deployment shop\/web/);
    },
  );

  test('refuses a folder that has such files, and writes nothing', async () => {
    const cwd = emptyFolder();
    put(cwd, 'fleet.yaml', 'mine');

    const ran = await run('init --template pulumi', { cwd });

    expect(ran).toMatchObject({ code: 1 });
    expect(contentsOf(cwd)).toEqual({ 'fleet.yaml': 'mine' });
  });
});

describe('a process of its own', () => {
  const start = (
    args: readonly string[],
    cwd: string,
  ): { stdout: () => string; child: ReturnType<typeof spawn>; code: Promise<number | null> } => {
    const child = spawn(process.execPath, [...FLEETWRIGHT, ...args], {
      cwd,
      env: { ...process.env, NODE_OPTIONS: '', CI: '' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let text = '';
    child.stdout?.on('data', (part: Buffer) => (text += part.toString()));
    child.stderr?.resume();
    return { stdout: () => text, child, code: new Promise((done) => child.on('close', done)) };
  };

  test('completion suggests commands, flags and values', async () => {
    const ask = async (...words: string[]): Promise<string> => {
      const { stdout, code } = start(['complete', '--', ...words], ROOT);
      await code;
      return stdout();
    };

    expect(await ask('pl')).toContain('plan\t');
    expect(await ask('synth', '--layout', '')).toMatch(/argocd[\s\S]*flux/);
  });

  test.each([
    { name: 'a command', words: ['pl'], expected: ['plan'] },
    { name: 'all commands', words: [''], expected: expect.arrayContaining(['plan', 'up']) },
    { name: 'a value', words: ['synth', '--layout', 'flu'], expected: ['flux'] },
    {
      name: 'after a word that bash splits',
      words: ['plan', '--now', '2026', ':', '01', '--fl'],
      expected: ['--fleet'],
    },
  ])('bash completes $name without its completion package', ({ words, expected }) => {
    const cwd = emptyFolder();
    const shim = `fleetwright() { "${process.execPath}" ${FLEETWRIGHT.join(' ')} "$@"; }`;
    const ask = `${shim}; source <(fleetwright completion bash); COMP_WORDS=(fleetwright "$@"); COMP_CWORD=$#; __fleetwright_complete; printf '%s\\n' "\${COMPREPLY[@]}"`;

    const printed = execFileSync('bash', ['--norc', '--noprofile', '-c', ask, 'bash', ...words], {
      cwd,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] ?? '', HOME: cwd },
    });

    expect(printed.trim().split('\n')).toEqual(expected);
  });

  test('sandbox serves until Ctrl-C, and comes up again with what it held', async () => {
    const cwd = emptyFolder();
    const first = start(['sandbox', '--clusters', '1', '--json'], cwd);
    await Promise.race([
      first.code,
      new Promise<void>((ready) => first.child.stdout?.once('data', () => ready())),
    ]);
    const { clusters } = JSON.parse(first.stdout()) as { clusters: { name: string }[] };
    first.child.kill('SIGINT');

    expect(clusters.map((c) => c.name)).toEqual(['eu-1']);
    expect(await first.code).toBe(0);
    expect(Object.keys(contentsOf(cwd))).toEqual([
      '.fleetwright/sandbox.json',
      'fleet.yaml',
      'sandbox.kubeconfig',
    ]);
    expect(read(cwd, '.fleetwright/sandbox.json')).toContain('"eu-1"');
  });

  test('sandbox ends when its files cannot be written', async () => {
    const cwd = emptyFolder();
    put(cwd, 'file', '');

    const started = start(['sandbox', '--clusters', '1', '--dir', 'file/below'], cwd);

    expect(await started.code).toBe(1);
  });

  test('a closed pipe is no failure', () => {
    const command = `"${process.execPath}" ${FLEETWRIGHT.join(' ')} plan -f . --json | head -c 1 >/dev/null; echo "$PIPESTATUS"`;
    const out = execFileSync('bash', ['-c', command], {
      cwd: copyOf('04-karmada-nginx'),
      encoding: 'utf8',
      env: { ...process.env, NODE_OPTIONS: '', CI: '' },
    });

    expect(out.trim()).toBe('0');
  });
});
