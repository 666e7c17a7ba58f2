import { expect, test } from '@jest/globals';
import type { OverridePolicy } from '../../../lib/api/override-policy.js';
import { applyOverrides, lintOverrides } from '../../../lib/engine/override/index.js';
import type { KubeObject } from './builders.js';
import { aCluster, anObject, aPolicy, aWorkload, label, M1, TOOLS } from './builders.js';

const KEY = 'fleetwright.dev/container-overrides';

function aContainerPolicy(annotation: unknown, policy = aPolicy('p', {})): OverridePolicy {
  const text = typeof annotation === 'string' ? annotation : JSON.stringify(annotation);
  return { ...policy, metadata: { ...policy.metadata, annotations: { [KEY]: text } } };
}

function containersOn(template: KubeObject, overrides: unknown, cluster = M1): unknown {
  const result = applyOverrides(
    template,
    cluster,
    { overridePolicies: [aContainerPolicy(overrides)] },
    TOOLS,
  );
  return result.ok ? result.object['spec'] : result.fault;
}

const sidecarFirst = aWorkload('Deployment', {
  initContainers: [{ name: 'init' }],
  containers: [
    { name: 'proxy' },
    {
      name: 'web',
      env: [
        { name: 'A', value: '1' },
        { name: 'B', value: '$(A)' },
      ],
    },
  ],
});

test('a variable is set where it stands, added at the end, removed by null', () => {
  const env = {
    A: '2',
    B: null,
    PIN: { valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
    C: '3',
  };

  expect(containersOn(sidecarFirst, [{ containerName: 'web', env }])).toMatchObject({
    template: {
      spec: {
        containers: [
          { name: 'proxy' },
          {
            name: 'web',
            env: [
              { name: 'A', value: '2' },
              { name: 'PIN', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
              { name: 'C', value: '3' },
            ],
          },
        ],
      },
    },
  });
});

test('a patch begins at the container, wherever it stands', () => {
  const plaintext = [{ operator: 'add', path: '/image', value: 'web:2' }];

  expect(containersOn(sidecarFirst, [{ containerName: 'web', plaintext }])).toMatchObject({
    template: { spec: { containers: [{ name: 'proxy' }, { name: 'web', image: 'web:2' }] } },
  });
  expect(containersOn(sidecarFirst, [{ containerName: 'init', plaintext }])).toMatchObject({
    template: { spec: { initContainers: [{ name: 'init', image: 'web:2' }] } },
  });
});

test('without a name every regular container is meant, in CronJobs too', () => {
  const podSpec = { containers: [{ name: 'a' }], initContainers: [{ name: 'i' }] };
  const nightly = anObject('CronJob', { jobTemplate: { spec: { template: { spec: podSpec } } } });

  expect(containersOn(nightly, [{ env: { A: '1' } }])).toEqual({
    jobTemplate: {
      spec: {
        template: {
          spec: {
            containers: [{ name: 'a', env: [{ name: 'A', value: '1' }] }],
            initContainers: [{ name: 'i' }],
          },
        },
      },
    },
  });
});

test('other clusters, and objects without pods, stay as they are', () => {
  const targetCluster = { clusterNames: ['m1'] };
  const overrides = [{ targetCluster, containerName: 'web', env: { A: '9' } }];
  const service = anObject('Service', { ports: [] });

  expect(containersOn(sidecarFirst, overrides, aCluster('m2'))).toEqual(sidecarFirst['spec']);
  expect(containersOn(service, overrides)).toEqual({ ports: [] });
});

test.each([
  [
    { containerName: 'wbe', env: {} },
    { path: '/spec/template/spec/containers', message: 'there is no container "wbe"' },
  ],
  [
    { containerName: 'web', plaintext: [{ operator: 'replace', path: '/image', value: 'x' }] },
    { path: '/spec/template/spec/containers/1/image' },
  ],
])('a container or path that is not there is a fault: %j', (override, fault) => {
  expect(containersOn(sidecarFirst, [override])).toMatchObject({ kind: 'missing', ...fault });
});

test('it comes after the rules of the policy, and Karmada’s record does not have it', () => {
  const policy = aContainerPolicy([{ env: { A: '1' } }], aPolicy('p', label('x')));
  const result = applyOverrides(sidecarFirst, M1, { overridePolicies: [policy] }, TOOLS);

  expect(result).toMatchObject({ ok: true, appliedOverrides: [{ policyName: 'p' }] });
});

test.each([
  'no JSON',
  [],
  [{ containerName: 'web' }],
  [{ env: { A: 1 } }],
  [{ env: { A: '1' }, container: 'web' }],
  [{ plaintext: [{ operator: 'set', path: '/image' }] }],
  [{ plaintext: [{ operator: 'add', path: 'image' }] }],
])('an annotation that cannot be read is reported: %j', (annotation) => {
  expect(lint(aContainerPolicy(annotation))).toMatchObject([
    { code: 'HINT_INVALID', severity: 'error', path: ['metadata', 'annotations', KEY] },
  ]);
});

test('a control plane would ignore it, so that a plan for one is refused', () => {
  const policy = aContainerPolicy([{ env: { A: '1' } }]);

  expect(lint(policy)).toEqual([]);
  expect(lint(policy, 'karmada')).toMatchObject([
    { code: 'OVERRIDE_CONTAINER_IGNORED', severity: 'error' },
  ]);
});

function lint(policy: OverridePolicy, target: 'members' | 'karmada' = 'members'): unknown {
  return lintOverrides({
    overrides: [{ object: policy as unknown as KubeObject }],
    templates: [sidecarFirst],
    clusters: [M1],
    profile: 'default',
    target,
  });
}
