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
import { ALL_FAULTS, tallied } from './tally.js';
import { startTcpProxy, type ProxiedRequest, type ProxyFault, type TcpProxy } from './tcp-proxy.js';

/** What a scenario has in its hands: the proxy in front of the middle wave's cluster, and the token that it is given. */
interface Hands {
  readonly proxy: TcpProxy;
  /** Replace the token in the file that the kubeconfig points to. */
  readonly signIn: (token: string) => void;
}

/** Phases of the cluster behind the proxy. */
type Moment = 'applying' | 'observing' | 'settling';

interface Scenario {
  readonly fault: string;
  /** Begin; returns what to do when the cluster reaches a phase. */
  readonly strike: (hands: Hands) => Partial<Record<Moment, () => void>> | void;
  /** Make it good again, before the second run. Its presence says that the first one fails, with this in the report. */
  readonly mend?: { readonly says: RegExp; readonly how: (hands: Hands) => Promise<void> | void };
  readonly isShort?: true;
}

type Match = (request: ProxiedRequest) => boolean;
const isWrite: Match = ({ method }) => method !== 'GET';
const isRead: Match = ({ method, isWatch }) => method === 'GET' && !isWatch;
const isWatch: Match = (request) => request.isWatch;
const isAny: Match = () => true;

/** The first n requests that match. */
const first =
  (n: number, fault: ProxyFault, matches: Match = isAny) =>
  ({ proxy }: Hands): void => {
    let left = n;
    proxy.arm((request) => (matches(request) && left-- > 0 ? fault : undefined));
  };
/** Every n-th request that matches. */
const every =
  (n: number, fault: ProxyFault, matches: Match = isAny) =>
  ({ proxy }: Hands): void => {
    let seen = 0;
    proxy.arm((request) => (matches(request) && ++seen % n === 0 ? fault : undefined));
  };
const answer = (code: number, retryAfterSeconds?: number): ProxyFault => ({
  kind: 'answer',
  code,
  ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
});

/** Down at once, back after a while. */
const awayFor =
  (ms: number, how: 'refuse' | 'silence') =>
  ({ proxy }: Hands) =>
  (): void => {
    void Promise.resolve(proxy[how]()).then(() => void setTimeout(() => void proxy.restore(), ms));
  };

const SCENARIOS: readonly Scenario[] = [
  {
    fault: 'connection refused, back within the patience',
    strike: (hands) => ({ applying: awayFor(1_500, 'refuse')(hands) }),
  },
  {
    fault: 'connection refused for good',
    strike: ({ proxy }) => ({ applying: () => void proxy.refuse() }),
    mend: { says: /CLUSTER_UNREACHABLE.*connection refused/, how: ({ proxy }) => proxy.restore() },
    isShort: true,
  },
  {
    fault: 'black hole, back within the patience',
    strike: (hands) => ({ observing: awayFor(1_500, 'silence')(hands) }),
  },
  {
    fault: 'black hole for good, before the writes',
    strike: ({ proxy }) => ({ applying: () => proxy.silence() }),
    mend: { says: /CLUSTER_UNREACHABLE/, how: ({ proxy }) => proxy.restore() },
  },
  {
    fault: 'black hole for good, in the middle of the writes',
    strike: ({ proxy }) => {
      let writes = 0;
      proxy.arm((request) => {
        if (isWrite(request) && ++writes === 3) proxy.silence();
        return writes >= 3 ? { kind: 'blackHole' } : undefined;
      });
    },
    mend: {
      says: /CLUSTER_UNREACHABLE/,
      how: ({ proxy }) => {
        proxy.arm(undefined);
        return proxy.restore();
      },
    },
  },
  {
    fault: 'reset in the middle of a response',
    strike: every(3, { kind: 'reset' }),
  },
  {
    fault: 'carried out, but the answer is lost',
    strike: every(2, { kind: 'lose' }, isWrite),
    isShort: true,
  },
  { fault: '500 burst', strike: first(8, answer(500, 0)) },
  { fault: '500 burst without Retry-After', strike: first(5, answer(500)) },
  { fault: '503 burst', strike: first(8, answer(503)) },
  { fault: '429 burst with Retry-After', strike: first(3, answer(429, 1)) },
  {
    fault: '503 without end',
    strike: ({ proxy }) => proxy.arm(() => answer(503)),
    mend: { says: /CLUSTER_UNREACHABLE/, how: ({ proxy }) => proxy.arm(undefined) },
  },
  {
    fault: 'slow trickle',
    strike: every(1, { kind: 'trickle', bytes: 4_096, everyMs: 20 }, isRead),
  },
  {
    fault: 'watches closed in order',
    strike: every(1, { kind: 'endWatch', afterMs: 50 }, isWatch),
  },
  { fault: 'watches reset', strike: first(3, { kind: 'reset' }, isWatch) },
  {
    fault: 'watches answered 410 Gone',
    strike: first(3, { kind: 'gone' }, isWatch),
    isShort: true,
  },
  { fault: 'stale reads while applying', strike: first(6, { kind: 'stale' }, isRead) },
  {
    fault: 'stale reads in the settle step',
    strike: ({ proxy }) => ({ settling: () => proxy.arm(() => ({ kind: 'stale' })) }),
    mend: {
      says: /nothing shrinks while a cluster is not ready/,
      how: ({ proxy }) => proxy.arm(undefined),
    },
  },
  {
    fault: 'connection refused for good in the settle step',
    strike: ({ proxy }) => ({ settling: () => void proxy.refuse() }),
    mend: { says: /CLUSTER_UNREACHABLE/, how: ({ proxy }) => proxy.restore() },
  },
  {
    fault: 'answers lost in the settle step',
    strike: (hands) => ({ settling: () => every(2, { kind: 'lose' })(hands) }),
  },
  {
    fault: 'server restarted while pods start',
    strike: (hands) => ({ observing: awayFor(800, 'refuse')(hands) }),
  },
  {
    fault: 'token expired, and renewed by whoever owns the file',
    strike: ({ proxy, signIn }) => ({
      observing: () => {
        proxy.accept('second');
        signIn('second');
      },
    }),
  },
  {
    fault: 'token expired for good',
    strike: ({ proxy }) => ({ applying: () => proxy.accept('second') }),
    mend: { says: /CLUSTER_UNAUTHORIZED/, how: ({ signIn }) => signIn('second') },
  },
];

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
