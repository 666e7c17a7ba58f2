import { isObject, listAt, objectAt, type JsonObject } from '../merge/json.js';
import type { Kind } from '../schema/kinds.js';
import type { World } from '../world.js';
import { parseResourcePath, type ApiRequest } from './request.js';

type Column = readonly [name: string, type: string, value: (object: JsonObject) => unknown];

/** The kind whose objects a client wants as a `Table` (as `kubectl get` does), if it does. */
export function wantsTable(world: World, request: ApiRequest): Kind | undefined {
  if (request.method !== 'GET' || !/as=Table/.test(String(request.headers['accept'] ?? '')))
    return undefined;
  const path = parseResourcePath(request.path);
  return path === undefined
    ? undefined
    : world.kinds.byResource(path.group, path.version, path.resource);
}

/** An object or list as the rows `kubectl get` prints. */
export function tableOf(world: World, kind: Kind, body: JsonObject): JsonObject {
  const columns = columnsOf(world, kind);
  const items = Array.isArray(body['items']) ? (body['items'] as JsonObject[]) : [body];
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata:
      objectAt(body, 'metadata')['name'] === undefined
        ? objectAt(body, 'metadata')
        : { resourceVersion: objectAt(body, 'metadata')['resourceVersion'] },
    columnDefinitions: columns.map(([name, type]) => ({
      name,
      type,
      format: name === 'Name' ? 'name' : '',
      description: '',
      priority: 0,
    })),
    rows: items.map((object) => ({
      cells: columns.map(([, , value]) => value(object) ?? '<none>'),
      object,
    })),
  };
}

function columnsOf(world: World, kind: Kind): readonly Column[] {
  const age: Column = ['Age', 'string', (object) => ageOf(world, object)];
  const custom = (kind.custom?.columns ?? [])
    .filter((column) => column.type !== 'date')
    .map((column): Column => [
      column.name,
      column.type,
      (object) => at(object, column.jsonPath.replace(/^\./, '')),
    ]);
  return [
    ['Name', 'string', (object) => objectAt(object, 'metadata')['name']],
    ...(COLUMNS[kind.kind] ?? custom),
    age,
  ];
}

const ready = (have: string, want: string): Column => [
  'Ready',
  'string',
  (object) => `${Number(at(object, have) ?? 0)}/${Number(at(object, want) ?? 0)}`,
];
const number = (name: string, path: string): Column => [
  name,
  'integer',
  (object) => Number(at(object, path) ?? 0),
];
const text = (name: string, path: string): Column => [name, 'string', (object) => at(object, path)];

const COLUMNS: Readonly<Record<string, readonly Column[]>> = {
  Pod: [
    [
      'Ready',
      'string',
      (pod) =>
        `${statuses(pod).filter((each) => each['ready'] === true).length}/${listAt(pod, 'spec', 'containers').length}`,
    ],
    ['Status', 'string', podStatus],
    ['Restarts', 'string', () => '0'],
  ],
  Deployment: [
    ready('status.readyReplicas', 'spec.replicas'),
    number('Up-to-date', 'status.updatedReplicas'),
    number('Available', 'status.availableReplicas'),
  ],
  StatefulSet: [ready('status.readyReplicas', 'spec.replicas')],
  ReplicaSet: [
    number('Desired', 'spec.replicas'),
    number('Current', 'status.replicas'),
    number('Ready', 'status.readyReplicas'),
  ],
  DaemonSet: [
    number('Desired', 'status.desiredNumberScheduled'),
    number('Ready', 'status.numberReady'),
    number('Up-to-date', 'status.updatedNumberScheduled'),
  ],
  Job: [ready('status.succeeded', 'spec.completions')],
  Service: [
    text('Type', 'spec.type'),
    text('Cluster-IP', 'spec.clusterIP'),
    [
      'External-IP',
      'string',
      (service) => objectAt(listAt(service, 'status', 'loadBalancer', 'ingress')[0])['ip'],
    ],
    [
      'Port(s)',
      'string',
      (service) =>
        listAt(service, 'spec', 'ports')
          .map((port) => `${String(objectAt(port)['port'])}/${String(objectAt(port)['protocol'])}`)
          .join(','),
    ],
  ],
  Namespace: [text('Status', 'status.phase')],
  Node: [['Status', 'string', () => 'Ready'], text('Version', 'status.nodeInfo.kubeletVersion')],
  PersistentVolumeClaim: [text('Status', 'status.phase'), text('Volume', 'spec.volumeName')],
  ConfigMap: [['Data', 'integer', (object) => Object.keys(objectAt(object, 'data')).length]],
  Secret: [
    text('Type', 'type'),
    ['Data', 'integer', (object) => Object.keys(objectAt(object, 'data')).length],
  ],
};

function podStatus(pod: JsonObject): string {
  if (objectAt(pod, 'metadata')['deletionTimestamp'] !== undefined) return 'Terminating';
  const waiting = statuses(pod)
    .map((each) => objectAt(each, 'state', 'waiting')['reason'])
    .find((reason) => typeof reason === 'string');
  if (typeof waiting === 'string') return waiting;
  const phase = String(objectAt(pod, 'status')['phase'] ?? 'Pending');
  return phase === 'Succeeded' ? 'Completed' : phase;
}

function statuses(pod: JsonObject): readonly JsonObject[] {
  return listAt(pod, 'status', 'containerStatuses').filter(isObject);
}

function at(object: JsonObject, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, key) => (isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined),
      object,
    );
}

function ageOf(world: World, object: JsonObject): string {
  const created = Date.parse(String(objectAt(object, 'metadata')['creationTimestamp']));
  const seconds = Math.max(0, Math.floor((world.time.now().getTime() - created) / 1000));
  if (Number.isNaN(seconds)) return '<unknown>';
  if (seconds < 120) return `${seconds}s`;
  if (seconds < 7200) return `${Math.floor(seconds / 60)}m`;
  return seconds < 172_800 ? `${Math.floor(seconds / 3600)}h` : `${Math.floor(seconds / 86_400)}d`;
}
