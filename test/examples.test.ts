import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import * as pulumi from '@pulumi/pulumi';
import type { Plan } from '../lib/engine/index.js';
import { describePlan } from '../lib/engine/index.js';
import { copyOf, NOW, run } from './bin/run.js';
import { PulumiProject } from './providers/pulumi/project.js';
import { describeWithPulumi } from './rig/rig.js';

/**
 * An example that is not run does not exist: the commands of each README are run, and what they write and show is compared
 * with the example's `expected/`. `UPDATE_EXAMPLES=1 npx jest test/examples.test.ts` writes it anew.
 */
const ROOT = resolve(__dirname, '..');
const EXAMPLES = join(ROOT, 'examples');
const MINUTE = 60_000;
const exec = promisify(execFile);

const names = readdirSync(EXAMPLES).filter((name) => /^\d\d-/.test(name));
/** From YAML: their commands run in their folder. */
const fromYaml = names.filter(
  (name) => !existsSync(join(EXAMPLES, name, 'package.json')) && !hasMain(name),
);
/** cdk8s apps: their commands run in the project's folder, which holds cdk8s.yaml. */
const fromConstructs = names.filter(hasMain);

const folders: string[] = [];
afterEach(() => {
  jest.useRealTimers();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function hasMain(name: string): boolean {
  return existsSync(join(EXAMPLES, name, 'main.ts'));
}

function readme(name: string): string {
  return readFileSync(join(EXAMPLES, name, 'README.md'), 'utf8');
}

/** What the README tells people to type. */
function commandsOf(name: string, program: string): string[] {
  return [...readme(name).matchAll(/^\$ (.*)$/gm)]
    .map((match) => match[1] ?? '')
    .filter((line) => line.startsWith(program))
    .map((line) => line.slice(program.length).trim());
}

function expectFile(name: string, file: string, found: string): void {
  const path = join(EXAMPLES, name, 'expected', file);
  if (process.env['UPDATE_EXAMPLES'] !== undefined) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, found);
  }
  expect(found).toBe(readFileSync(path, 'utf8'));
}

test.each(names)('%s has a README of about ten lines', (name) => {
  const lines = readme(name)
    .split('\n')
    .filter((line) => line !== '');

  expect(lines[0]).toMatch(/^# \d\d /);
  expect(lines.length).toBeGreaterThanOrEqual(5);
  expect(lines.length).toBeLessThanOrEqual(16);
});

describe.each(fromYaml)('%s', (name) => {
  test('its commands show what is expected', async () => {
    const commands = commandsOf(name, 'fleetwright');
    expect(commands.length).toBeGreaterThan(0);
    const cwd = copyOf(name);
    folders.push(cwd);
    const shown = new Map<string, string>();

    for (const command of commands) {
      const { code, stdout, stderr } = await run(command, { cwd });
      expect([command, code, code === 0 ? '' : stderr]).toEqual([command, 0, '']);
      const [verb = ''] = command.split(' ');
      shown.set(verb, `${shown.get(verb) ?? ''}${stdout}${stderr}`);
    }

    for (const [verb, text] of shown) expectFile(name, `${verb}.txt`, text);
  });
});

describe.each(fromConstructs)('%s', (name) => {
  test(
    'cdk8s synth writes the expected YAML, and its plan is the expected one',
    async () => {
      const [synth = ''] = commandsOf(name, 'npx cdk8s synth');
      const [plan = ''] = commandsOf(name, 'fleetwright plan');
      const out = mkdtempSync(join(tmpdir(), 'fleetwright-example-'));
      folders.push(out);
      const args = wordsOf(synth).map((word) => (word === 'out' ? out : word));

      await exec(
        join(ROOT, 'node_modules/.bin/cdk8s'),
        ['synth', ...args, '--check-upgrade=false'],
        {
          cwd: ROOT,
          env: { ...process.env, NODE_OPTIONS: '' },
        },
      );
      const planned = await run(`plan ${plan.replace('-f out', `-f ${out}`)}`, { cwd: ROOT });

      const files = readdirSync(out).sort();
      expect(files.length).toBeGreaterThan(0);
      for (const file of files) expectFile(name, file, readFileSync(join(out, file), 'utf8'));
      expect(planned).toMatchObject({ code: 0 });
      expectFile(name, 'plan.txt', `${planned.stdout}${planned.stderr}`);
      const known = readdirSync(join(EXAMPLES, name, 'expected')).sort();
      expect(known).toEqual([...files, 'plan.txt'].sort());
    },
    2 * MINUTE,
  );
});

/** As a shell would split them: quotes keep words together. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2] ?? '');
}

describe('06-pulumi', () => {
  test('its program shows the expected plan', async () => {
    const cwd = copyOf('06-pulumi');
    folders.push(cwd);
    const back = process.cwd();
    jest.spyOn(console, 'log').mockImplementation(() => undefined);
    // The clock only; Pulumi's timers go on.
    jest.useFakeTimers({
      now: new Date(NOW),
      doNotFake: [
        'nextTick',
        'setImmediate',
        'setInterval',
        'setTimeout',
        'queueMicrotask',
        'performance',
        'hrtime',
      ],
    });
    await pulumi.runtime.setMocks(
      {
        newResource: ({ name, inputs }) => ({ id: name, state: inputs as object }),
        call: ({ inputs }) => inputs as Record<string, unknown>,
      },
      'shop',
      'dev',
      true,
    );
    process.chdir(cwd);
    // A developer's machine: with CI=true a lock that is missing is frozen.
    const ci = process.env['CI'];
    delete process.env['CI'];
    try {
      const program = (await import('../examples/06-pulumi/index.js')) as { plan: Plan };

      expectFile('06-pulumi', 'plan.txt', describePlan(program.plan));
    } finally {
      if (ci !== undefined) process.env['CI'] = ci;
      process.chdir(back);
    }
    // A preview decides nothing: it leaves no file.
    expect(existsSync(join(cwd, 'fleet.lock.yaml'))).toBe(false);
  });

  describeWithPulumi('with the real Pulumi', (bin) => {
    test(
      'pulumi preview runs the project as it is',
      async () => {
        const project = new PulumiProject(bin());
        folders.push(project.folder);
        cpSync(join(EXAMPLES, '06-pulumi'), project.folder, { recursive: true });
        expect((await project.run(['stack', 'init', 'dev'])).code).toBe(0);

        const { code, text } = await project.run(['preview']);

        expect(text).toContain('Deployment shop/web');
        expect(text).toMatch(/Resources:\n\s+\+ \d+ to create/);
        expect(code).toBe(0);
      },
      3 * MINUTE,
    );
  });
});
