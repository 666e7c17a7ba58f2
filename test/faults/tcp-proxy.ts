import type { IncomingMessage, ServerResponse } from 'node:http';
import { Agent, createServer as createHttpsServer, request as send } from 'node:https';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { selfSigned } from '../../lib/providers/sandbox/certificate.js';

/** What happens to one request. */
export type ProxyFault =
  /** The server is not asked. */
  | {
      readonly kind: 'answer';
      readonly code: number;
      readonly reason?: string;
      readonly retryAfterSeconds?: number;
    }
  /** The server is not asked, and no answer comes. */
  | { readonly kind: 'blackHole' }
  /** Carried out by the server; the connection is reset in the middle of the answer. */
  | { readonly kind: 'reset' }
  /** Carried out by the server; the connection is reset before a byte of the answer. */
  | { readonly kind: 'lose' }
  /** The answer comes in small pieces. */
  | { readonly kind: 'trickle'; readonly bytes: number; readonly everyMs: number }
  /** A watch that ends in order after a moment. */
  | { readonly kind: 'endWatch'; readonly afterMs: number }
  /** A watch that says 410 Gone as an event. */
  | { readonly kind: 'gone' }
  /** What the server said the last time about the same path, however old that is. */
  | { readonly kind: 'stale' };

/** A request as it came in, before anything was done about it. */
export interface ProxiedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly isWatch: boolean;
}

export interface TcpProxy {
  readonly server: string;
  /** PEM; clients trust it instead of the server's own. */
  readonly authority: string;
  readonly requests: readonly ProxiedRequest[];
  /** Faults that happened: a stale read without anything older is none. */
  fired(): number;
  /** Asked for every request, in the order in which they come; `undefined` disarms. */
  arm(fault: ((request: ProxiedRequest) => ProxyFault | undefined) | undefined): void;
  /** From now on only these tokens are let in; others are answered 401. */
  accept(...tokens: readonly string[]): void;
  /** Cut everything and refuse connections, as a server that is down. */
  refuse(): Promise<void>;
  /** Take connections and say nothing, on old connections neither: what a broken network does. */
  silence(): void;
  /** Serve again, at the same address; who was left in silence is cut. */
  restore(): Promise<void>;
  close(): Promise<void>;
}

interface Said {
  readonly code: number;
  readonly body: Buffer;
}

const CONTENT_TYPE = { 'content-type': 'application/json' } as const;

/**
 * A proxy in front of one API server, with what goes wrong between a client and a server.
 *
 * It ends TLS with a certificate of its own and speaks HTTP/1.1 both ways, so that faults can be chosen by request; what it
 * passes on is passed on unchanged, but for the token.
 */
export async function startTcpProxy(upstream: string, upstreamToken: string): Promise<TcpProxy> {
  const certificate = selfSigned();
  const target = new URL(upstream);
  // The server's own certificate is not the matter here.
  const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });
  const requests: ProxiedRequest[] = [];
  const sockets = new Map<number, Socket>();
  const said = new Map<string, Said>();
  let fault: Parameters<TcpProxy['arm']>[0];
  let tokens: ReadonlySet<string> | undefined;
  let isSilent = false;
  let fired = 0;

  const reset = (request: IncomingMessage): void =>
    void sockets.get(request.socket.remotePort ?? 0)?.resetAndDestroy();

  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    if (isSilent) return;
    const url = new URL(request.url ?? '/', upstream);
    const isWatch = url.searchParams.get('watch') === 'true';
    const about = {
      method: request.method ?? 'GET',
      path: url.pathname,
      query: url.search,
      isWatch,
    };
    requests.push(about);
    const token = /^Bearer (.*)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    if (tokens !== undefined && !tokens.has(token)) {
      fired += 1;
      return refuseWith(response, 401, 'Unauthorized');
    }
    const chosen = fault?.(about);
    const older = chosen?.kind === 'stale' ? said.get(url.href) : undefined;
    if (chosen !== undefined && (chosen.kind !== 'stale' || older !== undefined)) fired += 1;
    if (chosen?.kind === 'blackHole') return;
    if (chosen?.kind === 'answer')
      return refuseWith(response, chosen.code, chosen.reason, chosen.retryAfterSeconds);
    if (chosen?.kind === 'gone') return sayGone(response);
    if (older !== undefined)
      return void response.writeHead(older.code, CONTENT_TYPE).end(older.body);
    forward(request, response, url, chosen);
  };

  const forward = (
    request: IncomingMessage,
    response: ServerResponse,
    url: URL,
    chosen: ProxyFault | undefined,
  ): void => {
    const { host: _host, ...headers } = request.headers;
    const onward = send(
      {
        agent,
        host: target.hostname,
        port: target.port,
        method: request.method,
        path: `${url.pathname}${url.search}`,
        headers: { ...headers, authorization: `Bearer ${upstreamToken}` },
      },
      (answer) => {
        if (chosen?.kind === 'lose') {
          answer.resume().once('end', () => reset(request));
          return;
        }
        const isWatch = url.searchParams.get('watch') === 'true';
        if (!isWatch) return whole(answer, request, response, url, chosen);
        response.writeHead(answer.statusCode ?? 502, CONTENT_TYPE);
        response.flushHeaders();
        answer.on('data', (chunk: Buffer) => {
          if (isSilent) return;
          response.write(chunk);
          if (chosen?.kind === 'reset') reset(request);
        });
        answer.once('end', () => response.end());
        if (chosen?.kind === 'endWatch')
          setTimeout(() => (response.end(), answer.destroy()), chosen.afterMs);
      },
    );
    // Either side may go at any moment: then the other one goes too.
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  };

  const whole = (
    answer: IncomingMessage,
    request: IncomingMessage,
    response: ServerResponse,
    url: URL,
    chosen: ProxyFault | undefined,
  ): void => {
    const chunks: Buffer[] = [];
    answer.on('data', (chunk: Buffer) => chunks.push(chunk));
    answer.once('end', () => {
      const body = Buffer.concat(chunks);
      const code = answer.statusCode ?? 502;
      if (request.method === 'GET') said.set(url.href, { code, body });
      if (isSilent) return;
      response.writeHead(code, { ...CONTENT_TYPE, 'content-length': String(body.length) });
      if (chosen?.kind === 'trickle') return trickle(response, body, chosen);
      if (chosen?.kind !== 'reset') return void response.end(body);
      response.write(body.subarray(0, body.length >> 1), () => reset(request));
    });
  };

  const https = createHttpsServer({ ...certificate, keepAliveTimeout: 60_000 }, handle);
  const listener = createServer((socket) => {
    const { remotePort = 0 } = socket;
    sockets.set(remotePort, socket);
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(remotePort));
    if (!isSilent) https.emit('connection', socket);
  });
  const listen = (port: number): Promise<void> =>
    new Promise((resolve, fail) => {
      listener.once('error', fail).listen(port, '127.0.0.1', () => {
        listener.off('error', fail);
        resolve();
      });
    });
  const cut = (): void => {
    for (const socket of sockets.values()) socket.resetAndDestroy();
  };
  await listen(0);
  const { port } = listener.address() as AddressInfo;

  const refuse = (): Promise<void> =>
    new Promise((resolve) => {
      fired += 1;
      listener.close(() => resolve());
      cut();
    });
  return {
    server: `https://127.0.0.1:${port}`,
    authority: certificate.cert,
    requests,
    fired: () => fired,
    arm: (next) => (fault = next),
    accept: (...next) => (tokens = new Set(next)),
    refuse,
    silence: () => {
      fired += 1;
      isSilent = true;
    },
    restore: async () => {
      if (isSilent) cut();
      isSilent = false;
      if (!listener.listening) await listen(port);
    },
    close: async () => {
      if (listener.listening) await refuse();
      agent.destroy();
      https.close();
    },
  };
}

/** As an API server says no. */
function refuseWith(
  response: ServerResponse,
  code: number,
  reason = 'InternalError',
  retryAfterSeconds?: number,
): void {
  const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason };
  response.writeHead(code, {
    ...CONTENT_TYPE,
    ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
  });
  response.end(JSON.stringify({ ...status, message: `injected ${code}` }));
}

function sayGone(response: ServerResponse): void {
  const object = { kind: 'Status', apiVersion: 'v1', code: 410, reason: 'Expired', message: 'old' };
  response.writeHead(200, CONTENT_TYPE).end(`${JSON.stringify({ type: 'ERROR', object })}\n`);
}

function trickle(
  response: ServerResponse,
  body: Buffer,
  { bytes, everyMs }: { readonly bytes: number; readonly everyMs: number },
): void {
  let at = 0;
  const timer = setInterval(() => {
    response.write(body.subarray(at, at + bytes));
    at += bytes;
    if (at < body.length) return;
    clearInterval(timer);
    response.end();
  }, everyMs);
  response.on('close', () => clearInterval(timer));
}
