import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Clock } from '../../../lib/providers/cluster/transport.js';

/** What one request is answered with; a function writes the answer itself. */
export type Answer =
  | {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: unknown;
    }
  | ((response: ServerResponse, request: IncomingMessage) => void);

export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly authorization: string | undefined;
  readonly body: string;
}

/** A server that answers as a test wrote down, for faults that real API servers show too rarely. */
export interface FakeApiServer {
  readonly url: string;
  /** Requests so far, without discovery. */
  readonly seen: readonly Seen[];
  /** Connections opened so far. */
  connections(): number;
  close(): Promise<void>;
}

/**
 * Start it. Requests for discovery are answered with ConfigMaps and Secrets; all others with `answers` in turn, the last one again and again.
 */
export async function startFakeApiServer(
  answers: readonly Answer[] | ((seen: Seen) => Answer),
): Promise<FakeApiServer> {
  const seen: Seen[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    void record(request).then((one) => {
      const discovery = DISCOVERY[one.path];
      if (discovery !== undefined && typeof answers !== 'function')
        return reply(response, request, { body: discovery });
      seen.push(one);
      const answer =
        typeof answers === 'function' ? answers(one) : (answers[seen.length - 1] ?? answers.at(-1));
      reply(response, request, answer ?? { status: 404 });
    });
  });
  server.on('connection', () => (connections += 1));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    connections: () => connections,
    close: () => stop(server),
  };
}

/** Time that does not pass: pauses are written down and over at once. */
export function aClock(): Clock & { readonly pauses: readonly number[] } {
  const pauses: number[] = [];
  let time = 1_000_000;
  return {
    pauses,
    now: () => time,
    random: () => 0,
    sleep: (ms) => {
      pauses.push(ms);
      time += ms;
      return Promise.resolve();
    },
  };
}

/** Destroys the connection after `head`, in the middle of a body that promised to be longer. */
export function reset(head = '{"kind":'): Answer {
  return (response) => {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '1000' });
    response.write(head, () => response.destroy());
  };
}

/** Takes the request and never answers. */
export const blackHole: Answer = () => undefined;

/** A watch that sends these events and ends in order. */
export function events(...lines: readonly object[]): Answer {
  return (response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  };
}

export function aStatus(code: number, reason: string, message: string, details?: object): Answer {
  return {
    status: code,
    body: {
      kind: 'Status',
      apiVersion: 'v1',
      status: 'Failure',
      code,
      reason,
      message,
      ...(details && { details }),
    },
  };
}

const kinds = [
  {
    resource: 'configmaps',
    responseKind: { kind: 'ConfigMap' },
    scope: 'Namespaced',
    verbs: ['get'],
  },
  { resource: 'secrets', responseKind: { kind: 'Secret' }, scope: 'Namespaced', verbs: ['get'] },
];
const DISCOVERY: Readonly<Record<string, unknown>> = {
  '/api': {
    kind: 'APIGroupDiscoveryList',
    items: [{ metadata: {}, versions: [{ version: 'v1', resources: kinds }] }],
  },
  '/apis': { kind: 'APIGroupDiscoveryList', items: [] },
};

async function record(request: IncomingMessage): Promise<Seen> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://fake');
  return {
    method: request.method ?? '',
    path: pathname,
    query: searchParams,
    authorization: request.headers.authorization,
    body,
  };
}

function reply(response: ServerResponse, request: IncomingMessage, answer: Answer): void {
  if (typeof answer === 'function') return answer(response, request);
  const { status = 200, headers = {}, body = {} } = answer;
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
