/** Documents that Karmada's schema takes and its admission refuses, one per rule. */

type Spec = Readonly<Record<string, unknown>>;

export interface AdmissionCase {
  readonly name: string;
  readonly document: Readonly<Record<string, unknown>>;
  /** Paths of all findings, as people write them, in order. */
  readonly found: readonly string[];
}

const SELECTORS = [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }];
const TARGET = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };

function document(apiVersion: string, kind: string, body: object, metadata: object = {}): Spec {
  return { apiVersion, kind, metadata: { name: 'web', namespace: 'shop', ...metadata }, ...body };
}

function policy(spec: Spec): Spec {
  return document('policy.karmada.io/v1alpha1', 'PropagationPolicy', {
    spec: { resourceSelectors: SELECTORS, ...spec },
  });
}

function placement(value: Spec): Spec {
  return policy({ placement: value });
}

function override(spec: Spec): Spec {
  return document('policy.karmada.io/v1alpha1', 'OverridePolicy', { spec });
}

function overriders(value: Spec): Spec {
  return override({ overrideRules: [{ overriders: value }] });
}

function autoscaler(spec: Spec): Spec {
  return document('autoscaling.karmada.io/v1alpha1', 'FederatedHPA', {
    spec: { scaleTargetRef: TARGET, maxReplicas: 10, ...spec },
  });
}

function metric(value: Spec): Spec {
  return autoscaler({ metrics: [value] });
}

function cron(rule: Spec, target: Spec = TARGET): Spec {
  return document('autoscaling.karmada.io/v1alpha1', 'CronFederatedHPA', {
    spec: {
      scaleTargetRef: target,
      rules: [{ name: 'up', schedule: '0 9 * * *', targetReplicas: 5, ...rule }],
    },
  });
}

function quota(spec: Spec): Spec {
  return document('policy.karmada.io/v1alpha1', 'FederatedResourceQuota', { spec });
}

function service(spec: Spec, metadata: object = {}): Spec {
  return document(
    'networking.karmada.io/v1alpha1',
    'MultiClusterService',
    { spec: { types: ['CrossCluster'], ...spec } },
    metadata,
  );
}

function ingress(spec: Spec): Spec {
  return document('networking.karmada.io/v1alpha1', 'MultiClusterIngress', { spec });
}

function ingressPath(path: Spec): Spec {
  const backend = { service: { name: 'web', port: { number: 80 } } };
  return ingress({
    rules: [{ http: { paths: [{ backend, pathType: 'Prefix', path: '/', ...path }] } }],
  });
}

function webhook(value: Spec): Spec {
  const rule = { apiGroups: ['*'], apiVersions: ['*'], kinds: ['*'], operations: ['*'] };
  const valid = {
    name: 'interpreter.example.com',
    clientConfig: { url: 'https://example.com/interpret' },
    rules: [rule],
    interpreterContextVersions: ['v1alpha1'],
  };
  return document('config.karmada.io/v1alpha1', 'ResourceInterpreterWebhookConfiguration', {
    webhooks: [{ ...valid, ...value }],
  });
}

function webhookRule(value: Spec): Spec {
  const rule = { apiGroups: [''], apiVersions: ['v1'], kinds: ['Pod'], operations: ['Retain'] };
  return webhook({ rules: [{ ...rule, ...value }] });
}

const FIELDS = (key: string, operator: string): Spec => ({
  fieldSelector: { matchExpressions: [{ key, operator, values: ['eu'] }] },
});

const TERM = { affinityName: 'primary', clusterNames: ['a'] };
const AGGREGATED = { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Aggregated' };
const OVERFLOW = [{ affinityName: 'more', clusterNames: ['b'] }];
const FAILOVER = (application: Spec): Spec =>
  policy({
    propagateDeps: true,
    failover: { application: { decisionConditions: {}, ...application } },
  });

export const REFUSED: readonly AdmissionCase[] = [
  {
    name: 'clusterAffinity beside clusterAffinities',
    document: placement({ clusterAffinity: {}, clusterAffinities: [TERM] }),
    found: ['spec.placement.clusterAffinities'],
  },
  {
    name: 'two terms of one name',
    document: placement({ clusterAffinities: [TERM, TERM] }),
    found: ['spec.placement.clusterAffinities[1].affinityName'],
  },
  {
    name: 'a term whose name is no label key',
    document: placement({ clusterAffinities: [{ affinityName: 'a b' }] }),
    found: ['spec.placement.clusterAffinities[0].affinityName'],
  },
  {
    name: 'a field selector on another field, with another operator',
    document: placement({ clusterAffinity: FIELDS('country', 'Exists') }),
    found: [
      'spec.placement.clusterAffinity.fieldSelector.matchExpressions[0].key',
      'spec.placement.clusterAffinity.fieldSelector.matchExpressions[0].operator',
    ],
  },
  {
    name: 'overflow without division by capacity',
    document: placement({ clusterAffinities: [{ ...TERM, overflowAffinities: OVERFLOW }] }),
    found: ['spec.placement.clusterAffinities[0].overflowAffinities'],
  },
  {
    name: 'overflow of a term that restricts nothing',
    document: placement({
      replicaScheduling: AGGREGATED,
      clusterAffinities: [{ affinityName: 'all', overflowAffinities: OVERFLOW }],
    }),
    found: ['spec.placement.clusterAffinities[0].overflowAffinities'],
  },
  {
    name: 'overflow named like its term',
    document: placement({
      replicaScheduling: AGGREGATED,
      clusterAffinities: [{ ...TERM, overflowAffinities: [{ affinityName: 'primary' }] }],
    }),
    found: ['spec.placement.clusterAffinities[0].overflowAffinities[0].affinityName'],
  },
  {
    name: 'a spread constraint by field and label',
    document: placement({
      spreadConstraints: [{ spreadByField: 'cluster', spreadByLabel: 'rack' }],
    }),
    found: ['spec.placement.spreadConstraints[0].spreadByLabel'],
  },
  {
    name: 'negative groups',
    document: placement({ spreadConstraints: [{ minGroups: -1, maxGroups: -2 }] }),
    found: [
      'spec.placement.spreadConstraints[0].maxGroups',
      'spec.placement.spreadConstraints[0].minGroups',
    ],
  },
  {
    name: 'fewer groups at most than at least',
    document: placement({ spreadConstraints: [{ minGroups: 3, maxGroups: 2 }] }),
    found: ['spec.placement.spreadConstraints[0].maxGroups'],
  },
  {
    name: 'spread by region without one by cluster',
    document: placement({ spreadConstraints: [{ spreadByField: 'region', minGroups: 2 }] }),
    found: ['spec.placement.spreadConstraints'],
  },
  {
    name: 'the same spread field twice',
    document: placement({ spreadConstraints: [{}, { spreadByField: 'cluster' }] }),
    found: ['spec.placement.spreadConstraints[1].spreadByField'],
  },
  {
    name: 'affinity and anti-affinity by one key',
    document: placement({
      workloadAffinity: {
        affinity: { groupByLabelKey: 'app' },
        antiAffinity: { groupByLabelKey: 'app' },
      },
    }),
    found: ['spec.placement.workloadAffinity.antiAffinity.groupByLabelKey'],
  },
  {
    name: 'a toleration with Lt',
    document: placement({ clusterTolerations: [{ key: 'a', operator: 'Lt', value: '1' }] }),
    found: ['spec.placement.clusterTolerations[0].operator'],
  },
  {
    name: 'application failover without dependencies',
    document: policy({ failover: { application: { decisionConditions: {} } } }),
    found: ['spec.propagateDeps'],
  },
  {
    name: 'a grace period for a purge mode without one',
    document: FAILOVER({ purgeMode: 'Never', gracePeriodSeconds: 5 }),
    found: ['spec.failover.application.gracePeriodSeconds'],
  },
  {
    name: 'no time to tolerate, no grace',
    document: FAILOVER({ decisionConditions: { tolerationSeconds: -1 }, gracePeriodSeconds: 0 }),
    found: [
      'spec.failover.application.decisionConditions.tolerationSeconds',
      'spec.failover.application.gracePeriodSeconds',
    ],
  },
  {
    name: 'state under a name that is no label key',
    document: FAILOVER({
      statePreservation: { rules: [{ aliasLabelName: 'a b', jsonPath: '{.x}' }] },
    }),
    found: ['spec.failover.application.statePreservation.rules[0].aliasLabelName'],
  },
  {
    name: 'a selector in another namespace',
    document: policy({ resourceSelectors: [{ ...SELECTORS[0], namespace: 'other' }] }),
    found: ['spec.resourceSelectors[0].namespace'],
  },
  {
    name: 'preemption by a selector without name',
    document: policy({
      preemption: 'Always',
      resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment' }],
    }),
    found: ['spec.resourceSelectors[0].name'],
  },
  {
    name: 'suspended on all clusters and on some',
    document: policy({
      suspension: { dispatching: true, dispatchingOnClusters: { clusterNames: ['a'] } },
    }),
    found: ['spec.suspension.dispatchingOnClusters.clusterNames'],
  },
  {
    name: 'override rules beside the former fields',
    document: override({
      overrideRules: [],
      targetCluster: {},
      overriders: { plaintext: [{ operator: 'remove', path: '/a' }] },
    }),
    found: ['spec.overriders', 'spec.targetCluster'],
  },
  {
    name: 'labels and annotations that cannot be',
    document: overriders({
      labelsOverrider: [{ operator: 'add', value: { 'a b': 'c', d: 'e f' } }],
      annotationsOverrider: [{ operator: 'add', value: { 'a b': 'any thing' } }],
    }),
    found: [
      'spec.overrideRules[0].overriders.annotationsOverrider[0].value["a b"]',
      'spec.overrideRules[0].overriders.labelsOverrider[0].value["a b"]',
      'spec.overrideRules[0].overriders.labelsOverrider[0].value.d',
    ],
  },
  {
    name: 'pointers that are none',
    document: overriders({
      imageOverrider: [
        { component: 'Tag', operator: 'replace', predicate: { path: 'spec' }, value: '1' },
      ],
      fieldOverrider: [{ fieldPath: 'data', json: [{ operator: 'remove', subPath: 'a' }] }],
    }),
    found: [
      'spec.overrideRules[0].overriders.fieldOverrider[0].fieldPath',
      'spec.overrideRules[0].overriders.fieldOverrider[0].json[0].subPath',
      'spec.overrideRules[0].overriders.imageOverrider[0].predicate.path',
    ],
  },
  {
    name: 'a field overrider without edits, one with two formats',
    document: overriders({
      fieldOverrider: [
        { fieldPath: '/data/a' },
        {
          fieldPath: '/data/a',
          json: [{ operator: 'remove', subPath: '/x' }],
          yaml: [{ operator: 'remove', subPath: '/x' }],
        },
      ],
    }),
    found: [
      'spec.overrideRules[0].overriders.fieldOverrider[0].json',
      'spec.overrideRules[0].overriders.fieldOverrider[1].yaml',
    ],
  },
  {
    name: 'edits with the wrong operator for their value',
    document: overriders({
      fieldOverrider: [
        {
          fieldPath: '/data/a',
          json: [
            { operator: 'remove', subPath: '/x', value: 1 },
            { operator: 'add', subPath: '/x' },
          ],
        },
      ],
    }),
    found: [
      'spec.overrideRules[0].overriders.fieldOverrider[0].json[0].value',
      'spec.overrideRules[0].overriders.fieldOverrider[0].json[1].value',
    ],
  },
  {
    name: 'a quota of something unknown, of less than nothing, of half a pod',
    document: quota({ overall: { gpus: 1, cpu: '-1', pods: '500m' } }),
    found: ['spec.overall.cpu', 'spec.overall.gpus', 'spec.overall.pods'],
  },
  {
    name: 'assignments beyond the quota and outside of it',
    document: quota({
      overall: { cpu: '1500m' },
      staticAssignments: [
        { clusterName: 'a', hard: { cpu: 1 } },
        { clusterName: 'B', hard: { cpu: '501m', memory: '1Gi' } },
      ],
    }),
    found: [
      'spec.overall.cpu',
      'spec.staticAssignments[1].clusterName',
      'spec.staticAssignments[1].hard.memory',
    ],
  },
  {
    name: 'a taint twice',
    document: document('policy.karmada.io/v1alpha1', 'ClusterTaintPolicy', {
      spec: {
        taints: [
          { key: 'a', effect: 'NoSchedule' },
          { key: 'a', effect: 'NoSchedule', value: 'b' },
        ],
      },
    }),
    found: ['spec.taints[1].key'],
  },
  {
    name: 'a component twice, and dependencies that are not JSON',
    document: document(
      'work.karmada.io/v1alpha2',
      'ResourceBinding',
      {
        spec: {
          resource: TARGET,
          components: [
            { name: 'job', replicas: 1 },
            { name: 'job', replicas: 2 },
          ],
        },
      },
      { annotations: { 'resourcebinding.karmada.io/dependencies': '{' } },
    ),
    found: [
      'metadata.annotations["resourcebinding.karmada.io/dependencies"]',
      'spec.components[1].name',
    ],
  },
  {
    name: 'autoscaler bounds',
    document: autoscaler({ minReplicas: 0, maxReplicas: -1 }),
    found: ['spec.maxReplicas', 'spec.maxReplicas', 'spec.minReplicas'],
  },
  {
    name: 'an autoscaler of nothing',
    document: autoscaler({ scaleTargetRef: { kind: '', name: 'a/b' } }),
    found: ['spec.scaleTargetRef.kind', 'spec.scaleTargetRef.name'],
  },
  {
    name: 'an external metric',
    document: metric({ type: 'External' }),
    found: ['spec.metrics[0].type'],
  },
  {
    name: 'a metric described in another field than its type says',
    document: metric({ type: 'Pods', resource: { name: 'cpu', target: { type: 'Utilization' } } }),
    found: ['spec.metrics[0].pods', 'spec.metrics[0].resource'],
  },
  {
    name: 'a resource metric without and with two targets',
    document: autoscaler({
      metrics: [
        { type: 'Resource', resource: { name: '', target: { type: 'Utilization' } } },
        {
          type: 'Resource',
          resource: {
            name: 'cpu',
            target: { type: 'Utilization', averageUtilization: 0, averageValue: '0' },
          },
        },
      ],
    }),
    found: [
      'spec.metrics[0].resource.name',
      'spec.metrics[0].resource.target.averageUtilization',
      'spec.metrics[1].resource.target.averageUtilization',
      'spec.metrics[1].resource.target.averageValue',
      'spec.metrics[1].resource.target.averageValue',
    ],
  },
  {
    name: 'an object metric without value, a pods metric of another kind of target',
    document: autoscaler({
      metrics: [
        {
          type: 'Object',
          object: {
            describedObject: { kind: 'Ingress', name: '' },
            metric: { name: 'hits' },
            target: { type: 'Value' },
          },
        },
        {
          type: 'Pods',
          pods: { metric: { name: '' }, target: { type: 'Share', averageValue: 1 } },
        },
      ],
    }),
    found: [
      'spec.metrics[0].object.describedObject.name',
      'spec.metrics[0].object.target.averageValue',
      'spec.metrics[1].pods.metric.name',
      'spec.metrics[1].pods.target.type',
    ],
  },
  {
    name: 'a container metric of no container and no container resource',
    document: metric({
      type: 'ContainerResource',
      containerResource: {
        name: 'pods',
        container: '',
        target: { type: 'Utilization', averageUtilization: 50 },
      },
    }),
    found: [
      'spec.metrics[0].containerResource.container',
      'spec.metrics[0].containerResource.name',
    ],
  },
  {
    name: 'scaling rules beyond their limits',
    document: autoscaler({
      behavior: {
        scaleUp: {
          stabilizationWindowSeconds: 3601,
          selectPolicy: 'Most',
          policies: [{ type: 'Nodes', value: 0, periodSeconds: 1801 }],
        },
        scaleDown: { policies: [] },
      },
    }),
    found: [
      'spec.behavior.scaleDown.policies',
      'spec.behavior.scaleUp.policies[0].periodSeconds',
      'spec.behavior.scaleUp.policies[0].type',
      'spec.behavior.scaleUp.policies[0].value',
      'spec.behavior.scaleUp.selectPolicy',
      'spec.behavior.scaleUp.stabilizationWindowSeconds',
    ],
  },
  {
    name: 'a schedule and a time zone that are none',
    document: cron({ schedule: 'every day', timeZone: 'Europe/Atlantis' }),
    found: ['spec.rules[0].schedule', 'spec.rules[0].timeZone'],
  },
  {
    name: 'replicas for an autoscaler, bounds for a workload',
    document: cron(
      {},
      { apiVersion: 'autoscaling.karmada.io/v1alpha1', kind: 'FederatedHPA', name: 'web' },
    ),
    found: ['spec.rules[0].targetMaxReplicas'],
  },
  {
    name: 'bounds the wrong way round',
    document: cron(
      { targetMinReplicas: 5, targetMaxReplicas: 4 },
      { apiVersion: 'autoscaling.karmada.io/v1alpha1', kind: 'FederatedHPA', name: 'web' },
    ),
    found: ['spec.rules[0].targetMinReplicas'],
  },
  {
    name: 'negative replicas',
    document: cron({ targetReplicas: -1 }),
    found: ['spec.rules[0].targetReplicas'],
  },
  {
    name: 'another kind of the autoscaling group',
    document: cron(
      {},
      { apiVersion: 'autoscaling.karmada.io/v1alpha1', kind: 'CronFederatedHPA', name: 'web' },
    ),
    found: ['spec.scaleTargetRef.kind'],
  },
  {
    name: 'a service whose name no Service can have',
    document: service({}, { name: '1web' }),
    found: ['metadata.name'],
  },
  {
    name: 'two exposures, one of them unknown',
    document: service({ types: ['CrossCluster', 'Tunnel'] }),
    found: ['spec.types', 'spec.types[1]'],
  },
  {
    name: 'ports beyond the range and twice, clusters that cannot be',
    document: service({
      ports: [
        { name: 'a', port: 0 },
        { name: 'a', port: 65536 },
      ],
      providerClusters: [{ name: 'A' }],
      consumerClusters: [{ name: '' }],
    }),
    found: [
      'spec.consumerClusters[0].name',
      'spec.ports[0].port',
      'spec.ports[1].name',
      'spec.ports[1].port',
      'spec.providerClusters[0].name',
    ],
  },
  { name: 'an ingress to nowhere', document: ingress({}), found: ['spec'] },
  {
    name: 'backends with nothing, with both, without port',
    document: ingress({
      defaultBackend: {},
      rules: [
        {
          host: '10.0.0.1',
          http: {
            paths: [
              {
                pathType: 'Prefix',
                path: '/',
                backend: {
                  service: { name: 'web', port: { number: 80 } },
                  resource: { kind: 'Bucket', name: 'b' },
                },
              },
              { pathType: 'Prefix', path: '/', backend: { service: { name: 'web' } } },
            ],
          },
        },
      ],
    }),
    found: [
      'spec.defaultBackend',
      'spec.rules[0].host',
      'spec.rules[0].http.paths[0].backend',
      'spec.rules[0].http.paths[1].backend.service.port',
    ],
  },
  {
    name: 'a path that is not clean',
    document: ingressPath({ path: '/a/../b' }),
    found: ['spec.rules[0].http.paths[0].path'],
  },
  ...['a', '/a//b', '/a/.', '/a%2Fb'].map((path) => ({
    name: `the path ${path}`,
    document: ingressPath({ path }),
    found: ['spec.rules[0].http.paths[0].path'],
  })),
  {
    name: 'an unknown path type',
    document: ingressPath({ pathType: 'Regex' }),
    found: ['spec.rules[0].http.paths[0].pathType'],
  },
  {
    name: 'a webhook without address and with an unencrypted one',
    document: webhook({ name: 'short', timeoutSeconds: 31, clientConfig: { url: 'http://a.b' } }),
    found: ['webhooks[0].clientConfig.url', 'webhooks[0].name', 'webhooks[0].timeoutSeconds'],
  },
  {
    name: 'a webhook with two addresses',
    document: webhook({
      clientConfig: { url: 'https://a.b', service: { name: 'a', namespace: 'b' } },
    }),
    found: ['webhooks[0].clientConfig.url'],
  },
  {
    name: 'a webhook service that cannot be called',
    document: webhook({
      clientConfig: { service: { name: '', namespace: 'b', port: 0, path: 'interpret' } },
    }),
    found: [
      'webhooks[0].clientConfig.service.name',
      'webhooks[0].clientConfig.service.path',
      'webhooks[0].clientConfig.service.port',
    ],
  },
  {
    name: 'webhook rules with unknown, mixed and missing entries',
    document: webhookRule({
      operations: ['Prune'],
      apiGroups: ['*', 'apps'],
      apiVersions: [],
      kinds: [''],
    }),
    found: [
      'webhooks[0].rules[0].apiGroups',
      'webhooks[0].rules[0].apiVersions',
      'webhooks[0].rules[0].kinds[0]',
      'webhooks[0].rules[0].operations[0]',
    ],
  },
  {
    name: 'a webhook that does not speak our version',
    document: webhook({ interpreterContextVersions: ['v2', 'v2'] }),
    found: ['webhooks[0].interpreterContextVersions', 'webhooks[0].interpreterContextVersions[1]'],
  },
];

/** A realistic document of every kind with rules, with each of its parts in use: nothing is wrong with it. */
export const TAKEN: readonly Spec[] = [
  policy({
    priority: 10,
    preemption: 'Always',
    propagateDeps: true,
    suspension: { dispatchingOnClusters: { clusterNames: ['a'] } },
    failover: {
      application: { decisionConditions: { tolerationSeconds: 60 } },
      cluster: { purgeMode: 'Directly' },
    },
    placement: {
      clusterAffinities: [
        { ...TERM, overflowAffinities: OVERFLOW },
        { affinityName: 'backup', ...FIELDS('region', 'NotIn') },
      ],
      clusterTolerations: [{ key: 'gpu', operator: 'Exists' }],
      spreadConstraints: [
        { spreadByField: 'region', minGroups: 2, maxGroups: 3 },
        { minGroups: 5, maxGroups: 5 },
      ],
      replicaScheduling: AGGREGATED,
      workloadAffinity: {
        affinity: { groupByLabelKey: 'app' },
        antiAffinity: { groupByLabelKey: 'example.com/tier' },
      },
    },
  }),
  overriders({
    imageOverrider: [{ component: 'Registry', operator: 'replace', value: 'mirror.example.com' }],
    labelsOverrider: [{ operator: 'add', value: { 'example.com/place': 'edge' } }],
    annotationsOverrider: [{ operator: 'add', value: { 'example.com/note': 'any text, at all' } }],
    fieldOverrider: [{ fieldPath: '/data/a', yaml: [{ operator: 'add', subPath: '', value: 1 }] }],
    plaintext: [{ operator: 'replace', path: '/spec/replicas', value: 1 }],
  }),
  quota({
    overall: { cpu: '1500m', 'requests.hugepages-2Mi': 1, 'example.com/gpu': '3' },
    staticAssignments: [
      { clusterName: 'a', hard: { cpu: 1 } },
      { clusterName: 'b', hard: { cpu: '500m' } },
    ],
  }),
  autoscaler({
    behavior: { scaleDown: { stabilizationWindowSeconds: 60 } },
    metrics: [
      {
        type: 'Resource',
        resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 60 } },
      },
      {
        type: 'Pods',
        pods: { metric: { name: 'hits' }, target: { type: 'AverageValue', averageValue: '1k' } },
      },
    ],
  }),
  ...['0 9 * * *', '*/5 0-6,22 1,15 JAN-MAR MON', '@hourly'].map((schedule) =>
    cron({ schedule, timeZone: 'Europe/Berlin' }),
  ),
  service({ ports: [{ name: 'http', port: 80 }], providerClusters: [{ name: 'a' }] }),
  ingressPath({}),
  webhook({}),
  webhookRule({}),
];
