import { rmSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { MARKS } from '../../lib/engine/plan.js';
import { connectKubeconfig, type ClusterClient } from '../../lib/providers/cluster/index.js';
import { aCluster } from '../builders.js';
import { describeWithRig, freshName } from '../rig/rig.js';
import { run, start } from './command.js';
import { judge, markOf } from './judge.js';
import { newProject, putVersion, REPLICAS, upFor, WAVES } from './project.js';
import { kubeconfigThrough } from './rig-fleet.js';
import { ALL_FAULTS, tallied } from './tally.js';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.js';

/**
 * The built command is killed (SIGKILL) at its n-th request to three real API servers, each behind a proxy that counts; the
 * servers' audit logs are the judge.
 */
const POINTS = ALL_FAULTS ? Array.from({ length: 14 }, (_, index) => 1 + 8 * index) : [60];
const WEB = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' } as const;

describeWithRig('a command on real API servers that is killed with SIGKILL', (rig) => {
  const proxies: Record<string, TcpProxy> = {};
  const clients = new Map<string, ClusterClient>();
  let cwd = '';
  let namespace = '';
  beforeAll(async () => {
    const open = connectKubeconfig({ kubeconfig: { files: [rig().kubeconfig] } });
    for (const name of WAVES) clients.set(name, await open(name));
  });
  afterAll(async () => {
    for (const client of clients.values()) await client.close();
  });
  beforeEach(async () => {
    for (const name of WAVES)
      proxies[name] = await startTcpProxy(rig().server(name), rig().adminToken);
    namespace = freshName('killed');
    cwd = newProject(
      WAVES.map((name) => aCluster(name)),
      kubeconfigThrough(rig(), proxies),
    );
  });
  afterEach(async () => {
    for (const proxy of Object.values(proxies)) await proxy.close();
    for (const client of clients.values())
      await client.delete({ apiVersion: 'v1', kind: 'Namespace', name: namespace });
    rmSync(cwd, { recursive: true, force: true });
  });

  /** Kills at the n-th request of all clusters; half of these are carried out although nobody hears the answer. */
  const killAt = async (command: readonly string[], at: number): Promise<boolean> => {
    const running = start(command, { cwd });
    let seen = 0;
    for (const proxy of Object.values(proxies))
      proxy.arm(() => {
        seen += 1;
        if (seen < at) return undefined;
        running.child.kill('SIGKILL');
        return { kind: seen === at && at % 16 === 1 ? 'lose' : 'blackHole' };
      });
    const { signal } = await running.ended;
    for (const proxy of Object.values(proxies)) proxy.arm(undefined);
    return signal === 'SIGKILL';
  };
  const found = async (): Promise<Record<string, readonly [string, number]>> => {
    const all: Record<string, readonly [string, number]> = {};
    for (const [name, client] of clients) {
      const web = (await client.get({ ...WEB, namespace })) as
        | {
            metadata: { annotations?: Record<string, string> };
            status?: { readyReplicas?: number };
          }
        | undefined;
      const revision = web?.metadata.annotations?.[MARKS.revision] ?? '';
      all[name] = [revision, web?.status?.readyReplicas ?? 0];
    }
    return all;
  };

  test.each(POINTS)(
    'at request %i of an update: nothing lost, early or twice, and the next run completes it',
    (at) =>
      tallied('kill -9 on real API servers', async () => {
        const command = upFor(namespace);
        putVersion(cwd, 1, namespace);
        expect((await run(command, { cwd })).code).toBe(0);
        const since = markOf(rig());
        putVersion(cwd, 2, namespace);

        const killed = await killAt(command, at);
        const next = await run(command, { cwd });

        const final = await found();
        const revisions = Object.fromEntries(WAVES.map((name) => [name, final[name]?.[0] ?? '']));
        const before = Object.fromEntries(WAVES.map((name, i) => [name, REPLICAS[1][i] ?? 0]));
        const waves = WAVES.map((name) => [name]);
        const { complaints, duplicates } = judge(rig(), since, {
          namespace,
          waves,
          revisions,
          before,
          floor: 5,
        });
        expect({ killed, code: next.code, complaints }).toEqual({
          killed: true,
          code: 0,
          complaints: [],
        });
        // Only what was carried out without an answer may be said again.
        expect(duplicates).toBeLessThanOrEqual(1);
        expect(WAVES.map((name) => final[name]?.[1])).toEqual([...REPLICAS[2]]);
      }),
    120_000,
  );
});
