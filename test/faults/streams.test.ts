import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { readiness } from '../../lib/engine/rollout/index.js';
import { startSandbox, type Sandbox } from '../../lib/providers/sandbox/index.js';
import { printDocuments } from '../../lib/providers/source/index.js';
import { COMMAND, run, start, type Ended } from './command.js';
import { documentsOf, newProject, UP, WAVES } from './project.js';
import { ALL_FAULTS, tallied } from './tally.js';

// The built command when whoever started it goes away or says stop. The judge is what the clusters have.

/** Not in the part that stands for the rest. */
const inFull = ALL_FAULTS ? test : test.skip;

let sandbox: Sandbox;
let cwd = '';

beforeEach(async () => {
  sandbox = await startSandbox({ clusters: WAVES.map((name) => ({ name, region: name })) });
  cwd = newProject(sandbox.fleet(), sandbox.kubeconfig);
});
afterEach(async () => {
  await sandbox.close();
  rmSync(cwd, { recursive: true, force: true });
});

/** Pods of `web` that are ready after so long; `never`: they crash. */
function putShop(readyAfter: string, deadline = '60s'): void {
  const text = printDocuments(documentsOf(1, 'shop'));
  const annotation =
    readyAfter === 'never' ? 'rig/never-ready: ImagePullBackOff' : `rig/ready-after: ${readyAfter}`;
  writeFileSync(
    join(cwd, 'shop.yaml'),
    text
      .replace('rig/ready-after: 10ms', annotation)
      .replaceAll('deadline: 60s', `deadline: ${deadline}`),
  );
}

/** A line of shell in the project's folder; `$FLEETWRIGHT` is the command. */
function shell(line: string): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((done) => {
    // Nothing else: with CI=true a lock is frozen.
    const env = {
      PATH: process.env['PATH'] ?? '',
      HOME: cwd,
      FLEETWRIGHT: `${process.execPath} ${COMMAND}`,
    };
    const options = { cwd, env };
    const child = execFile('bash', ['-c', line], options, (_error, stdout, stderr) =>
      done({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}

const up = UP.join(' ');
const readyOn = (): readonly string[] =>
  WAVES.filter((name) => {
    const objects = sandbox.cluster(name).objects();
    const web = objects.find(
      ({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'web',
    );
    return web !== undefined && readiness(web).ready;
  });
/** Without traces of our own code. */
const NO_TRACE = expect.not.stringMatching(/^\s+at |EPIPE/m);

describe('whoever reads goes away early', () => {
  test(
    'plan | head -1 is no failure',
    () =>
      tallied('stdout closed early', async () => {
        putShop('10ms');

        const { stdout, stderr } = await shell(
          '$FLEETWRIGHT plan -f shop.yaml --app shop | head -1; echo "${PIPESTATUS[0]}"',
        );

        expect(stdout).toMatch(/^Fleet .*\n0\n$/);
        expect(stderr).toEqual(NO_TRACE);
      }),
    60_000,
  );

  test.each([
    { what: 'stdout', line: `$FLEETWRIGHT ${up} --events-json 2>errors | head -1` },
    { what: 'stdout and stderr', line: `$FLEETWRIGHT ${up} 2>&1 | head -1` },
  ])(
    'a rollout goes on to its end without its $what',
    ({ line, what }) =>
      tallied(`${what} closed early, in the middle of up`, async () => {
        putShop('300ms');

        const { stdout } = await shell(`${line}; echo "\${PIPESTATUS[0]}"`);

        expect(stdout).toMatch(/\n0\n$/);
        expect(readyOn()).toEqual(WAVES);
      }),
    60_000,
  );

  inFull(
    'a rollout that fails says so by its exit code all the same',
    () =>
      tallied('stdout closed early, and up fails', async () => {
        putShop('never', '3s');

        const { stdout } = await shell(
          `$FLEETWRIGHT ${up} --events-json 2>errors | head -1; echo "\${PIPESTATUS[0]}"`,
        );

        expect(stdout).toMatch(/\n1\n$/);
      }),
    60_000,
  );
});

describe('standard input is closed', () => {
  test(
    'nobody can be asked: nothing is applied',
    () =>
      tallied('stdin closed', async () => {
        putShop('10ms');

        const { code, stderr } = await shell(`$FLEETWRIGHT ${up.replace(' --yes', '')} <&-`);

        expect([code, readyOn()]).toEqual([1, []]);
        expect(stderr).toContain('Nobody to ask');
      }),
    60_000,
  );

  inFull(
    'with --yes nobody needs to be',
    () =>
      tallied('stdin closed', async () => {
        putShop('10ms');

        const { code } = await shell(`$FLEETWRIGHT ${up} <&-`);

        expect([code, readyOn()]).toEqual([0, WAVES]);
      }),
    60_000,
  );
});

describe('a signal in the middle of up', () => {
  test.each(ALL_FAULTS ? (['SIGINT', 'SIGTERM', 'SIGHUP'] as const) : (['SIGTERM'] as const))(
    '%s: ends by itself, leaves later waves alone, says how to go on, and that completes it',
    (signal) =>
      tallied(`${signal} in the middle of up`, async () => {
        putShop('1s');
        const running = start(UP, {
          cwd,
          onStderr: (text) => {
            if (/wave member1: observing/.test(text) && !running.child.killed)
              running.child.kill(signal);
          },
        });
        const stopped: Ended = await running.ended;
        const untouched = sandbox
          .cluster('member3')
          .requests.filter(
            ({ method, path }) => method !== 'GET' && path.includes('/namespaces/shop/'),
          );
        const said = /Continue with: {2}fleetwright (.*)/.exec(stopped.stdout)?.[1];
        const next = await run((said ?? '').split(' '), { cwd });

        expect(stopped.signal).toBeNull();
        expect(stopped.code).toBe(130);
        expect(stopped.stderr).toEqual(NO_TRACE);
        expect(untouched).toEqual([]);
        expect(said).toBe(UP.join(' '));
        expect([next.code, readyOn()]).toEqual([0, WAVES]);
      }),
    60_000,
  );
});
