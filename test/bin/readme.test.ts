import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, jest, test } from '@jest/globals';
import { emptyFolder, read, run } from './run.js';

jest.setTimeout(120_000);

/** The five-minute tour of the README, command by command, as a reader would type it. */
const README = readFileSync(resolve(__dirname, '../../README.md'), 'utf8');
const COMMANDS = [...README.matchAll(/<!-- tour -->\n```console\n([\s\S]*?)```/g)].flatMap(
  (match) =>
    (match[1] ?? '')
      .trim()
      .split('\n')
      .map((line) => line.replace(/^\$ /, '')),
);

test('the tour of the README works', async () => {
  let cwd = emptyFolder();
  let stopSandbox = (): void => undefined;
  let sandbox: Promise<unknown> = Promise.resolve();
  const outputs = new Map<string, string>();

  try {
    for (const line of COMMANDS) {
      const command = line.replace(/^fleetwright /, '');
      if (line.startsWith('cd ')) cwd = join(cwd, line.slice(3));
      else if (command.startsWith('sandbox')) {
        await new Promise<void>((ready) => {
          sandbox = run(command, {
            cwd,
            onStart: (stop) => (stopSandbox = stop),
            onPrint: (text) => text.includes('are up') && ready(),
          });
        });
      } else {
        const ran = await run(command, { cwd });
        expect([line, ran.code, ran.code === 0 ? '' : ran.stderr]).toEqual([line, 0, '']);
        outputs.set(command.split(' ')[0] ?? '', ran.stdout);
      }
    }
  } finally {
    stopSandbox();
    await sandbox;
  }

  expect(COMMANDS.length).toBeGreaterThan(7);
  // What the README shows of the plan is what it prints.
  const shown = /```\n(Deployment shop\/web[\s\S]*?)```/.exec(README)?.[1] ?? 'nothing';
  expect(outputs.get('plan')).toContain(shown);
  expect(outputs.get('status')).toMatch(/Deployment shop\/web .*ready 2\/2/);
  expect(read(cwd, 'fleet.lock.yaml')).toContain('bindings: []');
});
