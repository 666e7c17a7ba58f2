import { bindingName, refOf } from '../../../lib/engine/object.js';
import { describe, expect, test } from '@jest/globals';
import {
  bindingDocument,
  isOwnedByAnother,
  type BindingDocument,
} from '../../../lib/engine/claim/binding-document.js';
import {
  bindingFor,
  findPriorityFault,
  type Binding,
} from '../../../lib/engine/claim/binding-for.js';
import { asPolicy } from '../../../lib/engine/claim/policy.js';
import { priorityClassesOf } from '../../../lib/engine/claim/priority.js';
import { aClusterPolicy, aDeployment, aPolicy } from './builders.js';

const gates = {
  MultiplePodTemplatesScheduling: true,
  PriorityBasedScheduling: true,
  WorkloadAffinity: true,
};
const facts = { gates, priorityClasses: new Map([['high', 1000]]) };

const clusterRole = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name: 'View:All', labels: { tier: 'gold' } },
};

function specOf(
  policySpec: object,
  more: Partial<Parameters<typeof bindingFor>[3]> = {},
): Binding['spec'] {
  return bindingFor(aDeployment(), asPolicy(aPolicy('p', policySpec)), {}, { ...facts, ...more })
    .spec;
}

test('names are lower-case, and colons become dots', () => {
  expect(bindingName(refOf(clusterRole))).toBe('view.all-clusterrole');
});

test('what the policy says is copied, what it does not say is absent', () => {
  const said = {
    placement: { clusterAffinity: { clusterNames: ['eu-1'] } },
    propagateDeps: true,
    conflictResolution: 'Overwrite',
    preserveResourcesOnDeletion: false,
    schedulerName: 'default-scheduler',
    suspension: { dispatching: true },
    failover: { cluster: { purgeMode: 'Directly' } },
  };

  expect(specOf({ ...said, priority: 3, preemption: 'Always' })).toEqual({
    ...said,
    resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' },
  });
  expect(specOf({})).toEqual({
    placement: {},
    resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' },
  });
});

test('components replace replicas where the gate is on', () => {
  const interpretation = { replicas: 4, components: [{ name: 'driver', replicas: 1 }] };
  const bind = (on: boolean): object =>
    bindingFor(aDeployment(), asPolicy(aPolicy('p')), interpretation, {
      gates: { ...gates, MultiplePodTemplatesScheduling: on },
    }).spec;

  expect(bind(true)).toMatchObject({ components: interpretation.components });
  expect(bind(true)).not.toHaveProperty('replicas');
  expect(bind(false)).toMatchObject({ replicas: 4 });
});

test('a seed stands for a UID that is not there', () => {
  expect(specOf({}, { uid: 'seed' }).resource.uid).toBe('seed');
});

describe('workload affinity groups', () => {
  const placement = (key: string): object => ({
    placement: { workloadAffinity: { affinity: { groupByLabelKey: key } } },
  });

  test.each([
    { name: 'take the value of the label', key: 'tier', groups: { affinityGroup: 'tier=gold' } },
    { name: 'need the label', key: 'team', groups: undefined },
    { name: 'do not see inherited members', key: 'constructor', groups: undefined },
  ])('$name', ({ key, groups }) => {
    expect(specOf(placement(key)).workloadAffinityGroups).toEqual(groups);
  });

  test('need the gate', () => {
    const off = { gates: { ...gates, WorkloadAffinity: false } };

    expect(specOf(placement('tier'), off).workloadAffinityGroups).toBeUndefined();
  });
});

describe('a schedule priority', () => {
  const classed = (
    priorityClassName: string,
    priorityClassSource = 'KubePriorityClass',
  ): object => ({
    schedulePriority: { priorityClassName, priorityClassSource },
  });
  const faultOf = (spec: object): string | undefined =>
    findPriorityFault(aDeployment(), asPolicy(aPolicy('p', spec)), facts);

  test('is the value of the class', () => {
    expect(specOf(classed('high')).schedulePriority).toEqual({ priority: 1000 });
    expect(faultOf(classed('high'))).toBeUndefined();
  });

  test('has a fault when the class is missing or the source is another', () => {
    expect(faultOf(classed('low'))).toBe('priorityclasses.scheduling.k8s.io "low" not found');
    expect(faultOf(classed('high', 'PodPriorityClass'))).toBe(
      'priority class source is PodPriorityClass, but PodPriorityClass is not supported yet',
    );
  });

  test('is nothing for cluster-scoped templates', () => {
    const policy = asPolicy(aClusterPolicy('c', classed('low')));

    expect(findPriorityFault(clusterRole, policy, facts)).toBeUndefined();
    expect(bindingFor(clusterRole, policy, {}, facts)).toMatchObject({
      kind: 'ClusterResourceBinding',
    });
  });

  test('knows the classes that every API server has', () => {
    expect(priorityClassesOf([]).get('system-node-critical')).toBe(2_000_001_000);
  });
});

describe('a binding written over an existing one', () => {
  const template = aDeployment({ uid: 'u1' });
  const existing: BindingDocument = {
    apiVersion: 'work.karmada.io/v1alpha2',
    kind: 'ResourceBinding',
    metadata: {
      name: 'web-deployment',
      namespace: 'shop',
      labels: { 'clusterpropagationpolicy.karmada.io/permanent-id': 'old', mine: 'yes' },
      annotations: { 'clusterpropagationpolicy.karmada.io/name': 'c1' },
      ownerReferences: [{ controller: true, uid: 'u1' }],
    },
    spec: {
      resource: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      clusters: [{ name: 'eu-1', replicas: 2 }],
      replicas: 2,
      propagateDeps: true,
      suspension: { scheduling: true, dispatching: true },
      requiredBy: [{ name: 'other' }],
    },
  };
  const policy = asPolicy(
    aPolicy('p', {}, { labels: { 'propagationpolicy.karmada.io/permanent-id': 'id-p' } }),
  );
  const written = bindingDocument(
    bindingFor(template, policy, { replicas: 0 }, facts),
    template,
    policy,
    existing,
  );

  test('keeps what others wrote', () => {
    expect(written.spec).toMatchObject({
      clusters: [{ name: 'eu-1', replicas: 2 }],
      requiredBy: [{ name: 'other' }],
    });
    expect(written.metadata.labels?.['mine']).toBe('yes');
  });

  test('loses what the policy no longer says, but not what a person paused', () => {
    expect(written.spec.suspension).toEqual({ scheduling: true });
    expect(written.spec).not.toHaveProperty('propagateDeps');
    expect(written.spec).not.toHaveProperty('replicas');
  });

  test('is taken from a cluster-wide policy by a namespaced one', () => {
    expect(written.metadata.labels).toEqual({
      mine: 'yes',
      'propagationpolicy.karmada.io/permanent-id': 'id-p',
    });
    expect(written.metadata.annotations).toEqual({
      'propagationpolicy.karmada.io/name': 'p',
      'propagationpolicy.karmada.io/namespace': 'shop',
    });
  });

  test('is another object’s if its controller has another UID', () => {
    expect(isOwnedByAnother(existing, template)).toBe(false);
    expect(isOwnedByAnother(existing, aDeployment({ uid: 'u2' }))).toBe(true);
  });
});
