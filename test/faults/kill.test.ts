import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startSandbox, type Sandbox } from '../../lib/providers/sandbox/index.js';
import type { SavedSandbox } from '../../lib/providers/sandbox/state.js';
import { run, start } from './command.js';
import { DESTROY, newProject, putVersion, ROLL_BACK, UP, WAVES } from './project.js';
import { holdingsOf, watchLaws, type Holdings, type Laws } from './sandbox-laws.js';
import { ALL_FAULTS, tallied } from './tally.js';

/**
 * The built command is killed (SIGKILL) at its n-th request, and a second one finishes the job. The judge sits in the
 * clusters and sees every request of both before it is answered.
 */
const EVERY = 2;
/** More requests than any of the commands sends: a run that is over before it is killed ends the loop. */
const AT_MOST = 400;
const POINTS = ALL_FAULTS
  ? Array.from({ length: AT_MOST / EVERY }, (_, index) => 1 + EVERY * index)
  : [31];

const CLUSTERS = WAVES.map((name) => ({ name, region: name }));

/** Clusters and folder as one command left them. */
interface Scene {
  readonly state: SavedSandbox | undefined;
  readonly folder: string;
  readonly holdings: Holdings;
}

interface Act {
  readonly command: readonly string[];
  readonly order: readonly string[];
  readonly from: Scene;
  readonly to: Scene;
  /** Ready pods that there must be at any time. */
  readonly floor: number;
}

const folders: string[] = [];
const acts = new Map<string, Act>();

beforeAll(async () => {
  const sandbox = await startSandbox({ clusters: CLUSTERS });
  const live = newProject(sandbox.fleet(), sandbox.kubeconfig);
  folders.push(live);
  const keep = (): Scene => ({
    state: sandbox.save(),
    folder: copyOf(live),
    holdings: holdingsOf(sandbox),
  });
  const play = async (command: readonly string[]): Promise<Scene> => {
    const { code, stderr } = await run(command, { cwd: live });
    if (code !== 0) throw new Error(stderr);
    return keep();
  };
  putVersion(live, 1, 'shop');
  const empty = keep();
  const one = await play(UP);
  // Each scene's folder has what the next command reads.
  for (const folder of [live, one.folder]) putVersion(folder, 2, 'shop');
  const two = await play(UP);
  const back = await play(ROLL_BACK);
  const gone = await play(DESTROY);
  await sandbox.close();
  acts.set('destroy', { command: DESTROY, order: [], from: back, to: gone, floor: 0 });
  acts.set('first rollout', { command: UP, order: WAVES, from: empty, to: one, floor: 0 });
  acts.set('update with settle', { command: UP, order: WAVES, from: one, to: two, floor: 5 });
  const order = [...WAVES].reverse();
  acts.set('rollback', { command: ROLL_BACK, order, from: two, to: back, floor: 5 });
}, 120_000);
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function copyOf(folder: string): string {
  const copy = mkdtempSync(join(tmpdir(), 'fleetwright-faults-'));
  folders.push(copy);
  cpSync(folder, copy, { recursive: true });
  return copy;
}

describe('a command that is killed with SIGKILL', () => {
  test.each(['first rollout', 'update with settle', 'rollback', 'destroy'])(
    '%s: at every n-th request nothing is lost, early or twice, and the next run completes it',
    async (name) => {
      let points = 0;
      for (const at of POINTS) {
        const killed = await tallied(`kill -9: ${name}`, () => killAt(at, acts.get(name) as Act));
        if (!killed) break;
        points += 1;
      }
      process.stderr.write(`kill points of ${name}: ${points}\n`);
      expect(points).toBeGreaterThanOrEqual(ALL_FAULTS ? 15 : 1);
    },
    1_200_000,
  );
});

/** `false`: the run was over before its n-th request. */
async function killAt(at: number, act: Act): Promise<boolean> {
  const { state } = act.from;
  const sandbox = await startSandbox({ clusters: CLUSTERS, ...(state !== undefined && { state }) });
  const cwd = copyOf(act.from.folder);
  writeFileSync(join(cwd, 'kubeconfig'), sandbox.kubeconfig);
  try {
    const complaints: string[] = [];
    const { from, to } = act;
    const laws: Laws = { ...act, from: from.holdings, to: to.holdings };
    const first = start(act.command, { cwd });
    observe(sandbox, laws, complaints, (seen) => {
      if (seen === at) first.child.kill('SIGKILL');
      // Half of the requests are carried out although nobody hears the answer, half are not.
      return seen >= at && at % 4 === 1;
    });
    const { signal } = await first.ended;
    observe(sandbox, laws, complaints, () => false);
    const second = await run(act.command, { cwd });

    expect([at, complaints]).toEqual([at, []]);
    expect([at, second.code, second.stderr]).toEqual([at, 0, expect.any(String)]);
    expect([at, holdingsOf(sandbox)]).toEqual([at, to.holdings]);
    const lock = (folder: string): string => {
      const text = readFileSync(join(folder, 'fleet.lock.yaml'), 'utf8');
      return text.replaceAll(/decidedAt: .*/g, 'decidedAt: now');
    };
    expect([at, lock(cwd)]).toEqual([at, lock(to.folder)]);
    return signal === 'SIGKILL';
  } finally {
    await sandbox.close();
    rmSync(cwd, { recursive: true, force: true });
  }
}

/** Asks the laws at every request, and `isDropped` with how many there were: whether it is not carried out. */
function observe(
  sandbox: Sandbox,
  laws: Laws,
  complaints: string[],
  isDropped: (seen: number) => boolean,
): void {
  const check = watchLaws(sandbox, laws, complaints);
  let seen = 0;
  for (const cluster of WAVES)
    sandbox.cluster(cluster).faults.inject((request) => {
      check(cluster, request);
      return isDropped(++seen) ? { drop: true } : undefined;
    });
}
