import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import {
  connectKubeconfig,
  type ClusterClient,
  type Connect,
} from '../../lib/providers/cluster/index.js';
import { runRollout, type RolloutProgress } from '../../lib/providers/rollout/index.js';
import { startSandbox, type Sandbox, type Time } from '../../lib/providers/sandbox/index.js';
import { REAL_TIME } from '../../lib/providers/sandbox/time.js';
import { aDeployment, aNamespace, aPlan, aRelease, aWave } from '../providers/rollout/releases.js';
import { ALL_FAULTS, tallied } from './tally.js';

jest.setTimeout(20_000);

/** Somebody sets the machine's clock while a rollout waits. The clusters are elsewhere: their clocks are right. */
const HOUR = 3_600_000;
const JUMPS = [
  { name: 'forward one hour', jump: HOUR },
  { name: 'back one hour', jump: -HOUR },
] as const;

/** The part that stands for the rest. */
const inFull = ALL_FAULTS ? test : test.skip;

const RealDate = Date;
let offset = 0;
const setClock = (by: number): void => void (offset += by);

class SetDate extends RealDate {
  constructor(...args: [] | [number | string]) {
    if (args.length === 0) super(RealDate.now() + offset);
    else super(...args);
  }
  static override now(): number {
    return RealDate.now() + offset;
  }
}

let sandbox: Sandbox;
let connect: Connect;
const clients = new Map<string, Promise<ClusterClient>>();
beforeEach(async () => {
  const time: Time = { ...REAL_TIME, now: () => new RealDate() };
  sandbox = await startSandbox({ clusters: [{ name: 'a' }, { name: 'b' }], time });
  const open = connectKubeconfig({ kubeconfig: { text: sandbox.kubeconfig }, deadlineMs: 2_000 });
  connect = (cluster) => {
    const client = clients.get(cluster) ?? open(cluster);
    clients.set(cluster, client);
    return client;
  };
  globalThis.Date = SetDate as DateConstructor;
});
afterEach(async () => {
  globalThis.Date = RealDate;
  offset = 0;
  for (const client of clients.values()) await (await client).close();
  clients.clear();
  await sandbox.close();
});

/** Runs `then` when a wave or a cluster comes to a phase, and notes when each did. */
function noting(
  phase: string,
  then: () => void,
): { readonly at: Map<string, number>; readonly onEvent: (event: RolloutProgress) => void } {
  const at = new Map<string, number>();
  return {
    at,
    onEvent: (event) => {
      if (!('phase' in event) || (event.kind !== 'wave' && event.kind !== 'cluster')) return;
      const name = event.kind === 'wave' ? event.wave : event.cluster;
      at.set(`${name} ${event.phase}`, event.atMs);
      if (event.phase === phase) then();
    },
  };
}

describe.each(JUMPS)('a clock that is set $name', ({ name, jump }) => {
  const plan = (gate: object, annotations: object = {}): ReturnType<typeof aPlan> =>
    aPlan(
      [aWave('first', ['a'], gate), aWave('rest', ['b'])],
      ['a', 'b'].map((cluster) =>
        aRelease(cluster, [aNamespace(), aDeployment('web', { annotations })]),
      ),
    );

  test('during a soak neither ends nor prolongs it', () =>
    tallied(`clock ${name}: soak`, async () => {
      const { at, onEvent } = noting('soaking', () => setClock(jump));

      const report = await runRollout(plan({ soakSeconds: 1 }), connect, { onEvent });

      expect(report.outcome).toBe('done');
      const soaked = (at.get('first passed') ?? 0) - (at.get('first soaking') ?? 0);
      expect(soaked).toBeGreaterThanOrEqual(990);
      expect(soaked).toBeLessThan(5_000);
    }));

  inFull('during a wait moves no deadline: what is slow is waited for', () =>
    tallied(`clock ${name}: wait`, async () => {
      const slow = { 'rig/ready-after': '800ms' };
      const { onEvent } = noting('observing', () => setClock(jump));

      const gate = { deadlineSeconds: 10 };
      const report = await runRollout(plan(gate, slow), connect, { onEvent });

      expect(report.outcome).toBe('done');
    }),
  );

  inFull('during a wait moves no deadline: what never comes is given up in time', () =>
    tallied(`clock ${name}: deadline`, async () => {
      const never = { 'rig/never-ready': 'ImagePullBackOff' };
      const { at, onEvent } = noting('observing', () => setClock(jump));

      const gate = { deadlineSeconds: 2 };
      const report = await runRollout(plan(gate, never), connect, { onEvent });

      expect(report.outcome).toBe('failed');
      const waited = at.get('a failed') ?? 0;
      expect(waited).toBeGreaterThanOrEqual(1_500);
      expect(waited).toBeLessThan(8_000);
    }),
  );

  test('while a server is away uses up no patience: watches and requests go on', () =>
    tallied(`clock ${name}: retries`, async () => {
      const cluster = sandbox.cluster('a');
      let away: Promise<void> | undefined;
      const { onEvent } = noting('observing', () => {
        if (away !== undefined) return;
        setClock(jump);
        away = cluster.stop().then(async () => {
          await new Promise((resolve) => setTimeout(resolve, 500));
          await cluster.start();
        });
      });

      const slow = { 'rig/ready-after': '800ms' };
      const report = await runRollout(plan({}, slow), connect, { onEvent });
      await away;

      expect(away).toBeDefined();
      expect(report).toMatchObject({ outcome: 'done', notDone: [] });
    }));
});
