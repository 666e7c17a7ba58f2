import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { timingSafeEqual } from 'node:crypto';
import { parse as parseYaml } from 'yaml';
import { refuse } from './api/authorize.js';
import { handle, type ApiResponse } from './api/handler.js';
import type { ApiRequest } from './api/request.js';
import { ApiFailure, badRequest, unsupportedMediaType } from './api/status.js';
import { tableOf, wantsTable } from './api/table.js';
import type { Certificate } from './certificate.js';
import { watchObjects } from './api/watch.js';
import { parseJson, type JsonObject } from './merge/json.js';
import type { World } from './world.js';

/** What reached a cluster, for assertions of tests. */
export interface LoggedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  /** Status code sent; 0 while it is answered or when the connection was cut. */
  readonly code: number;
  readonly at: string;
}

/** What a fault does instead of the real answer: a status code with an optional `Retry-After`, a delay, a cut connection. */
export interface Fault {
  readonly code?: number;
  readonly reason?: string;
  readonly message?: string;
  readonly retryAfterSeconds?: number;
  readonly delayMs?: number;
  readonly drop?: boolean;
}
export type InjectFault = (request: {
  readonly method: string;
  readonly path: string;
  readonly query: string;
}) => Fault | undefined;

export interface Listener {
  readonly port: number;
  readonly requests: LoggedRequest[];
  /** Refuse connections, or with `blackHole` accept them and never answer. */
  stop(options?: { readonly blackHole?: boolean }): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
  inject(fault: InjectFault | undefined): void;
}

/** What lets a client in. */
export interface Access {
  readonly token: string;
  /** Signs in, and may do nothing. */
  readonly viewerToken: string;
  readonly certificate: Certificate;
}

const MAX_BODY = 3 * 1024 * 1024;
const MAX_LOGGED = 50_000;

/** Serve one cluster on 127.0.0.1; the port stays the same over stop and start. */
export async function listen(world: World, access: Access, preferredPort = 0): Promise<Listener> {
  const requests: LoggedRequest[] = [];
  let injected: InjectFault | undefined;
  let isBlackHole = false;
  let port = preferredPort;
  let server: Server | undefined;

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (isBlackHole) return;
    const url = new URL(request.url ?? '/', 'https://sandbox');
    const about = { method: request.method ?? 'GET', path: url.pathname, query: url.search };
    const entry = { ...about, code: 0, at: world.time.now().toISOString() };
    if (requests.length < MAX_LOGGED) requests.push(entry);
    response.on('close', () => {
      entry.code = response.headersSent ? response.statusCode : 0;
    });
    const fault = injected?.(about);
    if (fault?.delayMs !== undefined)
      await new Promise<void>((resolve) => void world.time.after(fault.delayMs ?? 0, resolve));
    if (fault?.drop === true) return void request.socket.destroy();
    try {
      if (fault?.code !== undefined) throw faultFailure(fault);
      const isViewer = authenticate(request, access);
      const body = await readBody(request);
      const parsed = parseRequest(request, url, body);
      if (isViewer) refuse(parsed);
      respond(world, parsed, handle(world, parsed), response);
    } catch (error) {
      sendFailure(response, error, fault?.retryAfterSeconds);
    }
  };

  const start = async (): Promise<void> => {
    isBlackHole = false;
    if (server?.listening === true) return;
    const created = createServer(
      access.certificate,
      (request, response) => void answer(request, response),
    );
    created.keepAliveTimeout = 60_000;
    try {
      await listening(created, port);
    } catch (error) {
      // A port from a saved state may be somebody else's by now; one we had ourselves a moment ago may not.
      if (port !== preferredPort || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE')
        throw error;
      await listening(created, 0);
    }
    server = created;
    port = (created.address() as AddressInfo).port;
  };
  const stop = async (options?: { readonly blackHole?: boolean }): Promise<void> => {
    isBlackHole = options?.blackHole === true;
    if (!isBlackHole) await close();
  };
  const close = async (): Promise<void> => {
    const running = server;
    if (running === undefined) return;
    server = undefined;
    await new Promise<void>((resolve) => {
      running.close(() => resolve());
      running.closeAllConnections();
    });
  };
  await start();
  return {
    get port() {
      return port;
    },
    requests,
    start,
    stop,
    close,
    inject: (fault) => {
      injected = fault;
    },
  };
}

function listening(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function respond(
  world: World,
  request: ApiRequest,
  answer: ApiResponse,
  response: ServerResponse,
): void {
  switch (answer.kind) {
    case 'text':
      response.writeHead(answer.code, { 'content-type': 'text/plain' }).end(answer.body);
      return;
    case 'watch':
      return stream(world, request, answer, response);
    case 'json': {
      const kind = wantsTable(world, request);
      const body =
        kind === undefined || answer.code !== 200
          ? answer.body
          : tableOf(world, kind, answer.body as JsonObject);
      for (const warning of answer.warnings ?? [])
        response.appendHeader('warning', `299 - ${JSON.stringify(warning)}`);
      response.writeHead(answer.code, { 'content-type': answer.contentType ?? 'application/json' });
      response.end(JSON.stringify(body));
    }
  }
}

function stream(
  world: World,
  request: ApiRequest,
  answer: ApiResponse & { kind: 'watch' },
  response: ServerResponse,
): void {
  const asTable = wantsTable(world, request);
  let isOpen = false;
  const open = (): void => {
    if (!isOpen) response.writeHead(200, { 'content-type': 'application/json' });
    isOpen = true;
  };
  const stop = watchObjects(world, answer.resource, answer.namespace, request.query, {
    send: (type, object) => {
      open();
      const shown =
        asTable === undefined || type === 'ERROR' || type === 'BOOKMARK'
          ? object
          : tableOf(world, asTable, object);
      response.write(`${JSON.stringify({ type, object: shown })}\n`);
    },
    end: () => response.end(),
  });
  open();
  response.flushHeaders();
  response.on('close', stop);
}

/** Whether it is the viewer who asks. @throws 401 for a token that the cluster does not know. */
function authenticate(request: IncomingMessage, access: Access): boolean {
  const given = Buffer.from(request.headers.authorization ?? '');
  const is = (token: string): boolean => {
    const wanted = Buffer.from(`Bearer ${token}`);
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  };
  if (is(access.viewerToken)) return true;
  if (is(access.token)) return false;
  throw new ApiFailure(401, 'Unauthorized', 'Unauthorized');
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += (chunk as Buffer).length;
    if (length > MAX_BODY)
      throw new ApiFailure(
        413,
        'RequestEntityTooLarge',
        `Request entity too large: limit is ${MAX_BODY}`,
      );
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseRequest(request: IncomingMessage, url: URL, text: string): ApiRequest {
  const contentType =
    (request.headers['content-type'] ?? 'application/json').split(';')[0]?.trim() ?? '';
  return {
    method: request.method ?? 'GET',
    path: url.pathname,
    query: url.searchParams,
    headers: request.headers,
    contentType,
    body: text === '' ? undefined : parseBody(text, contentType),
  };
}

function parseBody(text: string, contentType: string): unknown {
  if (!/^application\/.*(json|yaml)$/.test(contentType)) throw unsupportedMediaType(contentType);
  try {
    if (!contentType.endsWith('yaml')) return parseJson(text);
    return text.trimStart().startsWith('{')
      ? parseJson(text)
      : parseJson(JSON.stringify(parseYaml(text)));
  } catch (error) {
    throw badRequest(
      `error decoding the body: ${error instanceof Error ? error.message : 'not JSON'}`,
    );
  }
}

function faultFailure(fault: Fault): ApiFailure {
  const details =
    fault.retryAfterSeconds === undefined
      ? undefined
      : { retryAfterSeconds: fault.retryAfterSeconds };
  return new ApiFailure(
    fault.code ?? 500,
    fault.reason ?? 'InternalError',
    fault.message ?? 'injected fault',
    details,
  );
}

function sendFailure(
  response: ServerResponse,
  error: unknown,
  retryAfter: number | undefined,
): void {
  if (response.headersSent) return void response.end();
  const failure =
    error instanceof ApiFailure
      ? error
      : new ApiFailure(500, 'InternalError', `Internal error: ${String(error)}`);
  const close = failure.code === 413 ? { connection: 'close' } : {};
  const retry = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  response.writeHead(failure.code, { 'content-type': 'application/json', ...retry, ...close });
  response.end(JSON.stringify(failure.toStatus()));
}
