import { createRequire } from 'node:module';

/**
 * The provider process's tie to the Pulumi engine that started it: status lines go there, and when the engine is gone
 * (killed, crashed) all work stops within seconds instead of going on unseen.
 */
export interface EngineLink {
  /** Aborts when the engine is gone. */
  readonly signal: AbortSignal;
  /** A line under a resource; `ephemeral` ones replace each other. Never throws. */
  status(
    urn: string,
    message: string,
    options?: { readonly ephemeral?: boolean; readonly severity?: 'info' | 'warning' },
  ): void;
}

interface Process {
  /** Address of the engine's gRPC server; absent in tests. */
  readonly engine: string | undefined;
  readonly parent: () => number;
}

const HEARTBEAT_MS = 500;
/** A busy engine may be slow to answer; a dead one refuses at once. */
const MISSES = 3;

/** Connect once per process. */
export function linkToEngine({ engine, parent }: Process): EngineLink {
  const gone = new AbortController();
  const first = parent();
  const client = engine === undefined ? undefined : openClient(engine);
  let misses = 0;
  const beat = async (): Promise<void> => {
    if (parent() !== first) return gone.abort(new Error('the Pulumi engine is gone'));
    if (client === undefined) return;
    misses = (await client.isAlive()) ? 0 : misses + 1;
    if (misses >= MISSES) gone.abort(new Error('the Pulumi engine does not answer any more'));
  };
  const timer = setInterval(() => void beat(), HEARTBEAT_MS);
  timer.unref();
  gone.signal.addEventListener('abort', () => clearInterval(timer));
  return {
    signal: gone.signal,
    status: (urn, message, options = {}) => client?.log(urn, message, options),
  };
}

interface EngineClient {
  isAlive(): Promise<boolean>;
  log(
    urn: string,
    message: string,
    options: { readonly ephemeral?: boolean; readonly severity?: 'info' | 'warning' },
  ): void;
}

/* The SDK ships these definitions without types of use here. */
interface LogRequest {
  setSeverity(x: number): void;
  setMessage(x: string): void;
  setUrn(x: string): void;
  setStreamid(x: number): void;
  setEphemeral(x: boolean): void;
}
interface Grpc {
  readonly credentials: { createInsecure(): unknown };
}
interface Services {
  readonly EngineClient: new (
    address: string,
    credentials: unknown,
  ) => {
    log(request: LogRequest, done: (error: unknown) => void): void;
    getRootResource(
      request: unknown,
      options: { deadline: number },
      done: (error: { code?: number } | null) => void,
    ): void;
  };
}
interface Messages {
  readonly LogRequest: new () => LogRequest;
  readonly GetRootResourceRequest: new () => unknown;
}

const UNAVAILABLE = 14;
const SEVERITY = { info: 1, warning: 2 } as const;

function openClient(address: string): EngineClient {
  // Everything from Pulumi's own copy: messages of one protobuf library mean nothing to another.
  const fromPulumi = createRequire(require.resolve('@pulumi/pulumi/package.json'));
  const { EngineClient } = fromPulumi('./proto/engine_grpc_pb.js') as Services;
  const messages = fromPulumi('./proto/engine_pb.js') as Messages;
  const grpc = fromPulumi('@grpc/grpc-js') as Grpc;
  const client = new EngineClient(address, grpc.credentials.createInsecure());
  return {
    isAlive: () =>
      new Promise((resolve) => {
        client.getRootResource(
          new messages.GetRootResourceRequest(),
          { deadline: Date.now() + 2000 },
          (error) =>
            // An engine that answers with an error, or slowly, is there.
            resolve(error === null || error.code !== UNAVAILABLE),
        );
      }),
    log: (urn, message, { ephemeral = false, severity = 'info' }) => {
      const request = new messages.LogRequest();
      request.setSeverity(SEVERITY[severity]);
      request.setMessage(message);
      request.setUrn(urn);
      request.setStreamid(0);
      request.setEphemeral(ephemeral);
      // Status lines are a courtesy: a lost one is no reason to fail.
      client.log(request, () => undefined);
    },
  };
}
