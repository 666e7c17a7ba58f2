import { stringify } from 'yaml';

/** A kubeconfig as YAML text: one context per cluster, named like it; the first is current. */
export function kubeconfigOf(
  clusters: readonly { readonly name: string; readonly port: number; readonly token: string }[],
): string {
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': clusters[0]?.name ?? '',
    clusters: clusters.map(({ name, port }) => ({
      name,
      cluster: { server: `http://127.0.0.1:${port}` },
    })),
    users: clusters.map(({ name, token }) => ({ name, user: { token } })),
    contexts: clusters.map(({ name }) => ({ name, context: { cluster: name, user: name } })),
  });
}
