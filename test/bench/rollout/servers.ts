import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join, resolve } from 'node:path';
import { parse, stringify } from 'yaml';

/** Clusters in processes of their own, so that ours is measured alone. */
export interface Servers {
  readonly kubeconfig: string;
  readonly clusters: readonly string[];
  close(): Promise<void>;
}

interface Broker {
  readonly start: (part: string) => Promise<unknown>;
  readonly close: () => Promise<void>;
}

/** Three real API servers with controllers, built first where they are not yet; `undefined` without Go. */
export async function startRig(): Promise<Servers | undefined> {
  const { stateOf } = (await import('../../rig/build.mjs' as string)) as {
    stateOf: (part: string) => { readonly state: string };
  };
  if (stateOf('rig').state === 'missing') return undefined;
  const { startBroker } = (await import('../../rig/broker.mjs' as string)) as {
    startBroker: (clusters: number) => Promise<Broker>;
  };
  const broker = await startBroker(3);
  const said = (await broker.start('rig')) as {
    readonly kubeconfig: string;
    readonly clusters: readonly { readonly name: string }[];
  };
  return {
    kubeconfig: readFileSync(said.kubeconfig, 'utf8'),
    clusters: said.clusters.map(({ name }) => name),
    close: broker.close,
  };
}

/** Simulated clusters, by the command that users have; made by `npm run build`. Writes its files into `folder`. */
export async function startSandboxCommand(folder: string, count: number): Promise<Servers> {
  const command = resolve(__dirname, '../../../dist/bin/fleetwright.js');
  const args = [command, 'sandbox', '--fresh', '--json', '--clusters', String(count)];
  const child = spawn(process.execPath, [...args, '--dir', folder], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const said = JSON.parse(await firstLine(child)) as {
    readonly clusters: readonly { readonly name: string }[];
  };
  return {
    kubeconfig: readFileSync(join(folder, 'sandbox.kubeconfig'), 'utf8'),
    clusters: said.clusters.map(({ name }) => name),
    close: () =>
      new Promise((done) => {
        child.once('close', () => done());
        child.kill('SIGTERM');
      }),
  };
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const end = text.indexOf('\n');
      if (end >= 0) resolve(text.slice(0, end));
    });
    child.once('close', () => reject(new Error('the sandbox ended before it was up')));
  });
}

/** Takes connections and never answers. */
export async function startBlackHole(): Promise<{ readonly url: string; close(): void }> {
  const server: Server = createServer((socket) => socket.on('error', () => socket.destroy()));
  await new Promise<void>((up) => server.listen(0, '127.0.0.1', up));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { url: `https://127.0.0.1:${port}`, close: () => void server.close() };
}

/** A kubeconfig in which some clusters are at another address. */
export function moved(kubeconfig: string, clusters: readonly string[], url: string): string {
  const config = parse(kubeconfig) as {
    readonly clusters: { readonly name: string; readonly cluster: { server: string } }[];
  };
  for (const { name, cluster } of config.clusters) {
    if (clusters.includes(name)) cluster.server = url;
  }
  return stringify(config);
}
