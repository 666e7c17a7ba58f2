import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { refuse } from './api/authorize.js';
import { handle } from './api/handler.js';
import {
  authenticate,
  faultFailure,
  parseRequest,
  readBody,
  respond,
  sendFailure,
  type Access,
  type InjectFault,
} from './exchange.js';
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

export interface Listener {
  readonly port: number;
  readonly requests: LoggedRequest[];
  /** Refuse connections, or with `blackHole` accept them and never answer. */
  stop(options?: { readonly blackHole?: boolean }): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
  inject(fault: InjectFault | undefined): void;
}

const MAX_LOGGED = 50_000;

/** Serve one cluster on 127.0.0.1; the port stays the same over stop and start. */
export async function listen(world: World, access: Access, preferredPort = 0): Promise<Listener> {
  const requests: LoggedRequest[] = [];
  let injected: InjectFault | undefined;
  let isBlackHole = false;
  let port = preferredPort;
  let server: Server | undefined;

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'https://sandbox');
    const about = { method: request.method ?? 'GET', path: url.pathname, query: url.search };
    const entry = { ...about, code: 0, at: world.time.now().toISOString() };
    if (requests.length < MAX_LOGGED) requests.push(entry);
    response.on('close', () => {
      entry.code = response.headersSent ? response.statusCode : 0;
    });
    if (isBlackHole) return;
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
      respond(world, parsed, handle(world, parsed), response, () => isBlackHole);
    } catch (error) {
      sendFailure(response, error, fault?.retryAfterSeconds);
    }
  };

  const start = async (): Promise<void> => {
    // Those who were left without an answer, and watches that missed events, begin anew.
    if (isBlackHole) server?.closeAllConnections();
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
