import { describe, expect, test } from '@jest/globals';
import { plan } from '../../lib/engine/index.js';
import type { KubeObject } from '../../lib/engine/object.js';
import { misspeltFields } from '../../lib/providers/template-fields.js';
import { standardTools } from '../../lib/providers/tools.js';
import { aCluster, aDeployment, anInput, aPolicy } from '../builders.js';

function object(apiVersion: string, kind: string, spec: object, rest: object = {}): KubeObject {
  return { apiVersion, kind, metadata: { name: 'web', namespace: 'shop' }, spec, ...rest };
}

/** A workload whose only container, pod spec or pod template has these members. */
const withPod = (pod: object): KubeObject =>
  object('apps/v1', 'Deployment', { template: { spec: pod } });

function found(template: KubeObject): string[] {
  return misspeltFields(template).map(({ path, hint }) => `${path.join('.')}: ${hint ?? ''}`);
}

describe('a misspelt field of a built-in kind', () => {
  test.each<[string, KubeObject, string]>([
    [
      'transposed letters',
      object('apps/v1', 'Deployment', { replcias: 5 }),
      'spec.replcias: Did you mean replicas?',
    ],
    [
      'a letter missing',
      object('apps/v1', 'StatefulSet', { replica: 5 }),
      'spec.replica: Did you mean replicas?',
    ],
    [
      'letter case',
      object('apps/v1', 'ReplicaSet', { Replicas: 5 }),
      'spec.Replicas: Did you mean replicas?',
    ],
    ['at the root', object('apps/v1', 'Deployment', {}, { sepc: {} }), 'sepc: Did you mean spec?'],
    [
      'of a DaemonSet',
      object('apps/v1', 'DaemonSet', { updateStrategie: {} }),
      'spec.updateStrategie: Did you mean updateStrategy?',
    ],
    [
      'of a Job',
      object('batch/v1', 'Job', { paralellism: 3 }),
      'spec.paralellism: Did you mean parallelism?',
    ],
    [
      'of a CronJob',
      object('batch/v1', 'CronJob', { jobTemplate: { spec: { complettions: 3 } } }),
      'spec.jobTemplate.spec.complettions: Did you mean completions?',
    ],
    [
      'of a Service',
      object('v1', 'Service', { ports: [{ targetport: 80 }] }),
      'spec.ports.0.targetport: Did you mean targetPort?',
    ],
    [
      'of an autoscaler',
      object('autoscaling/v2', 'HorizontalPodAutoscaler', { minReplica: 2 }),
      'spec.minReplica: Did you mean minReplicas?',
    ],
    [
      'in the pod template',
      object('apps/v1', 'Deployment', { template: { sepc: {}, metadata: { lables: {} } } }),
      'spec.template.metadata.lables: Did you mean labels?',
    ],
    [
      'in the pod spec',
      withPod({ nodeSelektor: {} }),
      'spec.template.spec.nodeSelektor: Did you mean nodeSelector?',
    ],
    [
      'in a container',
      withPod({ containers: [{ name: 'a', resourecs: {} }] }),
      'spec.template.spec.containers.0.resourecs: Did you mean resources?',
    ],
    [
      'in its resources',
      withPod({ containers: [{ resources: { request: { cpu: 1 } } }] }),
      'spec.template.spec.containers.0.resources.request: Did you mean requests?',
    ],
  ])('is found: %s', (_name, template, expected) => {
    expect(found(template)).toContain(expected);
  });

  test.each<[string, KubeObject]>([
    ['a field of a newer version', object('apps/v1', 'Deployment', { surgeBudget: 5 })],
    [
      'keys of maps',
      withPod({
        nodeSelector: { nodeSelektor: 'x' },
        containers: [{ resources: { limits: { 'nvidia.com/gpu': 1 } } }],
      }),
    ],
    ['data', object('v1', 'ConfigMap', {}, { data: { kinds: 'x', dat: 'y' } })],
    ['the kind of another group', object('example.io/v1', 'Deployment', { replcias: 5 })],
    ['Kruise', object('apps.kruise.io/v1alpha1', 'CloneSet', { replcias: 5 })],
    ['a name of three letters', withPod({ containers: [{ evn: [] }] })],
    ['all that is right', aDeployment('web', 3)],
    ['other shapes', object('apps/v1', 'Deployment', { template: [{ sepc: 1 }], replicas: null })],
  ])('is nothing: %s', (_name, template) => {
    expect(found(template)).toEqual([]);
  });

  test('is a warning at its place, and the plan goes on', () => {
    const web = aDeployment('web', 2);
    const { replicas: _replicas, ...spec } = web['spec'] as Record<string, unknown>;
    const input = anInput(
      [{ ...web, spec: { ...spec, replcias: 5 } }, aPolicy('web', {})],
      [aCluster('a')],
    );
    const { diagnostics, applicable } = plan(input, standardTools());

    expect(applicable).toBe(true);
    expect(diagnostics).toMatchObject([
      {
        severity: 'warning',
        code: 'FIELD_UNKNOWN',
        path: ['spec', 'replcias'],
        hint: 'Did you mean replicas?',
      },
    ]);
  });
});
