import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { parse as parseYaml } from 'yaml';
import type { ApiResponse } from './api/handler.js';
import type { ApiRequest } from './api/request.js';
import { ApiFailure, badRequest, unsupportedMediaType } from './api/status.js';
import { tableOf, wantsTable } from './api/table.js';
import { watchObjects } from './api/watch.js';
import type { Certificate } from './certificate.js';
import { parseJson, type JsonObject } from './merge/json.js';
import type { World } from './world.js';

/** What lets a client in. */
export interface Access {
  readonly token: string;
  /** Signs in, and may do nothing. */
  readonly viewerToken: string;
  readonly certificate: Certificate;
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

const MAX_BODY = 3 * 1024 * 1024;

/** Send an answer; a watch stays open, and says nothing while it is muted. */
export function respond(
  world: World,
  request: ApiRequest,
  answer: ApiResponse,
  response: ServerResponse,
  isMuted: () => boolean,
): void {
  switch (answer.kind) {
    case 'text':
      response.writeHead(answer.code, { 'content-type': 'text/plain' }).end(answer.body);
      return;
    case 'watch':
      return stream(world, request, answer, response, isMuted);
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
  isMuted: () => boolean,
): void {
  const asTable = wantsTable(world, request);
  let isOpen = false;
  const open = (): void => {
    if (!isOpen) response.writeHead(200, { 'content-type': 'application/json' });
    isOpen = true;
  };
  const stop = watchObjects(world, answer.resource, answer.namespace, request.query, {
    send: (type, object) => {
      if (isMuted()) return;
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
export function authenticate(request: IncomingMessage, access: Access): boolean {
  const given = Buffer.from(request.headers.authorization ?? '');
  const is = (token: string): boolean => {
    const wanted = Buffer.from(`Bearer ${token}`);
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  };
  if (is(access.viewerToken)) return true;
  if (is(access.token)) return false;
  throw new ApiFailure(401, 'Unauthorized', 'Unauthorized');
}

export async function readBody(request: IncomingMessage): Promise<string> {
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

export function parseRequest(request: IncomingMessage, url: URL, text: string): ApiRequest {
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

export function faultFailure(fault: Fault): ApiFailure {
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

export function sendFailure(
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
