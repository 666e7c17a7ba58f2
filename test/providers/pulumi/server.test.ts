import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type * as Grpc from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { toWire } from '../../../lib/providers/pulumi/release-wire.js';
import { PROVIDER } from '../../../lib/providers/pulumi/wire.js';
import {
  aConfigMap,
  aDeployment,
  aFleet,
  aNamespace,
  aRelease,
  type TestFleet,
} from '../rollout/releases.js';

/**
 * The contract that our resources lean on: Pulumi's own server for dynamic providers turns the constant text in every
 * resource into calls of the installed package, and tells us the engine's address. Only the engine is a stand-in here.
 */
const ROOT = resolve(__dirname, '../../..');
const MINUTE = 60_000;

/* Pulumi ships these definitions without types of use here. */
const fromPulumi = createRequire(join(ROOT, 'node_modules/@pulumi/pulumi/package.json'));
const grpc = fromPulumi('@grpc/grpc-js') as typeof Grpc;
const struct = fromPulumi('google-protobuf/google/protobuf/struct_pb.js') as {
  Struct: { fromJavaScript(value: object): unknown };
};
const messages = fromPulumi('./proto/provider_pb.js') as Record<string, new () => Message>;
const services = fromPulumi('./proto/provider_grpc_pb.js') as {
  ResourceProviderClient: new (address: string, credentials: unknown) => Client;
};
const engineMessages = fromPulumi('./proto/engine_pb.js') as Record<string, new () => unknown>;
const engineServices = fromPulumi('./proto/engine_grpc_pb.js') as { EngineService: never };
const empty = fromPulumi('google-protobuf/google/protobuf/empty_pb.js') as {
  Empty: new () => unknown;
};

type Message = Record<string, (...args: never[]) => unknown>;
type Client = Record<
  string,
  (request: unknown, done: (e: Error | null, r: Response) => void) => void
> & {
  close(): void;
};
interface Response {
  getInputs(): { toJavaScript(): Record<string, unknown> };
  getProperties(): { toJavaScript(): Record<string, unknown> };
  getFailuresList(): { getReason(): string }[];
  getChanges(): number;
  getId(): string;
}

interface Line {
  readonly urn: string;
  readonly message: string;
  readonly ephemeral: boolean;
}

let fleet: TestFleet;
let folder: string;
let engine: Grpc.Server;
let lines: Line[];
let server: ChildProcess;
let client: Client;

beforeAll(async () => {
  fleet = await aFleet('a');
  folder = mkdtempSync(join(tmpdir(), 'fleetwright-server-'));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(ROOT, join(folder, 'node_modules/fleetwright'));
  lines = [];
  engine = new grpc.Server();
  engine.addService(engineServices.EngineService, {
    getRootResource: (_call: unknown, done: (e: null, r: unknown) => void) =>
      done(null, new (engineMessages['GetRootResourceResponse'] as new () => unknown)()),
    log: (call: { request: Record<string, () => never> }, done: (e: null, r: unknown) => void) => {
      const { request } = call;
      lines.push({
        urn: request['getUrn']?.() ?? '',
        message: request['getMessage']?.() ?? '',
        ephemeral: request['getEphemeral']?.() ?? false,
      });
      done(null, new empty.Empty());
    },
  });
  const port = await new Promise<number>((done, failed) =>
    engine.bindAsync('127.0.0.1:0', grpc.ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? done(bound) : failed(error),
    ),
  );
  server = spawn(
    process.execPath,
    [fromPulumi.resolve('./cmd/dynamic-provider/index.js'), `127.0.0.1:${port}`],
    { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] },
  );
  if (server.stdout === null) throw new Error('the server has no output');
  const [announced] = await Promise.race([
    new Promise<[string]>((done) =>
      createInterface({ input: server.stdout as NodeJS.ReadableStream }).once('line', (l) =>
        done([l]),
      ),
    ),
    new Promise<never>((_, failed) =>
      server.once('exit', () => failed(new Error('the server ended'))),
    ),
  ]);
  client = new services.ResourceProviderClient(
    `127.0.0.1:${announced.trim()}`,
    grpc.credentials.createInsecure(),
  );
}, MINUTE);

afterAll(async () => {
  client.close();
  server.kill('SIGKILL');
  engine.forceShutdown();
  await fleet.close();
  rmSync(folder, { recursive: true, force: true });
});

function ask(method: string, kind: string, fields: Record<string, unknown>): Promise<Response> {
  const request = new (messages[kind] as new () => Message)();
  for (const [field, value] of Object.entries(fields)) {
    const isObject = typeof value === 'object' && value !== null;
    request[`set${field}`]?.((isObject ? struct.Struct.fromJavaScript(value) : value) as never);
  }
  return new Promise((done, failed) =>
    client[method]?.(request, (error, response) =>
      error === null ? done(response) : failed(error),
    ),
  );
}

const URN = 'urn:pulumi:dev::shop::pulumi-nodejs:dynamic/fleetwright:Release::shop-a';
const common = { application: 'web-shop', environment: '', __urn: URN, __provider: PROVIDER };

function inputs(deployment = aDeployment('web')): Record<string, unknown> {
  const release = aRelease('a', [aNamespace(), aConfigMap('env'), deployment]);
  return {
    ...common,
    ...toWire(release, {
      cluster: 'a',
      kubeconfigPath: '',
      context: 'a',
      kubeconfig: fleet.sandbox.kubeconfig,
    }),
    kind: 'release',
    hash: release.manifests.map(({ revision }) => revision).join(),
    held: false,
    orphaned: false,
    deadlineSeconds: 20,
    __dryRun: false,
  };
}

describe('through Pulumi’s server for dynamic providers', () => {
  test(
    'a release is checked, created, compared and deleted by the installed package',
    async () => {
      const news = inputs();

      const checked = await ask('check', 'CheckRequest', { Urn: URN, Olds: {}, News: news });
      const created = await ask('create', 'CreateRequest', { Urn: URN, Properties: news });
      const outputs = created.getProperties().toJavaScript();
      const same = await ask('diff', 'DiffRequest', {
        Id: 'x',
        Urn: URN,
        Olds: outputs,
        News: news,
      });
      const other = await ask('diff', 'DiffRequest', {
        Id: 'x',
        Urn: URN,
        Olds: outputs,
        News: inputs(aDeployment('web', { image: 'nginx:2' })),
      });

      expect(checked.getInputs().toJavaScript()).toMatchObject({ kind: 'release' });
      expect(created.getId()).toBe('web-shop/a');
      // `__provider` is kept: a later delete has no other way to its code.
      expect(outputs).toMatchObject({ status: 'ready', reasons: [], __provider: PROVIDER });
      // 1: none, 2: some.
      expect([same.getChanges(), other.getChanges()]).toEqual([1, 2]);
      await ask('delete', 'DeleteRequest', { Id: 'x', Urn: URN, Properties: outputs });
      const live = await (
        await fleet.client('a')
      ).get({ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' });
      expect(live).toBeUndefined();
    },
    MINUTE,
  );

  test('status lines reach the engine, ephemeral, under the resource', () => {
    expect(lines.length).toBeGreaterThan(0);
    expect(new Set(lines.map(({ urn }) => urn))).toEqual(new Set([URN]));
    expect(lines.every(({ ephemeral }) => ephemeral)).toBe(true);
    expect(lines.map(({ message }) => message).join('\n')).toMatch(
      /\[\d\/3\] a: Deployment shop\/web/,
    );
  });

  test(
    'what check refuses arrives as a failure',
    async () => {
      const lock = { ...common, kind: 'lock' };

      const checked = await ask('check', 'CheckRequest', {
        Urn: URN,
        Olds: { ...lock, serial: 5, content: 'b' },
        News: { ...lock, serial: 4, content: 'a' },
      });

      expect(checked.getFailuresList().map((failure) => failure.getReason())).toEqual([
        expect.stringContaining('LOCK_OUTDATED'),
      ]);
    },
    MINUTE,
  );

  test(
    'when the engine is gone the work stops within seconds',
    async () => {
      const slow = aDeployment('web', { annotations: { 'rig/ready-after': '1h' } });
      const creating = ask('create', 'CreateRequest', {
        Urn: URN,
        Properties: { ...inputs(slow), deadlineSeconds: 600 },
      });
      const startedAt = performance.now();

      engine.forceShutdown();

      await expect(creating).rejects.toThrow(/engine is gone|Pulumi engine/);
      expect(performance.now() - startedAt).toBeLessThan(20_000);
    },
    MINUTE,
  );
});
