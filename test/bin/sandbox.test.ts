import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, jest, test } from '@jest/globals';
import { emptyFolder, put, type Ran, read, run } from './run.js';

jest.setTimeout(60_000);

/** Up until it says so, then Ctrl-C. */
async function upAndDown(cwd: string, args = '--clusters 1'): Promise<Ran> {
  let stop = (): void => undefined;
  return run(`sandbox ${args}`, {
    cwd,
    onStart: (interrupt) => (stop = interrupt),
    onPrint: (text) => text.includes('Ctrl-C stops them') && !text.includes('Stopping') && stop(),
  });
}

describe('one sandbox a folder', () => {
  test('a second one is refused with the process that runs the first, and writes nothing', async () => {
    const cwd = emptyFolder();
    put(cwd, '.fleetwright/sandbox.pid', `${process.ppid}\n`);

    const ran = await run('sandbox', { cwd });

    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toContain(
      `already running in this folder, pid ${process.ppid}: stop it, or give another folder with --dir`,
    );
    expect(existsSync(join(cwd, 'sandbox.kubeconfig'))).toBe(false);
    expect(read(cwd, '.fleetwright/sandbox.pid')).toBe(`${process.ppid}\n`);
  });

  test.each([
    { name: 'of a dead process', pid: () => spawnSync(process.execPath, ['-e', '']).pid },
    { name: 'of an earlier process with our number', pid: () => process.pid },
    { name: 'without a number', pid: () => '' },
  ])('what was left $name counts for nothing', async ({ pid }) => {
    const cwd = emptyFolder();
    put(cwd, '.fleetwright/sandbox.pid', `${pid()}\n`);

    const ran = await upAndDown(cwd);

    expect(ran.code).toBe(0);
    expect(existsSync(join(cwd, '.fleetwright/sandbox.pid'))).toBe(false);
  });
});

describe('the fleet file', () => {
  test('of an earlier sandbox is written anew, without a word', async () => {
    const cwd = emptyFolder();
    await upAndDown(cwd);
    put(cwd, 'fleet.yaml', read(cwd, 'fleet.yaml').replaceAll('\n', '\r\n'));

    const ran = await upAndDown(cwd, '--clusters 2 --fresh');

    expect(ran.stdout).toMatch(/fleet {7}fleet\.yaml\n/);
    expect(read(cwd, 'fleet.yaml')).toContain('name: us-1');
  });

  test('of init is replaced, and that is said', async () => {
    const cwd = emptyFolder();
    await run('init', { cwd });

    const ran = await upAndDown(cwd);

    expect(ran.stdout).toContain('fleet.yaml  (replaced the sample fleet.yaml)\n');
    expect(read(cwd, 'fleet.yaml')).toContain('Simulated clusters');
  });

  test.each([
    { name: 'a snapshot', fleet: (own: string) => own.replace(/^.*\n.*\n/, '') },
    { name: 'an edited one', fleet: (own: string) => own.replace('tier: prod', 'tier: test') },
    { name: 'other clusters', fleet: () => 'kind: Cluster\nspec:\n  id: 6f1c\n' },
  ])('of somebody else stays: $name', async ({ fleet }) => {
    const cwd = emptyFolder();
    await upAndDown(cwd);
    const text = fleet(read(cwd, 'fleet.yaml'));
    put(cwd, 'fleet.yaml', text);

    const ran = await upAndDown(cwd);

    expect(read(cwd, 'fleet.yaml')).toBe(text);
    expect(read(cwd, 'sandbox.fleet.yaml')).toContain('name: eu-1');
    expect(ran.stdout).toContain('fleet       sandbox.fleet.yaml  (fleet.yaml is not');
    expect(ran.stdout).toContain('up --fleet sandbox.fleet.yaml --kubeconfig sandbox.kubeconfig');
  });

  test('edited from the sample stays', async () => {
    const cwd = emptyFolder();
    await run('init', { cwd });
    put(cwd, 'fleet.yaml', read(cwd, 'fleet.yaml').replace('tier: prod', 'tier: test'));

    await upAndDown(cwd);

    expect(read(cwd, 'fleet.yaml')).toContain('tier: test');
  });
});
