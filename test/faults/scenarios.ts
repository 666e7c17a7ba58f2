import type { ProxiedRequest, ProxyFault, TcpProxy } from './tcp-proxy.js';

/** What a scenario has in its hands: the proxy in front of the middle wave's cluster, and the token that it is given. */
export interface Hands {
  readonly proxy: TcpProxy;
  /** Replace the token in the file that the kubeconfig points to. */
  readonly signIn: (token: string) => void;
}

/** Phases of the cluster behind the proxy. */
export type Moment = 'applying' | 'observing' | 'settling';

export interface Scenario {
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

/** Nothing is heard of the n-th write, nor of anything after it. */
const silentFromWrite =
  (n: number) =>
  ({ proxy }: Hands): void => {
    let writes = 0;
    proxy.arm((request) => {
      if (isWrite(request) && ++writes === n) proxy.silence();
      return writes >= n ? { kind: 'blackHole' } : undefined;
    });
  };
const disarm = ({ proxy }: Hands): Promise<void> => {
  proxy.arm(undefined);
  return proxy.restore();
};

export const SCENARIOS: readonly Scenario[] = [
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
    strike: silentFromWrite(3),
    mend: { says: /CLUSTER_UNREACHABLE/, how: disarm },
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
