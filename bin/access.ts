import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import type { Connect } from '../lib/providers/cluster/index.js';
import type { AccessFlags } from './options.js';
import type { World } from './world.js';

/** Clients for one command: one a cluster, opened when first asked for. */
export interface Access {
  readonly connect: Connect;
  /** Kubeconfig contexts of clusters whose name differs, as given. */
  readonly contexts: Readonly<Record<string, string>>;
  /** Closes what was opened. */
  close(): Promise<void>;
}

/** Clients by kubeconfig context: --kubeconfig, else $KUBECONFIG, else ~/.kube/config. Loads the client only now. */
async function openAccess(flags: AccessFlags, world: World): Promise<Access> {
  const { connectKubeconfig } = await import('../lib/providers/cluster/index.js');
  const contexts = contextsOf(flags);
  const open = connectKubeconfig({
    kubeconfig: { files: kubeconfigFiles(flags, world) },
    contexts,
    environment: world.env,
  });
  const clients = new Map<string, ReturnType<Connect>>();
  return {
    contexts,
    connect: (cluster) => {
      const known = clients.get(cluster) ?? open(cluster);
      clients.set(cluster, known);
      // A file that is not there yet may be there the next time.
      known.catch(() => clients.delete(cluster));
      return known;
    },
    close: async () => {
      const opened = await Promise.allSettled(clients.values());
      await Promise.all(
        opened.map((result) => (result.status === 'fulfilled' ? result.value.close() : undefined)),
      );
    },
  };
}

/** Does something with clients and closes them afterwards, whatever happens. */
export async function withClusters<T>(
  flags: AccessFlags,
  world: World,
  use: (access: Access) => Promise<T>,
): Promise<T> {
  const access = await openAccess(flags, world);
  try {
    return await use(access);
  } finally {
    await access.close();
  }
}

export function kubeconfigFiles(
  { kubeconfig }: AccessFlags,
  { cwd, env }: World,
): readonly string[] {
  if (kubeconfig !== undefined) return [resolve(cwd, kubeconfig)];
  const listed = (env['KUBECONFIG'] ?? '').split(delimiter).filter((path) => path !== '');
  return listed.length > 0 ? listed : [join(env['HOME'] ?? homedir(), '.kube', 'config')];
}

/** `--context-map eu-1=gke_project_eu` by cluster. */
export function contextsOf({ contextMap = [] }: AccessFlags): Record<string, string> {
  return Object.fromEntries(
    contextMap.map((entry) => {
      const at = entry.indexOf('=');
      if (at <= 0) throw new Error(`--context-map: expected CLUSTER=CONTEXT, found "${entry}"`);
      return [entry.slice(0, at), entry.slice(at + 1)];
    }),
  );
}
