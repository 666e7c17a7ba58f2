import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { KubeObject } from '../../../lib/api/object.js';
import { selfSigned } from '../../../lib/providers/sandbox/certificate.js';

/** An admission webhook that says yes to everything, on this machine; first it is not up. */
export interface AWebhook {
  /** To be applied: asks the webhook about ConfigMaps of one namespace, and refuses them when it does not answer. */
  readonly configuration: KubeObject;
  /** How often it was asked. */
  readonly asked: () => number;
  start(): Promise<void>;
  close(): Promise<void>;
}

interface Review {
  readonly request: { readonly uid: string };
}

export async function aWebhook(name: string, namespace: string): Promise<AWebhook> {
  const certificate = selfSigned();
  let asked = 0;
  const server = createServer(certificate, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      asked += 1;
      const review = JSON.parse(Buffer.concat(chunks).toString()) as Review;
      const { uid } = review.request;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ ...review, response: { uid, allowed: true } }));
    });
  });
  const listen = (port: number): Promise<number> =>
    new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
    });
  const close = (): Promise<void> => new Promise((resolve) => server.close(() => resolve()));
  // A port that is free, and that nobody listens on until `start`.
  const port = await listen(0);
  await close();
  return {
    configuration: {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name },
      webhooks: [
        {
          name: 'configmaps.example.io',
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
          failurePolicy: 'Fail',
          timeoutSeconds: 2,
          clientConfig: {
            url: `https://127.0.0.1:${port}/`,
            caBundle: Buffer.from(certificate.cert).toString('base64'),
          },
          namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
          rules: [
            { apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] },
          ],
        },
      ],
    },
    asked: () => asked,
    start: async () => void (await listen(port)),
    close: async () => {
      server.closeAllConnections();
      await close();
    },
  };
}
