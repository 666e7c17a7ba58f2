/**
 * What a test uses of the rig: real API servers with real controllers, and the real Pulumi CLI.
 *
 * ```ts
 * describeWithRig('apply', (rig) => {
 *   test('…', async () => { const { kubeconfig } = rig(); … });
 * });
 * ```
 *
 * One rig serves the whole run, so a test uses namespaces of its own ({@link freshName}) and leaves other objects alone.
 */
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';

import { beforeAll, describe, test } from '@jest/globals';

/** What the broker can be asked for; see broker.mjs. */
type Request = 'rig' | 'pulumi';
type Reply =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: string };

export interface Rig {
  /** Path of a kubeconfig with one context per cluster, named like it, for an administrator. */
  readonly kubeconfig: string;
  /** `member1`, `member2`, `member3`: enough for most tests. */
  readonly clusters: readonly string[];
  /** These and `member4`, `member5`. */
  readonly allClusters: readonly string[];
  readonly adminToken: string;
  /** Signs in, and may do nothing. */
  readonly viewerToken: string;
  server(cluster: string): string;
  /** Every request so far that was not a read of the rig's own parts, in the order of the answers. */
  auditLog(cluster: string): readonly AuditEvent[];
  /** The kubeconfig's text with another token: `viewerToken`, or one that no server knows. */
  kubeconfigWith(token: string): string;
}

/** The fields of a Kubernetes audit event that tests read. */
export interface AuditEvent {
  readonly auditID: string;
  readonly stage: 'ResponseStarted' | 'ResponseComplete' | 'Panic';
  readonly verb: string;
  readonly requestURI: string;
  readonly userAgent?: string;
  readonly user: { readonly username: string };
  readonly objectRef?: {
    readonly apiGroup?: string;
    readonly apiVersion?: string;
    readonly resource: string;
    readonly subresource?: string;
    readonly namespace?: string;
    readonly name?: string;
  };
  readonly responseStatus?: { readonly code: number };
  /** The body, of writes by the administrator (not of Secrets) and of what controllers report of Deployments. */
  readonly requestObject?: {
    readonly metadata?: {
      readonly generation?: number;
      readonly annotations?: Readonly<Record<string, string>>;
    };
    readonly spec?: { readonly replicas?: number };
    readonly status?: {
      readonly observedGeneration?: number;
      readonly replicas?: number;
      readonly updatedReplicas?: number;
      readonly readyReplicas?: number;
      readonly availableReplicas?: number;
    };
  };
  /** When the request came in, with microseconds. */
  readonly requestReceivedTimestamp: string;
  /** When it was answered. */
  readonly stageTimestamp: string;
}

/** `undefined` when the rig can be had, else the reason. */
export function whyNoRig(): string | undefined {
  return whyMissing('rig');
}

export function rigAvailable(): boolean {
  return whyNoRig() === undefined;
}

/** The run's rig; the first call of a run starts it (4 s, or minutes when it has to be built first). */
export async function rig(): Promise<Rig> {
  started ??= ask('rig').then((value) => toRig(value as Announcement));
  return started;
}
let started: Promise<Rig> | undefined;

/** Folder with `pulumi` and its language host; put it first in PATH. */
export async function pulumiFolder(): Promise<string> {
  return ((await ask('pulumi')) as { bin: string }).bin;
}

/** A `describe` whose tests have the rig. Without Go it is skipped with one line that says so; with `CI=true` it fails. */
export function describeWithRig(name: string, fn: (rig: () => Rig) => void): void {
  describeWith('rig', rig, name, fn);
}

/** The same for tests that need the Pulumi CLI: gives the folder of {@link pulumiFolder}. */
export function describeWithPulumi(name: string, fn: (folder: () => string) => void): void {
  describeWith('pulumi', pulumiFolder, name, fn);
}

/** A name that no other test of this run uses, fit for a namespace. */
export function freshName(prefix: string): string {
  names += 1;
  return `${prefix}-${process.pid.toString(36)}-${names}`;
}
let names = 0;

const minutes = 60_000;

function describeWith<T>(
  part: Request,
  start: () => Promise<T>,
  name: string,
  fn: (value: () => T) => void,
): void {
  const reason = whyMissing(part);
  if (reason !== undefined && process.env['CI'] === 'true') {
    describe(name, () => {
      test(`needs the ${part} of the test rig`, () => {
        throw new Error(reason);
      });
    });
    return;
  }
  if (reason !== undefined) process.stderr.write(`skipped: ${name}: ${reason}\n`);
  const group = reason === undefined ? describe : describe.skip;
  group(name, () => {
    let value: T | undefined;
    beforeAll(async () => {
      value = await start();
    }, 30 * minutes);
    fn(() => {
      if (value === undefined) throw new Error(`${part} is available inside tests and hooks only`);
      return value;
    });
  });
}

function whyMissing(part: Request): string | undefined {
  if (process.env['FLEETWRIGHT_TEST_BROKER'] === undefined)
    return 'the global set-up of test/rig did not run';
  const state = process.env[`FLEETWRIGHT_TEST_${part.toUpperCase()}`] ?? 'missing: not looked for';
  return state.startsWith('missing: ') ? state.slice('missing: '.length) : undefined;
}

function ask(request: Request): Promise<unknown> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(process.env['FLEETWRIGHT_TEST_BROKER'] ?? '');
    socket.once('connect', () => socket.write(`${request}\n`));
    socket.on('data', (chunk) => (text += chunk.toString()));
    socket.once('error', reject);
    socket.once('end', () => {
      const reply = JSON.parse(text) as Reply;
      if (reply.ok) resolve(reply.value);
      else reject(new Error(reply.error));
    });
  });
}

/** What the rig prints when it is up. */
interface Announcement {
  readonly kubeconfig: string;
  readonly adminToken: string;
  readonly viewerToken: string;
  readonly clusters: readonly {
    readonly name: string;
    readonly server: string;
    readonly auditLog: string;
  }[];
}

function toRig(said: Announcement): Rig {
  const find = (name: string): Announcement['clusters'][number] => {
    const found = said.clusters.find((cluster) => cluster.name === name);
    if (found === undefined) throw new Error(`the rig has no cluster ${name}`);
    return found;
  };
  return {
    kubeconfig: said.kubeconfig,
    clusters: said.clusters.slice(0, 3).map((cluster) => cluster.name),
    allClusters: said.clusters.map((cluster) => cluster.name),
    adminToken: said.adminToken,
    viewerToken: said.viewerToken,
    server: (cluster) => find(cluster).server,
    auditLog: (cluster) => parseLines(readFileSync(find(cluster).auditLog, 'utf8')),
    kubeconfigWith: (token) =>
      readFileSync(said.kubeconfig, 'utf8').replaceAll(said.adminToken, token),
  };
}

/** The last line may still be in the making. */
function parseLines(text: string): readonly AuditEvent[] {
  const lines = text.split('\n').slice(0, -1);
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as AuditEvent);
}
