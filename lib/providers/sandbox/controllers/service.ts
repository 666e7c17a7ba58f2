import { objectAt, listAt, type JsonObject } from '../merge/json.js';
import { itemsOf } from '../schema/pod-defaults.js';
import { storageKey } from '../schema/kinds.js';
import {
  isDeleted,
  keyOf,
  ownerReference,
  ownKey,
  type Controller,
  type Key,
  type Reach,
} from './controller.js';
import { isPodReady } from './pod.js';

const PODS = storageKey({ group: '', resource: 'pods' });

/** Gives Services and Ingresses of a cluster their outside address. */
export function loadBalancerController(kindName: 'Service' | 'Ingress'): Controller {
  const [apiVersion, group, resource] =
    kindName === 'Service'
      ? (['v1', '', 'services'] as const)
      : (['networking.k8s.io/v1', 'networking.k8s.io', 'ingresses'] as const);
  return {
    name: `cloud-controller-manager/${kindName}`,
    concerns: (event) => ownKey(event, group, resource),
    reconcile: (key, reach) => {
      const kind = reach.kind(apiVersion, kindName);
      const object = reach.get(kind, key);
      if (object === undefined || isDeleted(object)) return;
      const wants = kindName === 'Ingress' || objectAt(object, 'spec')['type'] === 'LoadBalancer';
      const has = listAt(object, 'status', 'loadBalancer', 'ingress').length > 0;
      if (wants === has) return;
      const mode = kindName === 'Service' ? { ipMode: 'VIP' } : {};
      reach.setStatus(kind, object, {
        loadBalancer: wants ? { ingress: [{ ip: freeAddress(reach), ...mode }] } : {},
      });
    },
  };
}

/** Lists the pods behind each Service in one EndpointSlice. */
export function endpointController(): Controller {
  return {
    name: 'endpointslice',
    concerns: (event, reach) => {
      if (event.storage !== PODS) return ownKey(event, '', 'services');
      const { namespace } = keyOf(event.object);
      const services = reach.world.store.list(reach.kind('v1', 'Service'), namespace);
      return services.filter((service) => selects(service, event.object)).map(keyOf);
    },
    reconcile: reconcileEndpoints,
  };
}

function reconcileEndpoints(key: Key, reach: Reach): undefined {
  const service = reach.get(reach.kind('v1', 'Service'), key);
  const selector = objectAt(service, 'spec')['selector'];
  if (service === undefined || isDeleted(service) || selector === undefined) return undefined;
  const kind = reach.kind('discovery.k8s.io/v1', 'EndpointSlice');
  const pods = reach.world.store
    .list(reach.kind('v1', 'Pod'), key.namespace)
    .filter((pod) => selects(service, pod) && objectAt(pod, 'status')['podIP'] !== undefined);
  const [first] = pods;
  const slice: JsonObject = {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      name: `${key.name}-sandbox`,
      namespace: key.namespace,
      labels: {
        'kubernetes.io/service-name': key.name,
        'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
      },
      ownerReferences: [ownerReference(service)],
    },
    addressType: 'IPv4',
    endpoints: pods.map((pod) => endpointOf(pod)),
    ports: itemsOf(objectAt(service, 'spec'), 'ports').map((port) => ({
      name: port['name'] ?? '',
      protocol: port['protocol'],
      port: numberOf(port['targetPort'], first) ?? port['port'],
    })),
  };
  const live = reach.get(kind, { namespace: key.namespace, name: `${key.name}-sandbox` });
  if (live === undefined) reach.create(kind, slice);
  else
    reach.update(kind, live, {
      ...slice,
      metadata: { ...objectAt(live, 'metadata'), labels: objectAt(slice, 'metadata', 'labels') },
    });
  return undefined;
}

function endpointOf(pod: JsonObject): JsonObject {
  const { name, namespace, uid } = objectAt(pod, 'metadata');
  const ready = isPodReady(pod);
  return {
    addresses: [objectAt(pod, 'status')['podIP']],
    conditions: { ready, serving: ready, terminating: isDeleted(pod) },
    nodeName: objectAt(pod, 'spec')['nodeName'],
    targetRef: { kind: 'Pod', name, namespace, uid },
  };
}

/** A target port by number, or by the name of a container's port. */
function numberOf(target: unknown, pod: JsonObject | undefined): unknown {
  if (typeof target === 'number') return target;
  const ports = itemsOf(objectAt(pod, 'spec'), 'containers').flatMap((container) =>
    itemsOf(container, 'ports'),
  );
  return ports.find((port) => port['name'] === target)?.['containerPort'];
}

function selects(service: JsonObject, pod: JsonObject): boolean {
  const selector = Object.entries(objectAt(service, 'spec', 'selector'));
  const labels = objectAt(pod, 'metadata', 'labels');
  return selector.length > 0 && selector.every(([key, value]) => labels[key] === value);
}

/** Addresses for documentation (RFC 5737), one block per cluster as far as they go. */
function freeAddress(reach: Reach): string {
  const { store, index } = reach.world;
  const objects = [
    ...store.list({ group: '', resource: 'services' }),
    ...store.list({ group: 'networking.k8s.io', resource: 'ingresses' }),
  ];
  const used = new Set(
    objects
      .flatMap((object) => listAt(object, 'status', 'loadBalancer', 'ingress'))
      .map((each) => objectAt(each)['ip']),
  );
  const block = ['192.0.2', '198.51.100', '203.0.113'][index % 3] ?? '192.0.2';
  for (let n = 10 + Math.floor(index / 3); n < 255; n++)
    if (!used.has(`${block}.${n}`)) return `${block}.${n}`;
  return `${block}.254`;
}
