import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  jest,
  test,
} from '@jest/globals';
import { startSandbox, type InjectFault, type Sandbox } from '../../lib/providers/sandbox/index.js';
import { printDocuments } from '../../lib/providers/source/index.js';
import { copyOf, put, read, run } from './run.js';

jest.setTimeout(120_000);

/** Signals to a process of its own, without a terminal. */
const COMMAND = resolve(__dirname, '../../bin/fleetwright.ts');
const LOADER = require.resolve('tsx');

let sandbox: Sandbox;
let cwd = '';
beforeAll(async () => {
  sandbox = await startSandbox({
    clusters: ['member1', 'member2', 'member3'].map((name) => ({ name, region: name })),
  });
});
afterAll(() => sandbox.close());
let count = 0;
beforeEach(() => {
  cwd = copyOf('04-karmada-nginx');
  count += 1;
  writeFileSync(join(cwd, 'kubeconfig'), sandbox.kubeconfig);
  put(cwd, 'fleet.yaml', printDocuments(sandbox.fleet()));
  put(cwd, 'rollout.yaml', ROLLOUT);
  for (const file of ['deployment.yaml', 'overridepolicy.yaml', 'propagationpolicy.yaml'])
    put(cwd, file, read(cwd, file).replaceAll('name: nginx', `name: nginx-${count}`));
});
afterEach(() => sandbox.cluster('member2').faults.inject(undefined));

const ROLLOUT = `apiVersion: fleetwright.dev/v1alpha1
kind: Rollout
metadata: { name: all }
spec:
  waves:
  - name: first
    clusterAffinity: { clusterNames: [member2] }
    soak: 10m
  - name: rest
`;

interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** `up` in a process; `onText` sees everything printed so far and may send signals. */
function up(
  onText: (text: string, send: (signal: NodeJS.Signals) => void) => void,
): Promise<Ended> {
  const flags = `up -f . --app app-${count} --kubeconfig kubeconfig --no-frozen --yes`.split(' ');
  const child = spawn(process.execPath, ['--import', LOADER, COMMAND, ...flags], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'] ?? '', HOME: cwd },
  });
  const printed = { stdout: '', stderr: '' };
  const take = (name: 'stdout' | 'stderr') => (chunk: Buffer) => {
    printed[name] += chunk.toString();
    onText(printed.stdout + printed.stderr, (signal) => child.kill(signal));
  };
  child.stdout.on('data', take('stdout'));
  child.stderr.on('data', take('stderr'));
  return new Promise((done, failed) => {
    child.on('error', failed);
    child.on('close', (code, signal) => done({ code, signal, ...printed }));
  });
}

/** Sends a signal each time one of these texts has appeared, one after the other. */
function sendAt(signal: NodeJS.Signals, ...texts: readonly string[]): Parameters<typeof up>[0] {
  const left = [...texts];
  return (text, send) => {
    if (left[0] === undefined || !text.includes(left[0])) return;
    left.shift();
    send(signal);
  };
}

describe('the first Ctrl-C', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)(
    'during a soak, as %s: the run ends at once, the report names every cluster and how to go on',
    async (signal) => {
      const ended = await up(sendAt(signal, 'wave first: soaking'));

      expect(ended.code).toBe(130);
      expect(ended.stderr).toContain('Stopping: ');
      expect(ended.stdout).toMatch(
        /Not done\n {2}member2 {2}wave first · ready, and not yet soaked/,
      );
      expect(ended.stdout).toMatch(/ {2}member1 {2}wave rest · untouched/);
      expect(ended.stdout).toMatch(/\nInterrupted after \d/);
      expect(ended.stdout).toMatch(/Continue with: {2}fleetwright up -f \. .*--yes\n$/);
      expect(deployments('member1')).toBe(0);
    },
  );

  test('requests under way finish and are not sent again; the next run completes', async () => {
    sandbox.cluster('member2').faults.inject(slow('PATCH', 'deployments', 1_000));

    const ended = await up(sendAt('SIGINT', 'member2: applying'));

    expect(ended.code).toBe(130);
    put(cwd, 'rollout.yaml', '');
    sandbox.cluster('member2').faults.inject(undefined);
    const next = await run(`up -f . --app app-${count} --kubeconfig kubeconfig --no-frozen --yes`, {
      cwd,
    });
    expect(next).toMatchObject({ code: 0 });
    expect([deployments('member1'), deployments('member2')]).toEqual([1, 1]);
  });
});

test('the second Ctrl-C ends the process at once, whatever does not answer', async () => {
  sandbox.cluster('member2').faults.inject(slow('PATCH', '', 60_000));
  const startedAt = performance.now();

  const ended = await up(sendAt('SIGINT', 'member2: applying', 'Stopping: '));

  expect(ended.code).toBe(130);
  expect(performance.now() - startedAt).toBeLessThan(55_000);
});

function slow(method: string, path: string, delayMs: number): InjectFault {
  return (request) =>
    request.method === method && request.path.includes(path) ? { delayMs } : undefined;
}

function deployments(cluster: string): number {
  return sandbox
    .cluster(cluster)
    .objects()
    .filter((o) => o.kind === 'Deployment' && o.metadata.name === `nginx-${count}`).length;
}
