import fc from 'fast-check';
import { Agent, request } from 'undici';
import { parse } from 'yaml';

/** One write to an object that two servers get alike. */
export interface Step {
  readonly manager: string;
  readonly how: 'apply' | 'force' | 'status' | 'merge' | 'strategic' | 'create' | 'put';
  readonly body: object;
}

/** What a server answered, without what differs between any two servers. */
export interface Answer {
  readonly code: number;
  readonly body: unknown;
}

export interface Endpoint {
  send(method: string, path: string, contentType?: string, body?: unknown): Promise<Answer>;
  close(): Promise<void>;
}

/** A kubeconfig's first cluster over plain HTTP requests: what the client's seven verbs do not offer is sent here too. */
export function openEndpoint(kubeconfig: string): Endpoint {
  const config = parse(kubeconfig) as {
    clusters: { cluster: { server: string; 'certificate-authority-data': string } }[];
    users: { user: { token: string } }[];
  };
  const [{ cluster } = { cluster: undefined }] = config.clusters;
  const [{ user } = { user: undefined }] = config.users;
  const ca = Buffer.from(cluster?.['certificate-authority-data'] ?? '', 'base64').toString();
  const dispatcher = new Agent({ connect: { ca } });
  return {
    send: async (method, path, contentType, body) => {
      const response = await request(`${cluster?.server}${path}`, {
        dispatcher,
        method: method as 'GET',
        headers: {
          authorization: `Bearer ${user?.token}`,
          ...(contentType !== undefined && { 'content-type': contentType }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.body.text();
      return { code: response.statusCode, body: text.startsWith('{') ? JSON.parse(text) : text };
    },
    close: () => dispatcher.close(),
  };
}

const WAYS = {
  apply: { method: 'PATCH', type: 'application/apply-patch+yaml', whole: true },
  force: { method: 'PATCH', type: 'application/apply-patch+yaml', whole: true },
  status: { method: 'PATCH', type: 'application/apply-patch+yaml', whole: true },
  merge: { method: 'PATCH', type: 'application/merge-patch+json', whole: false },
  strategic: { method: 'PATCH', type: 'application/strategic-merge-patch+json', whole: false },
  create: { method: 'POST', type: 'application/json', whole: true },
  put: { method: 'PUT', type: 'application/json', whole: true },
} as const satisfies Record<Step['how'], object>;

/** Send a step; the answer comes without uids, times, addresses and what controllers wrote. */
export async function play(
  endpoint: Endpoint,
  path: string,
  identity: object,
  step: Step,
): Promise<Answer> {
  const { method, type, whole } = WAYS[step.how];
  const query = new URLSearchParams({ fieldManager: step.manager });
  if (step.how === 'force') query.set('force', 'true');
  const body = whole ? withIdentity(identity, step.body) : step.body;
  const collection = path.slice(0, path.lastIndexOf('/'));
  const at = { status: `${path}/status`, create: collection }[step.how as string] ?? path;
  const answer = await endpoint.send(method, `${at}?${query}`, type, body);
  return { code: answer.code, body: comparable(withoutUid(answer.body)) };
}

/** Jobs carry their own uid in labels. */
function withoutUid(body: unknown): unknown {
  const uid = isRecord(body) && isRecord(body['metadata']) ? body['metadata']['uid'] : undefined;
  return typeof uid === 'string'
    ? (JSON.parse(JSON.stringify(body).replaceAll(uid, 'UID')) as unknown)
    : body;
}

/** The parts of an answer that depend on the writes alone. */
export function comparable(body: unknown): unknown {
  if (!isRecord(body)) return body;
  if (body['kind'] === 'Status') return statusOf(body);
  const { status, ...rest } = body;
  const metadata = body['metadata'] as Record<string, unknown>;
  const {
    uid: _,
    resourceVersion: __,
    creationTimestamp: ___,
    managedFields,
    annotations,
    ...kept
  } = metadata;
  const spec = isRecord(rest['spec']) ? { ...rest['spec'] } : rest['spec'];
  if (isRecord(spec)) {
    for (const key of ['clusterIP', 'clusterIPs']) delete spec[key];
    if (Array.isArray(spec['ports'])) {
      spec['ports'] = spec['ports'].map((port: object) => ({ ...port, nodePort: undefined }));
    }
  }
  const notes = Object.entries((annotations ?? {}) as object).filter(
    ([key]) => !key.startsWith('deployment.kubernetes.io/'),
  );
  const isOurs = (body['apiVersion'] as string).includes('example.com');
  return sortKeys({
    ...rest,
    ...(spec !== undefined && { spec }),
    ...(isOurs && { status }),
    metadata: {
      ...kept,
      ...(notes.length > 0 && { annotations: Object.fromEntries(notes) }),
      managedFields: ((managedFields ?? []) as Record<string, unknown>[])
        .filter((entry) => String(entry['manager']).startsWith('m-'))
        .map(({ time: _time, ...entry }) => entry)
        .sort((a, b) =>
          JSON.stringify([a['operation'], a['manager'], a['subresource']]) <
          JSON.stringify([b['operation'], b['manager'], b['subresource']])
            ? -1
            : 1,
        ),
    },
  });
}

function statusOf(body: Record<string, unknown>): unknown {
  const details = body['details'] as
    { causes?: { field?: string; message?: string; reason?: string }[] } | undefined;
  const causes = [...(details?.causes ?? [])]
    .map(({ reason, field: path, message }) => [reason, path, message].join(' | '))
    .sort();
  return { code: body['code'], reason: body['reason'], message: body['message'], causes };
}

function withIdentity(identity: object, body: object): object {
  const { metadata, ...rest } = body as { metadata?: object };
  const { metadata: name, ...type } = identity as { metadata: object };
  return { ...type, ...rest, metadata: { ...metadata, ...name } };
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isRecord(value)) return value;
  const keys = Object.keys(value)
    .filter((key) => value[key] !== undefined)
    .sort();
  return Object.fromEntries(keys.map((key) => [key, sortKeys(value[key])]));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Often absent, so that managers let go of fields again. */
const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(value, { nil: undefined });
const record = (fields: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<object> =>
  fc.record(fields).map((value) => JSON.parse(JSON.stringify(value)) as object);
const few = (prefix: string): fc.Arbitrary<string> =>
  fc.constantFrom(...[1, 2, 3].map((n) => `${prefix}${n}`));
const texts = fc.dictionary(few('k'), few('v'), { maxKeys: 3 });
const listOf = (
  item: fc.Arbitrary<object>,
  key: (item: object) => unknown,
): fc.Arbitrary<object[]> =>
  fc.uniqueArray(item, { selector: (each) => JSON.stringify(key(each)), maxLength: 3 });
const field =
  (...names: readonly string[]) =>
  (item: object): unknown =>
    names.map((name) => (item as Record<string, unknown>)[name] ?? 'TCP');

const container = record({
  name: few('c'),
  image: fc.constantFrom('nginx:1', 'nginx:2', 'nginx'),
  args: maybe(fc.array(few('a'), { minLength: 1, maxLength: 2 })),
  env: maybe(listOf(record({ name: few('E'), value: maybe(few('v')) }), field('name'))),
  ports: maybe(
    listOf(
      record({
        containerPort: fc.constantFrom(80, 81),
        protocol: maybe(fc.constantFrom('TCP', 'UDP')),
        name: fc.constant(undefined),
      }),
      field('containerPort', 'protocol'),
    ),
  ),
  resources: maybe(
    record({
      requests: maybe(
        record({
          cpu: maybe(fc.constantFrom('1', '1000m', '0.5', '500m')),
          memory: maybe(fc.constantFrom('1Gi', '1024Mi')),
        }),
      ),
    }),
  ),
  readinessProbe: maybe(
    record({
      httpGet: record({ port: fc.constantFrom(80, 'http') }),
      periodSeconds: maybe(fc.constantFrom(5, 10)),
    }),
  ),
});

const metadata = record({
  labels: maybe(texts),
  annotations: maybe(texts),
  finalizers: maybe(
    fc.uniqueArray(fc.constantFrom('example.com/a', 'example.com/b'), { maxLength: 2 }),
  ),
});

const deployment = record({
  metadata: maybe(metadata),
  spec: record({
    paused: fc.constant(true),
    replicas: maybe(fc.constantFrom(0, 1, 2)),
    minReadySeconds: maybe(fc.constantFrom(0, 5)),
    strategy: maybe(
      fc.constantFrom(
        { type: 'Recreate' },
        { rollingUpdate: { maxSurge: 1 } },
        { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '50%' } },
      ),
    ),
    selector: fc.constant({ matchLabels: { app: 'x' } }),
    template: record({
      metadata: fc
        .dictionary(few('l'), few('v'), { maxKeys: 2 })
        .map((labels) => ({ labels: { ...labels, app: 'x' } })),
      spec: record({
        containers: listOf(container, field('name')).filter((list) => list.length > 0),
        nodeSelector: maybe(texts),
        tolerations: maybe(
          fc.array(record({ key: few('t'), operator: fc.constant('Exists') }), { maxLength: 2 }),
        ),
        volumes: maybe(
          listOf(record({ name: few('v'), emptyDir: fc.constant({}) }), field('name')),
        ),
        imagePullSecrets: maybe(listOf(record({ name: few('s') }), field('name'))),
        terminationGracePeriodSeconds: maybe(fc.constantFrom(5, 30)),
        serviceAccountName: maybe(fc.constantFrom('a', 'b')),
      }),
    }),
  }),
});

const service = record({
  metadata: maybe(metadata),
  spec: record({
    selector: maybe(texts),
    type: maybe(fc.constantFrom('ClusterIP', 'LoadBalancer')),
    ports: listOf(
      record({
        name: few('p'),
        port: fc.constantFrom(80, 81),
        protocol: maybe(fc.constantFrom('TCP', 'UDP')),
        targetPort: maybe(fc.constantFrom(8080, 'http')),
      }),
      field('name'),
    ).filter(
      (list) =>
        list.length > 0 &&
        new Set(list.map((each) => JSON.stringify(field('port', 'protocol')(each)))).size ===
          list.length,
    ),
    sessionAffinity: maybe(fc.constantFrom('None', 'ClientIP')),
  }),
});

const configMap = record({ metadata: maybe(metadata), data: maybe(texts) });

const widget = record({
  metadata: maybe(metadata),
  status: maybe(record({ phase: maybe(few('s')), parts: maybe(texts) })),
  spec: record({
    size: fc.constantFrom(1, 2),
    color: maybe(fc.constantFrom('red', 'grey')),
    parts: maybe(
      listOf(record({ name: few('p'), weight: maybe(fc.constantFrom(1, 2)) }), field('name')),
    ),
    tags: maybe(fc.array(few('t'), { maxLength: 2 })),
  }),
});

/** Strategic merges of ports are left out: they make duplicates, about which Kubernetes' own checks differ by kind. */
const BUILTIN_WAYS = ['merge', 'create', 'put'] as const;

/** Kinds the comparison writes, with the configurations of their managers. */
export const SUBJECTS = {
  ConfigMap: {
    apiVersion: 'v1',
    resource: 'configmaps',
    body: configMap,
    others: [...BUILTIN_WAYS, 'strategic'],
  },
  Service: { apiVersion: 'v1', resource: 'services', body: service, others: BUILTIN_WAYS },
  Deployment: {
    apiVersion: 'apps/v1',
    resource: 'deployments',
    body: deployment,
    others: BUILTIN_WAYS,
  },
  Widget: {
    apiVersion: undefined,
    resource: 'widgets',
    body: widget,
    others: ['merge', 'create', 'status'],
  },
} as const;

/** Sequences of writes by three managers: most of them applies, some with force, some by other ways. */
export function steps(
  subject: (typeof SUBJECTS)[keyof typeof SUBJECTS],
): fc.Arbitrary<readonly Step[]> {
  const how = fc.oneof(
    { weight: 5, arbitrary: fc.constant('apply' as const) },
    { weight: 2, arbitrary: fc.constant('force' as const) },
    { weight: 3, arbitrary: fc.constantFrom(...subject.others) },
  );
  const step = fc.record({
    manager: fc.constantFrom('m-1', 'm-2', 'm-3'),
    how,
    body: subject.body,
  });
  return fc.array(step, { minLength: 2, maxLength: 6 });
}
