import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import {
  connectKubeconfig,
  type ClusterClient,
  type Connect,
} from '../../lib/providers/cluster/index.js';
import { runRollout, type RolloutProgress } from '../../lib/providers/rollout/index.js';
import { describeWithRig, freshName } from '../rig/rig.js';
import { judge, markOf } from './judge.js';
import { aStory, kubeconfigThrough, LAST, MEMBERS, MIDDLE, REPLICAS_AFTER } from './rig-fleet.js';
import { SCENARIOS, type Hands, type Moment } from './scenarios.js';
import { ALL_FAULTS, tallied } from './tally.js';
import { startTcpProxy } from './tcp-proxy.js';

describeWithRig('a fault between us and one of three API servers', (rig) => {
  const cleanUp: (() => Promise<unknown> | void)[] = [];
  /** Past the proxy. */
  const clients = new Map<string, ClusterClient>();
  const direct = (cluster: string): ClusterClient => {
    const client = clients.get(cluster);
    if (client === undefined) throw new RangeError(`no cluster ${cluster}`);
    return client;
  };
  const remove = async (name: string): Promise<void> => {
    for (const member of MEMBERS)
      await direct(member).delete({ apiVersion: 'v1', kind: 'Namespace', name });
  };
  beforeAll(async () => {
    const open = connectKubeconfig({ kubeconfig: { files: [rig().kubeconfig] } });
    for (const name of MEMBERS) clients.set(name, await open(name));
  });
  afterAll(async () => {
    for (const client of clients.values()) await client.close();
  });
  afterEach(async () => {
    for (const step of cleanUp.splice(0).reverse()) await step();
  }, 60_000);

  const setUp = async (): Promise<Hands & { readonly connect: Connect }> => {
    const proxy = await startTcpProxy(rig().server(MIDDLE), rig().adminToken);
    const folder = mkdtempSync(join(tmpdir(), 'fleetwright-faults-'));
    const [file, tokenFile] = [join(folder, 'kubeconfig'), join(folder, 'token')];
    const signIn = (token: string): void => writeFileSync(tokenFile, token, { mode: 0o600 });
    signIn('first');
    proxy.accept('first');
    writeFileSync(file, kubeconfigThrough(rig(), { [MIDDLE]: proxy }, { tokenFile }), {
      mode: 0o600,
    });
    const open = connectKubeconfig({ kubeconfig: { files: [file] }, deadlineMs: 2_000 });
    const opened = new Map<string, Promise<ClusterClient>>();
    cleanUp.push(
      () => rmSync(folder, { recursive: true, force: true }),
      () => proxy.close(),
      async () => {
        for (const client of opened.values()) await (await client).close();
      },
    );
    const connect: Connect = (cluster) => {
      const client = opened.get(cluster) ?? open(cluster);
      opened.set(cluster, client);
      return client;
    };
    return { proxy, signIn, connect };
  };

  test.each(SCENARIOS.filter(({ isShort }) => ALL_FAULTS || isShort === true))(
    '$fault: nothing lost, nothing twice, nothing early, and the run or the next one is done',
    ({ fault, strike, mend }) =>
      tallied(fault, async () => {
        const { connect, ...hands } = await setUp();
        const namespace = freshName('fault');
        const { old, next, trial } = aStory(namespace);
        expect(await runRollout(old, connect)).toMatchObject({ outcome: 'done', notDone: [] });
        cleanUp.push(() => remove(namespace));
        const since = markOf(rig());
        const on = strike(hands) ?? {};
        let settled = false;
        const onEvent = (event: RolloutProgress): void => {
          if ('cluster' in event && 'phase' in event && event.cluster === MIDDLE)
            on[event.phase as Moment]?.();
          if (event.kind === 'settle') settled = true;
        };

        const report = await runRollout(next, connect, { unreachableSeconds: 4, onEvent });

        const halfway = judge(rig(), since, trial);
        const lost = hands.proxy.fired();
        expect(lost).toBeGreaterThan(0);
        expect(halfway.complaints).toEqual([]);
        expect(halfway.duplicates).toBeLessThanOrEqual(lost);
        if (mend === undefined) {
          expect(report).toMatchObject({ outcome: 'done', notDone: [] });
        } else {
          expect(report.outcome).toBe('failed');
          // The canary has the new version; what it has too much goes in the end.
          expect(report.notDone.map(({ cluster }) => cluster)).toEqual([...MEMBERS]);
          expect(report.notDone[1]?.why).toMatch(mend.says);
          if (!settled) expect(halfway.writes[LAST]).toBe(0);
          await mend.how(hands);
          const resumed = await runRollout(next, connect);
          expect(resumed).toMatchObject({ outcome: 'done', notDone: [] });
        }

        const whole = judge(rig(), since, trial);
        expect(whole.complaints).toEqual([]);
        expect(whole.duplicates).toBeLessThanOrEqual(lost);
        for (const cluster of MEMBERS) await expectFinal(direct(cluster), namespace, trial);
      }),
    60_000,
  );

  test('the judge objects to another order, to another revision, and to too few pods', async () => {
    const { connect } = await setUp();
    const namespace = freshName('fault');
    const { old, next, trial } = aStory(namespace);
    cleanUp.push(() => remove(namespace));
    await runRollout(old, connect);
    const since = markOf(rig());
    await runRollout(next, connect);

    const { complaints: ordered } = judge(rig(), since, trial);
    const { complaints: reversed } = judge(rig(), since, { ...trial, waves: [[LAST], [MIDDLE]] });
    const revisions = { ...trial.revisions, [LAST]: 'another' };
    const { complaints: unplanned } = judge(rig(), since, { ...trial, revisions });
    const { complaints: thin } = judge(rig(), since, { ...trial, floor: 9 });

    expect(ordered).toEqual([]);
    expect(reversed).toContainEqual(expect.stringMatching(/on member2: member3 not rolled out/));
    expect(unplanned).toContainEqual(
      expect.stringMatching(/on member3: revision \w+ is not planned/),
    );
    expect(thin).toContainEqual(expect.stringMatching(/only \d pods ready/));
  }, 60_000);
});

/** The cluster itself, asked directly: all of the next version, ready, and nothing of what had to go. */
async function expectFinal(
  client: ClusterClient,
  namespace: string,
  { revisions }: ReturnType<typeof aStory>['trial'],
): Promise<void> {
  const cluster = client.cluster as keyof typeof REPLICAS_AFTER;
  const web = (await client.get({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    namespace,
    name: 'web',
  })) as
    | { metadata: { annotations?: Record<string, string> }; status?: { readyReplicas?: number } }
    | undefined;
  const configs = await client.list({ apiVersion: 'v1', kind: 'ConfigMap' }, { namespace });
  expect([
    cluster,
    web?.metadata.annotations?.['fleetwright.dev/revision'],
    web?.status?.readyReplicas,
    configs.map(({ metadata }) => metadata.name).filter((name) => name !== 'kube-root-ca.crt'),
  ]).toEqual([cluster, revisions[cluster], REPLICAS_AFTER[cluster], ['env']]);
}
