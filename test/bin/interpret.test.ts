import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { copyOf, put, run } from './run.js';

const EXAMPLE = '05-teach-a-kind';

async function interpret(args: string, change?: (cwd: string) => void) {
  const cwd = copyOf(EXAMPLE);
  change?.(cwd);
  return run(`interpret ${args}`, { cwd });
}

describe('one operation on one object', () => {
  test.each<[name: string, args: string, stdout: string]>([
    [
      'replicas, of the only object whose kind is taught',
      '-f customization.yaml -f app --operation InterpretReplica',
      'replicas: 6\nrequirements:\n  resourceRequest:\n    cpu: 500m\n    memory: 1Gi\n',
    ],
    [
      'health',
      '-f customization.yaml -f observed.yaml --operation InterpretHealth',
      'healthy: false\n',
    ],
    [
      'revision',
      '-f customization.yaml --desired observed.yaml --replicas 2 --operation ReviseReplica',
      'nodes: 2',
    ],
    [
      'retention',
      '-f customization.yaml -f app --observed observed.yaml --operation Retain',
      'leader: node-2',
    ],
    [
      'aggregation',
      '-f customization.yaml -f app --items reported.yaml --operation AggregateStatus',
      'status:\n  readyNodes: 5\n',
    ],
    [
      'aggregation of nothing',
      '-f customization.yaml -f app --operation AggregateStatus',
      'readyNodes: 0',
    ],
    [
      'whatever can be asked',
      '-f customization.yaml -f observed.yaml',
      'InterpretHealth:\n  healthy: false\n',
    ],
    ['a kind that is built in', '-f deployment.yaml --operation InterpretReplica', 'replicas: 3\n'],
    [
      'a kind that nobody knows',
      '-f observed.yaml',
      'InterpretStatus:\n  status:\n    observedGeneration: 3\n    readyNodes: 3\n',
    ],
  ])('%s', async (_name, args, stdout) => {
    const ran = await interpret(args, withDeployment);

    expect(ran.stderr).toBe('');
    expect(ran.stdout).toContain(stdout);
    expect(ran.code).toBe(0);
  });

  test('as JSON', async () => {
    const { stdout } = await interpret(
      '-f customization.yaml -f observed.yaml --operation InterpretHealth --json',
    );

    expect(JSON.parse(stdout)).toEqual({
      schemaVersion: 1,
      operation: 'InterpretHealth',
      resource: {
        apiVersion: 'cache.example.com/v1',
        kind: 'CacheCluster',
        namespace: 'shop',
        name: 'sessions',
      },
      result: { healthy: false },
    });
  });
});

describe('what goes wrong', () => {
  test('a script that fails is a finding at its place', async () => {
    const { code, stdout, stderr } = await interpret(
      '-f bad.yaml -f observed.yaml --operation InterpretHealth',
      withBadScript('return obj.status.nodes.ready'),
    );

    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('INTERPRETER_FAILED');
    expect(stderr).toContain('line 2 of the script');
    expect(stderr).toContain('at bad.yaml:9:7');
  });

  test.each<[name: string, args: string, message: string]>([
    ['several objects', '-f app/cache.yaml', 'One object can be asked about at a time'],
    ['no object', '-f customization.yaml', 'There is no object to ask about'],
    ['no file', '', 'There is no object to ask about'],
    ['a file that is not there', '-f nothing.yaml', 'SOURCE_MISSING'],
    [
      'an operation that the kind does not have',
      '-f deployment.yaml --operation InterpretComponent',
      'Deployment has no InterpretComponent; it has',
    ],
    ['an operation that does not exist', '-f observed.yaml --operation Guess', 'Allowed choices'],
    [
      'replicas missing',
      '-f customization.yaml -f observed.yaml --operation ReviseReplica',
      '--replicas N',
    ],
    ['replicas that are none', '-f observed.yaml --replicas many', 'expected a whole number'],
    ['observed missing', '-f customization.yaml -f app --operation Retain', '--observed FILE'],
    [
      'items that are none',
      '-f customization.yaml -f app --operation AggregateStatus --items observed.yaml',
      'each with clusterName',
    ],
  ])('%s', async (_name, args, message) => {
    const { code, stderr } = await interpret(args, withDeployment);

    expect(stderr).toContain(message);
    expect(code).toBe(1);
  });
});

describe('--check', () => {
  test('says that the scripts can run', async () => {
    const { code, stdout } = await interpret('-f customization.yaml --check');

    expect([code, stdout]).toEqual([
      0,
      'ResourceInterpreterCustomization cache-cluster: the scripts can run\n',
    ]);
  });

  test.each<[body: string, message: string]>([
    ['return = 1', '(line 2)'],
    ['return 1 end function Other()', ''],
  ])('finds what is wrong with "%s"', async (body, message) => {
    const ran = await interpret('-f bad.yaml --check', withBadScript(body));
    const isBroken = message !== '';

    expect(ran.code).toBe(isBroken ? 1 : 0);
    expect(ran.stderr.includes('INTERPRETER_SCRIPT_INVALID')).toBe(isBroken);
    expect(ran.stderr).toContain(message);
  });

  test('needs something to check', async () => {
    expect((await interpret('-f observed.yaml --check')).stderr).toContain(
      'no ResourceInterpreterCustomization',
    );
  });
});

test('plan uses what the customization teaches', async () => {
  const { code, stdout } = await run(
    'plan -f customization.yaml -f app --app cache --now 2026-01-15T12:00:00Z',
    { cwd: copyOf(EXAMPLE) },
  );

  expect(stdout).toContain(
    'CacheCluster shop/sessions                        PropagationPolicy shop/cache   6 replicas',
  );
  expect(stdout).toContain(
    'ConfigMap shop/sessions-config                    follows CacheCluster shop/sessions',
  );
  expect(code).toBe(0);
});

/** Everything that the page tells people to type. */
const PAGE = readFileSync(resolve(__dirname, '../../docs/interpreters.md'), 'utf8');
const TYPED = [...PAGE.matchAll(/^\$ fleetwright (.*)$/gm)].map(([, command]) => command ?? '');

test.each(TYPED)('docs/interpreters.md: fleetwright %s', async (command) => {
  const { code, stderr } = await run(command, { cwd: copyOf(EXAMPLE) });

  expect([code, stderr]).toEqual([0, '']);
});

function withDeployment(cwd: string): void {
  put(
    cwd,
    'deployment.yaml',
    'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: web }\nspec: { replicas: 3 }\n',
  );
}

function withBadScript(body: string): (cwd: string) => void {
  return (cwd) =>
    put(
      cwd,
      'bad.yaml',
      `apiVersion: config.karmada.io/v1alpha1
kind: ResourceInterpreterCustomization
metadata:
  name: bad
spec:
  target: { apiVersion: cache.example.com/v1, kind: CacheCluster }
  customizations:
    healthInterpretation:
      luaScript: |
        function InterpretHealth(obj)
          ${body}
        end
`,
    );
}
