import type { KubeObject } from '../../api/object.js';
import { fieldAt } from '../../engine/interpret/field.js';
import { OBJECT_HINTS } from '../../engine/rollout/index.js';
import { ProviderError, type ClusterClient } from '../cluster/client.js';

const CLASS = { apiVersion: 'networking.k8s.io/v1', kind: 'IngressClass' } as const;
const IS_DEFAULT = 'ingressclass.kubernetes.io/is-default-class';
const OLD_CLASS = 'kubernetes.io/ingress.class';

/**
 * Why an Ingress or a Service of type LoadBalancer may have no address, and what to do where it never gets one; `undefined`
 * for all other kinds. Looks for the classes of the cluster; not being allowed to is no failure.
 */
export async function whyNoAddress(
  client: ClusterClient,
  object: KubeObject,
): Promise<string | undefined> {
  const isIngress = object.kind === 'Ingress' && object.apiVersion.startsWith('networking.k8s.io/');
  const isBalanced =
    object.kind === 'Service' && fieldAt(object, 'spec', 'type') === 'LoadBalancer';
  if (!isIngress && !isBalanced) return undefined;
  const why = isIngress
    ? await whyNotServed(client, object)
    : 'nothing on this cluster gives addresses to load balancers, or not to this one';
  return `${why}; where it gets none on purpose, annotate it ${OBJECT_HINTS.readiness}: ignore`;
}

async function whyNotServed(client: ClusterClient, ingress: KubeObject): Promise<string> {
  const named = fieldAt(ingress, 'spec', 'ingressClassName');
  const old = ingress.metadata.annotations?.[OLD_CLASS];
  const classes = await ingressClasses(client);
  if (classes === undefined || (named === undefined && old !== undefined))
    return `no controller has answered for class ${JSON.stringify(named ?? old ?? 'default')}`;
  if (typeof named !== 'string')
    return classes.some(({ metadata }) => metadata.annotations?.[IS_DEFAULT] === 'true')
      ? 'the controller of the default IngressClass has not answered'
      : 'it names no class, and the cluster has no default IngressClass';
  return classes.some(({ metadata }) => metadata.name === named)
    ? `the controller of IngressClass "${named}" has not answered`
    : `the cluster has no IngressClass "${named}"`;
}

async function ingressClasses(client: ClusterClient): Promise<readonly KubeObject[] | undefined> {
  try {
    return await client.list(CLASS);
  } catch (error) {
    if (ProviderError.is(error)) return undefined;
    throw error;
  }
}
