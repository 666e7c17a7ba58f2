import { equalJson, listAt, objectAt, type JsonObject } from '../merge/json.js';
import type { World } from '../world.js';
import { itemsOf } from './pod-defaults.js';

/** A Service that changes its type loses the fields that only the old type has, unless they were changed along. */
export function dropTypeFields(spec: JsonObject, before: JsonObject): void {
  const exposes = (each: JsonObject): boolean =>
    each['type'] === 'NodePort' || each['type'] === 'LoadBalancer';
  const drop = (field: string): void => {
    if (equalJson(spec[field], before[field])) delete spec[field];
  };
  if (exposes(before) && !exposes(spec)) {
    drop('externalTrafficPolicy');
    const old = new Set(itemsOf(before, 'ports').map((port) => port['nodePort']));
    spec['ports'] = itemsOf(spec, 'ports').map(({ nodePort, ...port }) =>
      nodePort === undefined || old.has(nodePort) ? port : { ...port, nodePort },
    );
  }
  if (before['type'] === 'LoadBalancer' && spec['type'] !== 'LoadBalancer') {
    for (const field of [
      'allocateLoadBalancerNodePorts',
      'loadBalancerClass',
      'healthCheckNodePort',
    ])
      drop(field);
  }
}

/** Cluster IP and node ports: kept from the live object, else the first free ones of the cluster's range. */
export function setAddresses(world: World, spec: JsonObject, live: JsonObject | undefined): void {
  const type = spec['type'];
  if (type === 'ExternalName') return;
  const before = objectAt(live, 'spec');
  if (spec['clusterIP'] === undefined || spec['clusterIP'] === '') {
    spec['clusterIP'] = before['clusterIP'] ?? freeClusterIp(world);
  }
  spec['clusterIPs'] ??= [spec['clusterIP']];
  if (spec['selector'] !== undefined || spec['clusterIP'] !== 'None') {
    spec['ipFamilies'] ??= before['ipFamilies'] ?? ['IPv4'];
    spec['ipFamilyPolicy'] ??= before['ipFamilyPolicy'] ?? 'SingleStack';
  }
  if (type !== 'NodePort' && type !== 'LoadBalancer') return;
  const used = usedNodePorts(world);
  const old = new Map(
    itemsOf(before, 'ports').map((port) => [
      `${String(port['port'])}/${String(port['protocol'])}`,
      port['nodePort'],
    ]),
  );
  spec['ports'] = itemsOf(spec, 'ports').map((port) => {
    const kept = port['nodePort'] ?? old.get(`${String(port['port'])}/${String(port['protocol'])}`);
    const nodePort = kept ?? firstFree(30000, used);
    used.add(Number(nodePort));
    return { ...port, nodePort };
  });
}

function freeClusterIp(world: World): string {
  const used = new Set(
    world.store
      .list({ group: '', resource: 'services' })
      .map((service) => objectAt(service, 'spec')['clusterIP']),
  );
  for (let n = 10; n < 65000; n++) {
    const address = `10.${96 + (world.index % 100)}.${Math.floor(n / 250)}.${(n % 250) + 1}`;
    if (!used.has(address)) return address;
  }
  return 'None';
}

function usedNodePorts(world: World): Set<number> {
  const services = world.store.list({ group: '', resource: 'services' });
  return new Set(
    services
      .flatMap((service) => listAt(service, 'spec', 'ports'))
      .map((port) => Number(objectAt(port)['nodePort'])),
  );
}

function firstFree(from: number, used: ReadonlySet<number>): number {
  let port = from;
  while (used.has(port)) port++;
  return port;
}
