import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { PlanInput } from '../../lib/engine/input.js';
import { plan } from '../../lib/engine/index.js';
import type { KubeObject } from '../../lib/engine/object.js';
import type { Plan } from '../../lib/engine/plan.js';
import { standardTools } from '../../lib/providers/tools.js';
import { aCluster, aDeployment, anInput, aPolicy } from '../builders.js';

const tools = standardTools();
const eu = aCluster('eu-1', { region: 'eu' });
const us = aCluster('us-1', { region: 'us' });
const web = aDeployment('web', 4);
const evenly = {
  replicaScheduling: { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Weighted' },
};

function codes(result: Plan): string[] {
  return result.diagnostics.map((d) => `${d.severity} ${d.code}`);
}

function ours(kind: string, name: string, spec: object): KubeObject {
  return {
    apiVersion: 'fleetwright.dev/v1alpha1',
    kind,
    metadata: { name, namespace: 'shop' },
    spec,
  };
}

describe('checks', () => {
  test('CHECK_FAILED names the worst case', () => {
    const check = ours('Check', 'regions', { survivesLossOf: 'region', minAvailablePercent: 60 });

    const result = plan(anInput([web, aPolicy('web', evenly), check], [eu, us]), tools);

    expect(result.checks).toMatchObject([{ name: 'regions', passed: false }]);
    expect(result.diagnostics.find((d) => d.code === 'CHECK_FAILED')?.summary).toContain(
      'keeps 2 of 4 replicas without region',
    );
    expect(result.applicable).toBe(false);
  });

  test('a check that holds says so', () => {
    const check = ours('Check', 'regions', { survivesLossOf: 'region', minAvailablePercent: 50 });

    expect(
      plan(anInput([web, aPolicy('web', evenly), check], [eu, us]), tools).checks,
    ).toMatchObject([{ passed: true }]);
  });
});

describe('schema findings', () => {
  const mcs: KubeObject = {
    apiVersion: 'networking.karmada.io/v1alpha1',
    kind: 'MultiClusterService',
    metadata: { name: 'web', namespace: 'shop' },
    spec: { types: ['CrossCluster'], range: { clusterNames: ['eu-1'] } },
  };

  test('what Karmada ignores is a warning in its profile and an error in ours', () => {
    const severity = (profile: 'default' | 'karmada'): string | undefined =>
      plan(anInput([mcs], [eu], { profile, target: 'karmada' }), tools).diagnostics.find((d) =>
        d.path?.includes('range'),
      )?.severity;

    expect([severity('default'), severity('karmada')]).toEqual(['error', 'warning']);
  });

  test('a cluster may be named as its context is, where no control plane takes it', () => {
    const named = aCluster('prod.eu.example');

    expect(codes(plan(anInput([web, aPolicy('web', evenly)], [named]), tools))).toEqual([]);
    expect(
      codes(plan(anInput([web, aPolicy('web', evenly)], [named], { target: 'karmada' }), tools)),
    ).toContain('error FIELD_INVALID');
  });
});

describe('guards', () => {
  const claim: KubeObject = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'data', namespace: 'shop' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  };
  const placeClaim = aPolicy(
    'data',
    {},
    { resourceSelectors: [{ apiVersion: 'v1', kind: 'PersistentVolumeClaim', name: 'data' }] },
  );
  const base = [web, aPolicy('web', evenly)];

  test('DELETES_DATA holds until the object is named, and is then a warning', () => {
    const { lock } = plan(anInput([...base, claim, placeClaim], [eu]), tools);

    const refused = plan(anInput(base, [eu], {}, { lock }), tools);
    const meant = plan(
      anInput(
        base,
        [eu],
        { acknowledge: ['DELETES_DATA=PersistentVolumeClaim/shop/data'] },
        { lock },
      ),
      tools,
    );

    expect(codes(refused)).toContain('error DELETES_DATA');
    expect(codes(meant)).toContain('warning DELETES_DATA');
    expect([refused.applicable, meant.applicable]).toEqual([false, true]);
  });

  test('replicas of a cluster that left are placed elsewhere once that is acknowledged', () => {
    const { lock } = plan(anInput(base, [eu, us]), tools);

    const result = plan(anInput(base, [eu], { acknowledge: ['FLEET_SHRANK'] }, { lock }), tools);

    expect(result.bindings[0]?.assignments).toMatchObject([
      { cluster: 'eu-1', replicas: 4, previous: 2 },
    ]);
    expect(result.lock.tombstones).toMatchObject([
      { cluster: 'us-1', resources: [{ kind: 'Deployment', name: 'web' }] },
    ]);
  });
});

describe('capacity that nobody wrote down', () => {
  const { status: { resourceSummary: _summary, ...status } = {}, ...rest } = eu;
  const unknown = { ...rest, status } as typeof eu;
  const byRoom = {
    replicaScheduling: {
      replicaSchedulingType: 'Divided',
      replicaDivisionPreference: 'Weighted',
      weightPreference: { dynamicWeight: 'AvailableReplicas' },
    },
  };
  const documents = [web, aPolicy('web', byRoom)];

  test('CAPACITY_UNKNOWN: it is unknown, not zero, and the plan says so', () => {
    const result = plan(anInput(documents, [unknown]), tools);

    expect(codes(result)).toEqual(['info CAPACITY_UNKNOWN']);
    expect(result.bindings[0]?.assignments).toMatchObject([{ cluster: 'eu-1', replicas: 4 }]);
  });

  test('a control plane takes the cluster for full', () => {
    expect(codes(plan(anInput(documents, [unknown], { profile: 'karmada' }), tools))).toEqual([
      'error PLACEMENT_NOT_ENOUGH_CAPACITY',
    ]);
  });
});

describe('an empty fleet', () => {
  test('is said once, without what follows from it', () => {
    expect(
      codes(plan(anInput([web, aPolicy('web', evenly)], []), tools)).filter((c) =>
        c.startsWith('error'),
      ),
    ).toEqual(['error FLEET_EMPTY']);
  });
});

describe('what a workload refers to, in profile karmada', () => {
  const account = {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: 'web', namespace: 'shop' },
  };
  const user = aDeployment('web', 4, { serviceAccountName: 'web' });
  const unclaimed = (policy: Record<string, unknown>): unknown[] =>
    plan(
      anInput([user, account, aPolicy('web', evenly, policy)], [eu, us], {
        profile: 'karmada',
      }),
      tools,
    ).diagnostics.filter(({ code }) => code === 'TEMPLATE_UNCLAIMED');

  test('follows with propagateDeps', () => {
    expect(unclaimed({ propagateDeps: true })).toEqual([]);
  });

  test('and without it the finding names the field, the policy and the workload', () => {
    expect(unclaimed({})).toMatchObject([
      {
        summary:
          'ServiceAccount shop/web goes to no cluster: no policy selects it, and PropagationPolicy shop/web does not send it along with Deployment shop/web, which refers to it.',
        hint: expect.stringContaining(
          '`propagateDeps: true` in the spec of PropagationPolicy shop/web',
        ),
      },
    ]);
  });
});

describe('the age of the fleet', () => {
  test.each([
    [24, undefined],
    [25, '25 h'],
    [47, '47 h'],
    [48, '2 days'],
    [7674, '319 days'],
  ])('%i h is %s old', (hours, age) => {
    const input = anInput([web, aPolicy('web', evenly)], [eu, us]);
    const observedAt = new Date(Date.parse(input.now) - hours * 3_600_000).toISOString();

    const { diagnostics } = plan({ ...input, fleet: { ...input.fleet, observedAt } }, tools);

    expect(diagnostics.find(({ code }) => code === 'FLEET_STALE')?.summary).toBe(
      age && `The fleet snapshot is ${age} old; capacity and conditions may have changed since.`,
    );
  });
});

describe('suspension', () => {
  test('SUSPENDED_CLUSTER_WOULD_CHANGE: a cluster that somebody froze is not reached unseen', () => {
    const frozen = aPolicy('web', evenly, {
      suspension: { dispatchingOnClusters: { clusterNames: ['us-1'] } },
    });
    const { lock } = plan(anInput([web, aPolicy('web', evenly)], [eu, us]), tools);
    const changed = aDeployment('web', 4, { priorityClassName: 'x' });

    const refused = plan(anInput([changed, frozen], [eu, us], {}, { lock }), tools);

    expect(
      refused.diagnostics
        .filter((d) => d.code === 'SUSPENDED_CLUSTER_WOULD_CHANGE')
        .map((d) => d.summary),
    ).toEqual(['Deployment shop/web would change on us-1, which its policy suspends.']);
    expect(plan(anInput([web, frozen], [eu, us], {}, { lock }), tools).applicable).toBe(true);
    expect(
      plan(anInput([changed, frozen], [eu, us], { target: 'karmada' }, { lock }), tools).applicable,
    ).toBe(true);
  });
});

describe('misplaced fields', () => {
  test('a policy whose fields stand at the root is a diagnostic, and the rest is planned', () => {
    const { spec, ...rest } = aPolicy('web', evenly);
    const { resourceSelectors, ...kept } = spec as Record<string, unknown>;

    const result = plan(anInput([web, { ...rest, spec: kept, resourceSelectors }], [eu]), tools);

    expect(codes(result)).toContain('error DOCUMENT_MISPLACED_FIELD');
  });
});

describe('a cluster that left and came back', () => {
  test('loses what it still holds of workloads that stayed elsewhere', () => {
    const documents = [web, aPolicy('web', evenly)];
    const both = plan(anInput(documents, [eu, us]), tools);
    const left = plan(
      anInput(documents, [eu], { acknowledge: ['FLEET_SHRANK'] }, { lock: both.lock }),
      tools,
    );

    const back = plan(anInput(documents, [eu, us], {}, { lock: left.lock }), tools);

    expect(back.changes.filter((c) => c.action === 'delete')).toMatchObject([
      { cluster: 'us-1', resource: { kind: 'Deployment', name: 'web' } },
    ]);
    expect(back.lock.tombstones).toEqual([]);
  });
});

describe('one object in two versions of its kind', () => {
  const report = (apiVersion: string): KubeObject => ({
    apiVersion,
    kind: 'CronJob',
    metadata: { name: 'report', namespace: 'shop' },
    spec: {
      schedule: '0 3 * * *',
      jobTemplate: {
        spec: { template: { spec: { containers: [{ name: 'report', image: 'report:1' }] } } },
      },
    },
  });
  const policy = aPolicy(
    'report',
    {},
    {
      resourceSelectors: ['batch/v1', 'batch/v2alpha1'].map((apiVersion) => ({
        apiVersion,
        kind: 'CronJob',
      })),
    },
  );
  const served = (apiVersion: string): typeof eu => ({
    ...eu,
    status: {
      ...eu.status,
      apiEnablements: [
        ...(eu.status?.apiEnablements ?? []),
        { groupVersion: apiVersion, resources: [{ kind: 'CronJob', name: 'cronjobs' }] },
      ],
    },
  });

  test('listed in another version than it was written in, it is no surplus', () => {
    const documents = [report('batch/v1'), policy];
    const { lock, releases } = plan(anInput(documents, [eu]), tools);
    const stored = releases[0]?.manifests.find(({ resource }) => resource.kind === 'CronJob');
    const listed = { ...(stored?.object as KubeObject), apiVersion: 'batch/v0' };

    const again = plan(
      anInput(documents, [eu], {}, { lock, live: { members: { 'eu-1': [listed] } } }),
      tools,
    );

    expect(again.changes.filter(({ resource }) => resource.kind === 'CronJob')).toMatchObject([
      { action: 'none' },
    ]);
  });

  test('written in another version than before, it is changed and not removed', () => {
    const before = plan(anInput([report('batch/v1'), policy], [eu]), tools);

    const after = plan(
      anInput(
        [report('batch/v2alpha1'), policy],
        [served('batch/v2alpha1')],
        {},
        { lock: before.lock },
      ),
      tools,
    );

    expect(after.changes.filter(({ resource }) => resource.kind === 'CronJob')).toMatchObject([
      { action: 'update', resource: { apiVersion: 'batch/v2alpha1' } },
    ]);
    expect(after.lock.bindings).toHaveLength(1);
  });
});

describe('documents of other kinds', () => {
  test('KIND_NOT_ACTED_ON names a federated kind for target members, and only there', () => {
    const hpa: KubeObject = {
      apiVersion: 'autoscaling.karmada.io/v1alpha1',
      kind: 'CronFederatedHPA',
      metadata: { name: 'web', namespace: 'shop' },
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
        rules: [{ name: 'up', schedule: '0 9 * * *', targetReplicas: 5 }],
      },
    };
    const documents = [web, aPolicy('web', evenly), hpa];

    expect(codes(plan(anInput(documents, [eu]), tools))).toContain('warning KIND_NOT_ACTED_ON');
    expect(codes(plan(anInput(documents, [eu], { target: 'karmada' }), tools))).not.toContain(
      'warning KIND_NOT_ACTED_ON',
    );
  });

  test('ROLLOUT_DUPLICATE: an application has one Rollout', () => {
    const one = ours('Rollout', 'a', { waves: [{ name: 'all' }] });
    const two = ours('Rollout', 'b', { waves: [{ name: 'all' }] });

    expect(codes(plan(anInput([web, aPolicy('web', evenly), one, two], [eu]), tools))).toContain(
      'error ROLLOUT_DUPLICATE',
    );
  });

  test('a custom resource may be planned together with its CRD', () => {
    const crd: KubeObject = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'shops.example.org' },
      spec: {
        group: 'example.org',
        scope: 'Namespaced',
        names: { kind: 'Shop', plural: 'shops' },
        versions: [{ name: 'v1', served: true, storage: true }],
      },
    };
    const shop: KubeObject = {
      apiVersion: 'example.org/v1',
      kind: 'Shop',
      metadata: { name: 'first', namespace: 'shop' },
    };
    const policies: KubeObject[] = [
      {
        apiVersion: 'policy.karmada.io/v1alpha1',
        kind: 'ClusterPropagationPolicy',
        metadata: { name: 'crd' },
        spec: {
          resourceSelectors: [{ apiVersion: crd.apiVersion, kind: crd.kind }],
          placement: {},
        },
      },
      aPolicy('first', {}, { resourceSelectors: [{ apiVersion: shop.apiVersion, kind: 'Shop' }] }),
    ];

    const result = plan(anInput([crd, shop, ...policies], [eu]), tools);
    const [release] = result.releases;

    expect(codes(result)).toEqual([]);
    expect(release?.manifests.map((m) => m.resource.kind)).toEqual([
      'CustomResourceDefinition',
      'Namespace',
      'Shop',
    ]);
    expect(
      codes(plan(anInput([crd, shop, ...policies], [eu], { profile: 'karmada' }), tools)),
    ).toContain('error PLACEMENT_NO_CLUSTER_FITS');
  });
});

describe('secrets', () => {
  const secret: KubeObject = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'web', namespace: 'shop' },
    stringData: { password: 'hunter2' },
  };
  const user = aDeployment('web', 1, { volumes: [{ name: 's', secret: { secretName: 'web' } }] });

  test('no value and no hash of one reaches the lock or a diagnostic', () => {
    const one = plan(anInput([user, secret, aPolicy('web', {})], [eu]), tools);
    const other = plan(
      anInput([user, { ...secret, stringData: { password: 'other' } }, aPolicy('web', {})], [eu]),
      tools,
    );

    expect(JSON.stringify(one.lock)).toBe(JSON.stringify(other.lock));
    expect(JSON.stringify([one.lock, one.diagnostics, one.bindings])).not.toContain('hunter2');
  });

  test('what kubectl remembered of it goes nowhere', () => {
    const annotations = {
      'kubectl.kubernetes.io/last-applied-configuration': '{"stringData":{"password":"hunter2"}}',
    };
    const copied = { ...secret, stringData: {}, metadata: { ...secret.metadata, annotations } };

    const result = plan(anInput([user, copied, aPolicy('web', {})], [eu]), tools);

    expect(JSON.stringify(result)).not.toContain('hunter2');
  });

  test('a changed value changes the revision that the gate looks for', () => {
    const revision = (value: string): string | undefined =>
      plan(
        anInput([user, { ...secret, stringData: { password: value } }, aPolicy('web', {})], [eu]),
        tools,
      ).releases[0]?.manifests.find((m) => m.resource.kind === 'Secret')?.revision;

    expect(revision('a')).not.toBe(revision('b'));
  });
});

describe('garbage', () => {
  const good = [
    web,
    aPolicy('web', evenly),
    ours('Rollout', 'r', { waves: [{ name: 'a', percentage: 50 }, { name: 'b' }] }),
    ours('Check', 'c', { survivesLossOf: 'region', minAvailablePercent: 1 }),
  ];
  const junk = fc.oneof(
    fc.constant(null),
    fc.boolean(),
    fc.integer(),
    fc.string(),
    fc.constant([]),
    fc.constant({}),
    fc.constant(['x', null]),
  );

  /** Every path of a document, as lists of keys. */
  function paths(value: unknown, at: string[] = []): string[][] {
    if (typeof value !== 'object' || value === null) return [at];
    return [at, ...Object.entries(value).flatMap(([key, child]) => paths(child, [...at, key]))];
  }

  function withJunk(value: unknown, [key, ...rest]: readonly string[], put: unknown): unknown {
    if (key === undefined) return put;
    if (Array.isArray(value))
      return value.map((item, i) =>
        String(i) === key ? withJunk(item, rest, put) : (item as unknown),
      );
    return {
      ...(value as object),
      [key]: withJunk((value as Record<string, unknown>)[key], rest, put),
    };
  }

  test('anything anywhere below metadata and spec is a diagnostic, never an exception', () => {
    const documents = [...good, eu as unknown as KubeObject];
    fc.assert(
      fc.property(fc.nat(documents.length - 1), fc.nat(), junk, (which, where, put) => {
        const document = documents[which] as KubeObject;
        const places = paths(document).filter(
          (path) =>
            path.length > 1 &&
            path[0] !== 'apiVersion' &&
            path[0] !== 'kind' &&
            path.join('.') !== 'metadata.name',
        );
        const broken = withJunk(document, places[where % places.length] ?? [], put) as KubeObject;
        const isFleet = which === documents.length - 1;
        const input: PlanInput = isFleet
          ? anInput(good, [broken as never, us])
          : anInput(
              good.map((d, i) => (i === which ? broken : d)),
              [eu, us],
            );

        expect(plan(input, tools).schemaVersion).toBe(1);
      }),
      { numRuns: Number(process.env['FLEETWRIGHT_PROPERTY_RUNS'] ?? 400) },
    );
  });
});

test.each(['FederatedQuotaEnforcement', 'ResourceQuotaEstimate'])(
  'GATE_NOT_FORESEEN: with gate %s the plan says what it cannot see',
  (gate) => {
    const input = anInput([], [aCluster('eu-1')], { gates: { [gate]: true } });

    expect(codes(plan(input, tools))).toEqual(['warning GATE_NOT_FORESEEN']);
  },
);
