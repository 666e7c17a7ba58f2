import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { copyOf, emptyFolder, run } from './run.js';

const helpOf = async (command: string): Promise<string> =>
  (await run(`${command} --help`, { cwd: emptyFolder() })).stdout;

test.each([
  { command: 'destroy', unread: ['--file', '--fleet', '--profile', '--reschedule'] },
  { command: 'status', unread: ['--frozen', '--no-frozen', '--acknowledge', '--reschedule'] },
  { command: 'explain', unread: ['--frozen', '--no-frozen'] },
  { command: 'rollback', unread: ['--profile', '--frozen', '--no-frozen', '--reschedule'] },
])('the help of $command lists no flag that it does not read', async ({ command, unread }) => {
  const help = await helpOf(command);

  expect(unread.filter((flag) => new RegExp(`${flag}\\b`).test(help))).toEqual([]);
  expect(help).toContain('--app <name>');
});

test('flags that a command does not read are accepted: one set serves up, status and destroy', async () => {
  const ran = await run('destroy -f . --now 2026-01-01T00:00:00Z --app none', {
    cwd: emptyFolder(),
  });

  expect(ran.stderr).toContain('does not exist: no application is known');
});

test.each([
  { name: 'after it', args: 'Deployment/default/nginx --reschedule' },
  { name: 'before it', args: '--reschedule Deployment/default/nginx' },
  { name: 'with a name', args: '--reschedule Deployment/nginx Deployment/default/nginx' },
])('explain --reschedule leaves the argument alone: $name', async ({ args }) => {
  const ran = await run(`explain ${args} -f .`, { cwd: copyOf('04-karmada-nginx') });

  expect(ran).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Deployment default/nginx'),
  });
});

test('explain and approve say what they miss', async () => {
  const cwd = copyOf('04-karmada-nginx');

  expect((await run('explain -f . --reschedule', { cwd })).stderr).toContain('which object');
  expect((await run('approve -f . --app nginx', { cwd })).stderr).toContain('which wave');
});

test('the script for bash can be sourced twice', () => {
  const root = resolve(__dirname, '../..');
  const script = execFileSync(
    process.execPath,
    [join(root, 'node_modules/tsx/dist/cli.mjs'), 'bin/fleetwright.ts', 'completion', 'bash'],
    { cwd: root, encoding: 'utf8' },
  );
  const file = join(emptyFolder(), 'completion.bash');
  writeFileSync(file, script);

  const ran = spawnSync('bash', ['-c', `source '${file}' && source '${file}' && complete -p`], {
    encoding: 'utf8',
  });

  expect(ran).toMatchObject({ status: 0, stderr: '' });
  expect(ran.stdout).toContain('fleetwright');
});
