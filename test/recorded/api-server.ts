import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { KubeObject } from '../../lib/engine/object.js';

interface Announcement {
  readonly adminToken: string;
  readonly clusters: readonly { readonly server: string; readonly kubeconfig: string }[];
}

/** One real API server with its controllers, spoken to in plain requests: nothing of ours stands between. */
export interface ApiServer {
  readonly send: (method: string, path: string, body?: object) => Promise<KubeObject>;
  /** Every state of the objects at `path`, in order, until `stop`. */
  readonly watch: (path: string, onState: (object: KubeObject) => void) => () => void;
  readonly close: () => Promise<void>;
}

/** Start the rig with one cluster; `close` it, since it serves until then. */
export async function startApiServer(): Promise<ApiServer> {
  const builder = join(__dirname, '../rig/build.mjs');
  const { build } = (await import(builder)) as { build: (parts: string[]) => Promise<string> };
  const folder = mkdtempSync(join(tmpdir(), 'fleetwright-record-'));
  const rig = spawn(join(await build(['rig']), 'rig'), ['-clusters', '1', '-dir', folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const gone = new Promise<void>((resolve) => rig.once('close', () => resolve()));
  const line = await new Promise<string>((resolve, reject) => {
    let out = '';
    rig.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString();
      if (out.includes('\n')) resolve(out.slice(0, out.indexOf('\n')));
    });
    rig.once('close', (code) => reject(new Error(`the rig stopped (${code})`)));
  });
  const { adminToken, clusters } = JSON.parse(line) as Announcement;
  const [cluster] = clusters;
  if (cluster === undefined) throw new Error('the rig has no cluster');
  const ca = caOf(cluster.kubeconfig);
  const headers = { authorization: `Bearer ${adminToken}` };
  return {
    send: (method, path, body) =>
      new Promise((resolve, reject) => {
        const type =
          method === 'PATCH' ? 'application/strategic-merge-patch+json' : 'application/json';
        const call = request(
          `${cluster.server}${path}`,
          { method, ca, headers: { ...headers, 'content-type': type } },
          (response) => {
            let text = '';
            response.on('data', (chunk: Buffer) => (text += chunk.toString()));
            response.on('end', () => {
              if ((response.statusCode ?? 500) < 300) resolve(JSON.parse(text) as KubeObject);
              else reject(new Error(`${method} ${path}: ${response.statusCode} ${text}`));
            });
          },
        );
        call.once('error', reject);
        call.end(body === undefined ? undefined : JSON.stringify(body));
      }),
    watch: (path, onState) => {
      const call = request(`${cluster.server}${path}`, { ca, headers }, (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => {
          const lines = (text + chunk.toString()).split('\n');
          text = lines.pop() ?? '';
          for (const each of lines) onState((JSON.parse(each) as { object: KubeObject }).object);
        });
      });
      call.once('error', () => undefined); // ended by `stop`
      call.end();
      return () => call.destroy();
    },
    close: async () => {
      rig.stdin.end();
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function caOf(kubeconfig: string): Buffer {
  const config = parse(readFileSync(kubeconfig, 'utf8')) as {
    clusters: {
      cluster: { 'certificate-authority-data'?: string; 'certificate-authority'?: string };
    }[];
  };
  const { cluster } = config.clusters[0] ?? {};
  const data = cluster?.['certificate-authority-data'];
  return data === undefined
    ? readFileSync(cluster?.['certificate-authority'] ?? '')
    : Buffer.from(data, 'base64');
}
