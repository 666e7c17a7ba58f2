import type { KubeObject } from '../../../lib/api/object.js';

/** One object before and after a change, and what of it may not change in place; empty: it may. */
export interface ImmutableCase {
  readonly name: string;
  readonly before: KubeObject;
  readonly after: KubeObject;
  readonly fields: readonly string[];
}

const POD = {
  containers: [{ name: 'main', image: 'nginx:1.29', env: [{ name: 'A', value: '1' }] }],
};
const pods = (labels: object, spec: object = POD): object => ({ metadata: { labels }, spec });

type Content = Readonly<Record<string, unknown>>;

/** Two states of one object of a kind; the name of the case says what changes. */
function aCase(
  apiVersion: string,
  kind: string,
  name: string,
  [before, after]: readonly [Content, Content],
  fields: readonly string[] = [],
): ImmutableCase {
  const object = (content: Content): KubeObject => ({
    apiVersion,
    kind,
    metadata: { name: name.replaceAll(/[^a-z0-9]+/g, '-') },
    ...content,
  });
  return { name: `${kind}: ${name}`, before: object(before), after: object(after), fields };
}

const deployment = (labels: object, more: object = {}): Content => ({
  spec: { replicas: 0, selector: { matchLabels: labels }, template: pods(labels), ...more },
});
const statefulSet = (more: object): Content => ({
  spec: {
    replicas: 0,
    serviceName: 'web',
    selector: { matchLabels: { app: 'a' } },
    template: pods({ app: 'a' }),
    volumeClaimTemplates: [aClaim('1Gi')],
    ...more,
  },
});
const aClaim = (storage: string): object => ({
  metadata: { name: 'data' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } },
});
const job = (spec: object, more: object = {}, template: object = {}): Content => ({
  spec: {
    suspend: true,
    template: { ...template, spec: { restartPolicy: 'Never', ...POD, ...spec } },
    ...more,
  },
});
const claim = (more: object): Content => ({
  spec: {
    accessModes: ['ReadWriteOnce'],
    storageClassName: 'slow',
    resources: { requests: { storage: '1Gi' } },
    ...more,
  },
});
const service = (spec: object): Content => ({
  spec: { selector: { app: 'a' }, ports: [{ port: 80 }], ...spec },
});
const binding = (name: string): Content => ({
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name },
  subjects: [{ kind: 'ServiceAccount', name: 'default', namespace: 'default' }],
});

/** Namespaced kinds, without their namespace. */
export const IMMUTABLE_CASES: readonly ImmutableCase[] = [
  aCase(
    'apps/v1',
    'Deployment',
    'other selector',
    [deployment({ app: 'a' }), deployment({ app: 'a', b: 'c' })],
    ['.spec.selector'],
  ),
  aCase('apps/v1', 'Deployment', 'other replicas', [
    deployment({ app: 'a' }),
    deployment({ app: 'a' }, { replicas: 1 }),
  ]),
  aCase('apps/v1', 'StatefulSet', 'other template', [
    statefulSet({}),
    statefulSet({ template: pods({ app: 'a', b: 'c' }) }),
  ]),
  aCase(
    'apps/v1',
    'StatefulSet',
    'other service',
    [statefulSet({}), statefulSet({ serviceName: 'db' })],
    ['.spec.serviceName'],
  ),
  aCase(
    'apps/v1',
    'StatefulSet',
    'larger claims',
    [statefulSet({}), statefulSet({ volumeClaimTemplates: [aClaim('2Gi')] })],
    ['.spec.volumeClaimTemplates[0].spec.resources.requests.storage'],
  ),
  aCase(
    'apps/v1',
    'StatefulSet',
    'no claims any more',
    [statefulSet({}), statefulSet({ volumeClaimTemplates: undefined })],
    ['.spec.volumeClaimTemplates'],
  ),
  aCase(
    'apps/v1',
    'DaemonSet',
    'other selector',
    [
      deployment({ app: 'a' }, { replicas: undefined }),
      deployment({ app: 'b' }, { replicas: undefined }),
    ],
    ['.spec.selector'],
  ),
  aCase(
    'batch/v1',
    'Job',
    'other image',
    [job({}), job({ containers: [{ ...POD.containers[0], image: 'nginx:1.30' }] })],
    ['.spec.template.spec.containers[main].image'],
  ),
  aCase(
    'batch/v1',
    'Job',
    'one variable less',
    [job({}), job({ containers: [{ name: 'main', image: 'nginx:1.29' }] })],
    ['.spec.template.spec.containers[main].env'],
  ),
  aCase('batch/v1', 'Job', 'other parallelism', [job({}), job({}, { parallelism: 2 })]),
  aCase('batch/v1', 'Job', 'other nodes before it starts', [
    job({}),
    job({ nodeSelector: { disk: 'ssd' } }, {}, { metadata: { labels: { b: 'c' } } }),
  ]),
  aCase(
    'batch/v1',
    'Job',
    'more completions',
    [job({}, { completions: 1 }), job({}, { completions: 3 })],
    ['.spec.completions'],
  ),
  aCase('v1', 'Service', 'other port', [service({}), service({ ports: [{ port: 81 }] })]),
  aCase(
    'v1',
    'Service',
    'to headless',
    [service({}), service({ clusterIP: 'None' })],
    ['.spec.clusterIP'],
  ),
  aCase(
    'v1',
    'PersistentVolumeClaim',
    'other class',
    [claim({}), claim({ storageClassName: 'fast' })],
    ['.spec.storageClassName'],
  ),
  aCase(
    'v1',
    'PersistentVolumeClaim',
    'other modes',
    [claim({}), claim({ accessModes: ['ReadWriteMany'] })],
    ['.spec.accessModes[0]'],
  ),
  aCase(
    'v1',
    'Secret',
    'sealed data',
    [
      { immutable: true, data: { a: 'YQ==' } },
      { immutable: true, data: { a: 'Yg==' } },
    ],
    ['.data'],
  ),
  aCase('v1', 'Secret', 'unsealed data', [{ data: { a: 'YQ==' } }, { data: { a: 'Yg==' } }]),
  aCase(
    'v1',
    'Secret',
    'other type',
    [
      { type: 'Opaque', data: {} },
      { type: 'example.io/b', data: {} },
    ],
    ['.type'],
  ),
  aCase(
    'v1',
    'ConfigMap',
    'one key less when sealed',
    [
      { immutable: true, data: { a: '1', b: '2' } },
      { immutable: true, data: { a: '1' } },
    ],
    ['.data'],
  ),
  aCase(
    'v1',
    'ConfigMap',
    'unsealing',
    [{ immutable: true, data: { a: '1' } }, { data: { a: '1' } }],
    ['.immutable'],
  ),
  aCase(
    'rbac.authorization.k8s.io/v1',
    'RoleBinding',
    'other role',
    [binding('a'), binding('b')],
    ['.roleRef'],
  ),
];
