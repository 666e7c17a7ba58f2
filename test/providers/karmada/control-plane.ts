import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { KubeObject } from '../../../lib/api/object.js';
import { refOf } from '../../../lib/engine/object.js';
import { readiness } from '../../../lib/engine/rollout/index.js';
import { connectKubeconfig, type ClusterClient } from '../../../lib/providers/cluster/index.js';
import { STEADY_CLOCK } from '../../../lib/providers/rollout/index.js';
import { startSandbox, type SandboxCluster } from '../../../lib/providers/sandbox/index.js';
import { FakeKarmada, type FakeOptions } from './fake-karmada.js';

const CRDS = join(__dirname, '../../fixtures/crds');
const DEFINITIONS = [
  'policy/policy.karmada.io_propagationpolicies.yaml',
  'policy/policy.karmada.io_clusterpropagationpolicies.yaml',
  'policy/policy.karmada.io_overridepolicies.yaml',
  'work/work.karmada.io_resourcebindings.yaml',
  'work/work.karmada.io_clusterresourcebindings.yaml',
  'work/work.karmada.io_works.yaml',
];

export interface ControlPlane {
  readonly client: ClusterClient;
  readonly fake: FakeKarmada;
  readonly kubeconfig: string;
  /** What can be done to its API server. */
  readonly server: SandboxCluster;
  /** Writes by field manager, as the server logged them: `fleetwright-rollout propagationpolicies/web`. */
  writes(): readonly string[];
  /** Serve one more of Karmada's kinds. */
  serve(definition: string): Promise<void>;
  close(): Promise<void>;
}

/** A simulated API server with Karmada's CRDs, and a fake of its controllers at work on it. */
export async function aControlPlane(
  options: Partial<FakeOptions> = {},
  clusters: readonly string[] = ['member1', 'member2', 'member3'],
): Promise<ControlPlane> {
  const sandbox = await startSandbox({ clusters: [{ name: 'karmada' }] });
  const connect = connectKubeconfig({
    kubeconfig: { text: sandbox.kubeconfig },
    deadlineMs: 5_000,
  });
  const client = await connect('karmada');
  await installKarmada(client, ['shop'], clusters);
  const { server, token, requests } = sandbox.cluster('karmada');
  const fake = new FakeKarmada(client, { server, token, ...options });
  fake.start();
  return {
    client,
    fake,
    kubeconfig: sandbox.kubeconfig,
    server: sandbox.cluster('karmada'),
    writes: () =>
      requests
        .filter(({ method, query }) => method !== 'GET' && !query.includes('dryRun'))
        .flatMap(({ method, path, query }) => {
          const manager = new URLSearchParams(query).get('fieldManager') ?? '';
          if (!manager.startsWith('fleetwright') && method !== 'DELETE') return [];
          if (/customresourcedefinitions|namespaces\/[^/]+$|resourcebindings|works/.test(path))
            return [];
          return [
            `${method === 'DELETE' ? 'delete' : manager} ${path.split('/').slice(-2).join('/')}`,
          ];
        }),
    serve: async (file) => {
      await define(client, [file]);
    },
    close: async () => {
      await fake.stop();
      await client.close();
      await sandbox.close();
    },
  };
}

/** Karmada's definitions, and the namespaces that its control plane would have. */
export async function installKarmada(
  client: ClusterClient,
  namespaces: readonly string[],
  clusters: readonly string[],
): Promise<void> {
  await define(client, DEFINITIONS);
  for (const name of [...namespaces, ...clusters.map((cluster) => `karmada-es-${cluster}`)])
    await client.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
}

/** Servers establish definitions a moment after they take them; a control plane that runs has done so long ago. */
async function define(client: ClusterClient, files: readonly string[]): Promise<void> {
  const definitions = files.map(definition);
  for (const one of definitions) await client.apply(one, { force: true });
  for (const one of definitions) {
    const isServed = async (): Promise<boolean> => {
      const live = await client.get(refOf(one));
      return live !== undefined && readiness(live).ready;
    };
    while (!(await isServed())) await STEADY_CLOCK.sleep(10);
  }
  await client.discover({ refresh: true });
}

/** Without conversion, which needs a webhook, and with the stored version only. */
function definition(file: string): KubeObject {
  const crd = parse(readFileSync(join(CRDS, file), 'utf8')) as KubeObject;
  const { conversion: _conversion, ...spec } = crd['spec'] as {
    conversion?: unknown;
    versions: readonly { storage: boolean }[];
  };
  const versions = spec.versions.filter(({ storage }) => storage);
  return { ...crd, spec: { ...spec, versions } };
}
