/** One object of each built-in kind, with little in it, so that most of the answer is what the server adds. */
const pod = {
  initContainers: [{ name: 'init', image: 'a' }],
  containers: [
    {
      name: 'a',
      image: 'a:1',
      env: [{ name: 'NODE', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } }],
      ports: [{ containerPort: 80 }],
      livenessProbe: { httpGet: { port: 80 } },
      readinessProbe: { tcpSocket: { port: 80 }, initialDelaySeconds: 0 },
      startupProbe: { grpc: { port: 80 } },
      lifecycle: { preStop: { httpGet: { port: 80 } } },
      resources: { limits: { cpu: '1500m', memory: '2048Mi' } },
      volumeMounts: [{ name: 'config', mountPath: '/config', readOnly: false }],
    },
  ],
  volumes: [
    { name: 'config', configMap: { name: 'c' } },
    { name: 'secret', secret: { secretName: 's' } },
    { name: 'host', hostPath: { path: '/tmp' } },
    {
      name: 'all',
      projected: {
        sources: [
          { serviceAccountToken: { path: 't' } },
          { downwardAPI: { items: [{ path: 'n', fieldRef: { fieldPath: 'metadata.name' } }] } },
        ],
      },
    },
  ],
};
const template = { metadata: { labels: { app: 'x' } }, spec: pod };
const selector = { matchLabels: { app: 'x' } };
const once = { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a:1' }] } };

/** apiVersion, plural, kind and what follows the metadata. */
export const SAMPLES: readonly (readonly [
  apiVersion: string,
  resource: string,
  kind: string,
  body: object,
])[] = [
  ['v1', 'secrets', 'Secret', { stringData: { user: 'ann' }, data: { more: 'YQ==' } }],
  ['v1', 'serviceaccounts', 'ServiceAccount', {}],
  [
    'v1',
    'persistentvolumeclaims',
    'PersistentVolumeClaim',
    {
      spec: {
        accessModes: ['ReadWriteOnce'],
        storageClassName: 'none',
        resources: { requests: { storage: '1024Mi' } },
      },
    },
  ],
  [
    'v1',
    'services',
    'Service',
    { spec: { clusterIP: 'None', selector: { app: 'x' }, ports: [{ port: 80 }] } },
  ],
  ['v1', 'services', 'Service', { spec: { type: 'ExternalName', externalName: 'example.com' } }],
  ['v1', 'services', 'Service', { spec: { type: 'NodePort', ports: [{ port: 80 }] } }],
  [
    'v1',
    'resourcequotas',
    'ResourceQuota',
    { spec: { hard: { pods: '10', 'requests.cpu': '1000m' } } },
  ],
  [
    'apps/v1',
    'deployments',
    'Deployment',
    { spec: { replicas: 0, paused: true, selector, template } },
  ],
  [
    'apps/v1',
    'statefulsets',
    'StatefulSet',
    {
      spec: {
        replicas: 0,
        serviceName: 'x',
        selector,
        template,
        volumeClaimTemplates: [
          {
            metadata: { name: 'data' },
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
          },
        ],
      },
    },
  ],
  [
    'apps/v1',
    'daemonsets',
    'DaemonSet',
    {
      spec: { selector, template: { ...template, spec: { ...pod, nodeSelector: { no: 'node' } } } },
    },
  ],
  ['apps/v1', 'replicasets', 'ReplicaSet', { spec: { replicas: 0, selector, template } }],
  ['batch/v1', 'jobs', 'Job', { spec: { suspend: true, template: once } }],
  [
    'batch/v1',
    'cronjobs',
    'CronJob',
    { spec: { schedule: '0 0 1 1 *', suspend: true, jobTemplate: { spec: { template: once } } } },
  ],
  [
    'networking.k8s.io/v1',
    'ingresses',
    'Ingress',
    {
      spec: {
        rules: [
          {
            host: 'a.example.com',
            http: {
              paths: [
                {
                  path: '/',
                  pathType: 'Prefix',
                  backend: { service: { name: 'a', port: { number: 80 } } },
                },
              ],
            },
          },
        ],
      },
    },
  ],
  [
    'networking.k8s.io/v1',
    'networkpolicies',
    'NetworkPolicy',
    { spec: { podSelector: {}, ingress: [{ ports: [{ port: 80 }] }], egress: [{}] } },
  ],
  [
    'policy/v1',
    'poddisruptionbudgets',
    'PodDisruptionBudget',
    { spec: { minAvailable: 1, selector } },
  ],
  [
    'autoscaling/v2',
    'horizontalpodautoscalers',
    'HorizontalPodAutoscaler',
    {
      spec: {
        maxReplicas: 3,
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'x' },
      },
    },
  ],
  [
    'rbac.authorization.k8s.io/v1',
    'roles',
    'Role',
    { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] },
  ],
  [
    'rbac.authorization.k8s.io/v1',
    'rolebindings',
    'RoleBinding',
    {
      roleRef: { kind: 'Role', name: 'x' },
      subjects: [
        { kind: 'User', name: 'ann' },
        { kind: 'ServiceAccount', name: 'a', namespace: 'b' },
      ],
    },
  ],
  ['coordination.k8s.io/v1', 'leases', 'Lease', { spec: { holderIdentity: 'a' } }],
  [
    'discovery.k8s.io/v1',
    'endpointslices',
    'EndpointSlice',
    { addressType: 'IPv4', endpoints: [{ addresses: ['10.0.0.1'] }], ports: [{ port: 80 }] },
  ],
];
