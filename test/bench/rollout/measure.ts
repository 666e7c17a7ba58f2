import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { main } from '../../../bin/main.js';
import type { World } from '../../../bin/world.js';
import type { RolloutProgress } from '../../../lib/providers/rollout/index.js';
import { cpuMilliseconds } from '../bench.js';

/** One command, run in this process from its arguments to its exit code. Times in milliseconds from its start. */
export interface Measured {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly wallMs: number;
  /** Of this process alone: the servers are others. */
  readonly cpuMs: number;
  /** HTTP requests, as they went out. */
  readonly requests: number;
  readonly writes: number;
  /** Connections opened to the cluster that got most of them. */
  readonly connections: number;
  /** Of `--events-json`, with when each was printed. */
  readonly events: readonly Timed[];
}

export interface Timed {
  readonly ms: number;
  readonly event: RolloutProgress | { readonly kind: 'report' };
}

interface Traffic {
  requests: number;
  writes: number;
  readonly opened: Map<string, number>;
}

/** `words` as typed after `fleetwright`. */
export async function measure(words: readonly string[], cwd: string): Promise<Measured> {
  const traffic: Traffic = { requests: 0, writes: 0, opened: new Map() };
  const printed = { stdout: '', stderr: '' };
  const chunks: { ms: number; text: string }[] = [];
  const startedAt = performance.now();
  const output = (name: keyof typeof printed): World['stdout'] => ({
    isTerminal: false,
    columns: 100,
    rows: 40,
    write: (text) => {
      printed[name] += text;
      if (name === 'stdout') chunks.push({ ms: performance.now() - startedAt, text });
    },
  });
  const stop = countTraffic(traffic);
  const cpuBefore = cpuMilliseconds();
  const code = await main([...words], {
    cwd,
    env: { HOME: '/nonexistent' },
    stdout: output('stdout'),
    stderr: output('stderr'),
    readStdin: () => Promise.resolve(new Uint8Array()),
    ask: () => Promise.resolve(undefined),
    now: () => new Date().toISOString(),
    onInterrupt: () => () => undefined,
    exit: () => undefined,
  });
  const cpuMs = cpuMilliseconds() - cpuBefore;
  stop();
  return {
    code,
    ...printed,
    wallMs: performance.now() - startedAt,
    cpuMs,
    requests: traffic.requests,
    writes: traffic.writes,
    connections: Math.max(0, ...traffic.opened.values()),
    events: words.includes('--events-json') ? chunks.flatMap(toEvents) : [],
  };
}

function toEvents({ ms, text }: { ms: number; text: string }): Timed[] {
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => ({ ms, event: JSON.parse(line) as Timed['event'] }));
}

/** What the HTTP client itself says that it does. */
function countTraffic(traffic: Traffic): () => void {
  const onRequest = (message: unknown): void => {
    const { request } = message as { request: { method: string } };
    traffic.requests += 1;
    if (request.method !== 'GET') traffic.writes += 1;
  };
  const onConnect = (message: unknown): void => {
    const { host } = (message as { connectParams: { host: string } }).connectParams;
    traffic.opened.set(host, (traffic.opened.get(host) ?? 0) + 1);
  };
  subscribe('undici:request:create', onRequest);
  subscribe('undici:client:connected', onConnect);
  return () => {
    unsubscribe('undici:request:create', onRequest);
    unsubscribe('undici:client:connected', onConnect);
  };
}
