import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import type { Connect } from '../lib/providers/cluster/index.js';
import type { AccessFlags } from './options.js';
import type { World } from './world.js';

/** Clients by kubeconfig context: --kubeconfig, else $KUBECONFIG, else ~/.kube/config. Loads the client only now. */
export async function connectClusters(flags: AccessFlags, world: World): Promise<Connect> {
  const { connectKubeconfig } = await import('../lib/providers/cluster/index.js');
  return connectKubeconfig({
    kubeconfig: { files: kubeconfigFiles(flags, world) },
    contexts: contextsOf(flags),
    environment: world.env,
  });
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
