import { stringify } from 'yaml';

/** A kubeconfig as YAML text: one context per cluster, named like it; the first is current. */
export function kubeconfigOf(
  clusters: readonly { readonly name: string; readonly port: number; readonly token: string }[],
  certificate: string,
): string {
  const authority = Buffer.from(certificate).toString('base64');
  return stringify(
    {
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': clusters[0]?.name ?? '',
      clusters: clusters.map(({ name, port }) => ({
        name,
        cluster: { server: `https://127.0.0.1:${port}`, 'certificate-authority-data': authority },
      })),
      users: clusters.map(({ name, token }) => ({ name, user: { token } })),
      contexts: clusters.map(({ name }) => ({ name, context: { cluster: name, user: name } })),
    },
    { lineWidth: 0 },
  );
}
