import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Command } from 'commander';
import { createProgram } from '../../bin/program.js';
import type { World } from '../../bin/world.js';
import { startSandbox, type Sandbox } from '../../lib/providers/sandbox/index.js';
import { contentsOf, copyOf, put, read, run } from './run.js';

jest.setTimeout(60_000);

/** Every help text ends with examples, and every example runs. */
const output: World['stdout'] = {
  isTerminal: false,
  columns: 100,
  rows: 40,
  write: () => undefined,
};
const world = { stdout: output, stderr: output } as unknown as World;

function leaves(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);
}

function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (part) => (text += part) });
  command.outputHelp();
  return text;
}

const commands = leaves(createProgram(world, { args: [], code: 0 }));
const examples = commands.flatMap((command) =>
  [...helpOf(command).matchAll(/^ {2}\$ (.*)$/gm)].map((match) => match[1] ?? ''),
);

const CUSTOMIZATION = `apiVersion: config.karmada.io/v1alpha1
kind: ResourceInterpreterCustomization
metadata:
  name: widget
spec:
  target:
    apiVersion: example.io/v1
    kind: Widget
  customizations:
    healthInterpretation:
      luaScript: |
        function InterpretHealth(observedObj)
          return observedObj.status.ready == true
        end
`;

const ROLLOUT = `apiVersion: fleetwright.dev/v1alpha1
kind: Rollout
metadata: { name: web }
spec: { waves: [{ name: rest, approval: true }] }
`;

let sandbox: Sandbox;
let cwd = '';
beforeAll(async () => {
  sandbox = await startSandbox({
    clusters: ['member1', 'member2', 'member3'].map((name) => ({ name })),
  });
  cwd = copyOf('04-karmada-nginx');
  // The folder that the examples speak of: Karmada YAML in one place, a project file, a commit to compare with.
  for (const [path, text] of Object.entries(contentsOf(cwd)))
    if (path !== 'fleet.yaml') put(cwd, join('karmada', path), text);
  put(cwd, 'policies/policy.yaml', read(cwd, 'propagationpolicy.yaml'));
  put(cwd, 'fleetwright.yaml', 'app: nginx\nsources: [karmada]\n');
  put(cwd, 'customization.yaml', CUSTOMIZATION);
  put(cwd, 'rollout.yaml', ROLLOUT);
  put(
    cwd,
    'object.yaml',
    'apiVersion: example.io/v1\nkind: Widget\nmetadata: {name: w}\nstatus: {ready: true}\n',
  );
  writeFileSync(join(cwd, 'kubeconfig'), sandbox.kubeconfig);
});
afterAll(() => sandbox.close());

test.each(commands.map((command) => [command.name(), command] as const))(
  'the help of %s ends with an example',
  (_name, command) => {
    expect(helpOf(command)).toMatch(/Examples?:\n( {2}\$ .*fleetwright .*\n)+$/);
  },
);

describe('the examples run', () => {
  const rest = examples.filter(
    (line) => !line.includes('sandbox') && !line.includes('completion') && !line.includes('--base'),
  );

  test.each(rest)('%s', async (line) => {
    const [before, after = before] = line.split(' | ') as [string, string?];
    const stdin = before === after ? '' : read(cwd, 'deployment.yaml');

    const ran = await run(after.replace(/^fleetwright /, ''), {
      cwd,
      stdin,
      env: { KUBECONFIG: join(cwd, 'kubeconfig') },
    });

    expect(ran.stderr).not.toContain('error ');
    expect(ran).toMatchObject({ code: 0 });
  });

  test('sandbox and completion run in processes of their own, diff in a repository: cli.test.ts', () => {
    expect(examples.length - rest.length).toBe(2);
  });
});
