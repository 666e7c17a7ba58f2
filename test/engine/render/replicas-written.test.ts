import { describe, expect, test } from '@jest/globals';
import { plan } from '../../../lib/engine/index.js';
import type { InterpreterDefinition } from '../../../lib/engine/interpret/index.js';
import { defineInterpreter } from '../../../lib/engine/interpret/index.js';
import type { KubeObject } from '../../../lib/engine/object.js';
import type { Plan } from '../../../lib/engine/plan.js';
import { planApplication } from '../../../lib/providers/plan-application.js';
import { standardTools } from '../../../lib/providers/tools.js';
import { aCluster, aDeployment, anInput, aPolicy } from '../../builders.js';

type Widget = KubeObject & { readonly spec: { readonly nodes: number } };
type Rules = Omit<InterpreterDefinition<Widget>, 'kinds'>;

const kind = { apiVersion: 'acme.io/v1', kind: 'Widget' };
const widget: KubeObject = {
  ...kind,
  metadata: { name: 'cache', namespace: 'shop' },
  spec: { nodes: 6 },
};
const fleet = ['m1', 'm2', 'm3'].map((name) => {
  const cluster = aCluster(name);
  const apis = [
    { groupVersion: 'acme.io/v1', resources: [{ kind: 'Widget', name: 'widgets' }] },
    {
      groupVersion: 'autoscaling/v2',
      resources: [{ kind: 'HorizontalPodAutoscaler', name: 'horizontalpodautoscalers' }],
    },
    { groupVersion: 'ray.io/v1', resources: [{ kind: 'RayService', name: 'rayservices' }] },
  ];
  const { status } = cluster;
  return {
    ...cluster,
    status: { ...status, apiEnablements: [...(status?.apiEnablements ?? []), ...apis] },
  };
});
const evenly = {
  replicaScheduling: { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Weighted' },
};
const counts: Rules = { interpretReplica: ({ spec }) => spec.nodes };
const revises: Rules = {
  ...counts,
  reviseReplica: (object, nodes) => ({ ...object, spec: { ...object.spec, nodes } }),
};

function place(template: KubeObject, placement: object = evenly): KubeObject {
  const { apiVersion, kind: of } = template;
  return aPolicy('p', placement, { resourceSelectors: [{ apiVersion, kind: of }] });
}

function anOverride(plaintext: object, targetCluster?: object): KubeObject {
  return {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'OverridePolicy',
    metadata: { name: 'count', namespace: 'shop' },
    spec: {
      resourceSelectors: [
        { apiVersion: 'apps/v1', kind: 'Deployment' },
        { apiVersion: 'batch/v1', kind: 'Job' },
        kind,
      ],
      overrideRules: [
        { overriders: { labelsOverrider: [{ operator: 'add', value: { a: 'b' } }] } },
        {
          overriders: { plaintext: [plaintext] },
          ...(targetCluster !== undefined && { targetCluster }),
        },
      ],
    },
  };
}

function planOf(documents: readonly KubeObject[], rules?: Rules, profile = 'default'): Plan {
  return plan(
    anInput(documents, fleet, { profile: profile as 'default' }),
    standardTools(
      rules === undefined ? [] : [defineInterpreter<Widget>({ kinds: [kind], ...rules })],
    ),
  );
}

function unwritten(result: Plan): string[] {
  return result.diagnostics
    .filter(({ code }) => code === 'REPLICAS_NOT_WRITTEN')
    .map(({ severity, summary }) => `${severity}: ${summary}`);
}

describe('REPLICAS_NOT_WRITTEN: manifests ask for other counts than the plan divides', () => {
  test.each(['default', 'karmada'])('a kind without ReviseReplica, profile %s', (profile) => {
    const result = planOf([widget, place(widget)], counts, profile);

    expect(unwritten(result)).toEqual([
      'warning: The plan divides 6 replicas of Widget shop/cache, but its manifests ask for 18: 6 instead of 2 on m1, m2, m3.',
    ]);
    expect(result.diagnostics).toContainEqual(
      expect.objectContaining({
        code: 'REPLICAS_NOT_WRITTEN',
        resource: { ...kind, namespace: 'shop', name: 'cache' },
        hint: expect.stringContaining('Teach the kind ReviseReplica') as unknown,
      }),
    );
    expect(result.applicable).toBe(true);
  });

  test('a ReviseReplica that ignores its argument', () => {
    const result = planOf([widget, place(widget)], {
      ...counts,
      reviseReplica: (object) => object,
    });

    expect(unwritten(result)).toEqual([
      'warning: The plan divides 6 replicas of Widget shop/cache, but its manifests ask for 18: 6 instead of 2 on m1, m2, m3.',
    ]);
    expect(result.diagnostics.find(({ code }) => code === 'REPLICAS_NOT_WRITTEN')?.hint).toContain(
      'ReviseReplica of this kind',
    );
  });

  test('a ReviseReplica in Lua that ignores its argument', () => {
    const customization: KubeObject = {
      apiVersion: 'config.karmada.io/v1alpha1',
      kind: 'ResourceInterpreterCustomization',
      metadata: { name: 'widgets' },
      spec: {
        target: kind,
        customizations: {
          replicaResource: { luaScript: 'function GetReplicas(o) return o.spec.nodes, nil end' },
          replicaRevision: { luaScript: 'function ReviseReplica(o, n) return o end' },
        },
      },
    };

    expect(
      unwritten(planApplication(anInput([widget, place(widget), customization], fleet))),
    ).toHaveLength(1);
  });

  test('an override of the count is named, and only the clusters it reaches', () => {
    const web = aDeployment('web', 6);
    const override = anOverride(
      { path: '/spec/replicas', operator: 'replace', value: 50 },
      { clusterNames: ['m2'] },
    );
    const result = planOf([web, place(web), override]);

    expect(unwritten(result)).toEqual([
      'warning: The plan divides 6 replicas of Deployment shop/web, but its manifests ask for 54: 50 instead of 2 on m2.',
    ]);
    expect(result.diagnostics).toContainEqual(
      expect.objectContaining({
        code: 'REPLICAS_NOT_WRITTEN',
        resource: expect.objectContaining({ kind: 'OverridePolicy', name: 'count' }) as unknown,
        path: ['spec', 'overrideRules', 1],
      }),
    );
  });

  test('clusters that differ in different ways stand beside each other', () => {
    const template = { ...widget, spec: { nodes: 7 } };
    const result = planOf([template, place(template)], counts);

    expect(unwritten(result)).toEqual([
      expect.stringMatching(
        /The plan divides 7 replicas of Widget shop\/cache, but its manifests ask for 21: 7 instead of 2 on m\d, m\d; 7 instead of 3 on m\d\.$/,
      ),
    ]);
  });

  test('an override that takes the count away leaves the default of the API server', () => {
    const web = aDeployment('web', 6);
    const override = anOverride({ path: '/spec/replicas', operator: 'remove' });

    expect(unwritten(planOf([web, place(web), override]))).toEqual([
      'warning: The plan divides 6 replicas of Deployment shop/web, but its manifests ask for 3: 1 instead of 2 on m1, m2, m3.',
    ]);
  });

  test('a Job whose parallelism is overridden', () => {
    const job = aJob({ parallelism: 6, completions: 12 });
    const override = anOverride({ path: '/spec/parallelism', operator: 'replace', value: 9 });

    expect(unwritten(planOf([job, place(job), override]))).toEqual([
      'warning: The plan divides 6 replicas of Job shop/batch, but its manifests ask for 27: 9 instead of 2 on m1, m2, m3.',
    ]);
  });

  test('a count that an override made unreadable for its rule', () => {
    const override = anOverride({ path: '/spec', operator: 'remove' });

    expect(unwritten(planOf([widget, place(widget), override], revises))).toEqual([
      'warning: The plan divides 6 replicas of Widget shop/cache, but its manifests ask for another number: something unreadable instead of 2 on m1, m2, m3.',
    ]);
  });
});

describe('nothing is said', () => {
  const web = aDeployment('web', 6);
  const replicas = { path: '/spec/replicas', operator: 'replace', value: 50 };

  test('where the count is written', () => {
    expect(unwritten(planOf([widget, place(widget)], revises))).toEqual([]);
    expect(unwritten(planOf([web, place(web)]))).toEqual([]);
  });

  test('where the replicas are duplicated: an override is how their counts differ', () => {
    expect(unwritten(planOf([web, place(web, {}), anOverride(replicas)]))).toEqual([]);
    expect(unwritten(planOf([widget, place(widget, {})], counts))).toEqual([]);
  });

  test('of a Job, which runs no more pods than completions are left for it', () => {
    const job = aJob({ parallelism: 6, completions: 4 });

    expect(unwritten(planOf([job, place(job)]))).toEqual([]);
  });

  test('of a workload that an autoscaler counts', () => {
    const autoscaler: KubeObject = {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'web', namespace: 'shop' },
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
        minReplicas: 1,
        maxReplicas: 9,
      },
    };
    const override = anOverride({ path: '/spec/replicas', operator: 'remove' });

    const both = aPolicy('p', evenly, {
      resourceSelectors: [web, autoscaler].map(({ apiVersion, kind: of }) => ({
        apiVersion,
        kind: of,
      })),
    });

    expect(unwritten(planOf([web, autoscaler, both, override]))).toEqual([]);
  });

  test('of an object that lost its spec, which no cluster takes', () => {
    const result = planOf([web, place(web), anOverride({ path: '/spec', operator: 'remove' })]);

    expect(result.diagnostics.map(({ code }) => code)).toEqual(['OVERRIDE_VALUE_INVALID']);
  });

  test('of an override that leaves the count alone', () => {
    const image = {
      path: '/spec/template/spec/containers/0/image',
      operator: 'replace',
      value: 'x:1',
    };

    expect(unwritten(planOf([web, place(web), anOverride(image)]))).toEqual([]);
  });

  test('of a kind whose one replica stays on one cluster, with nowhere to write it', () => {
    const ray: KubeObject = {
      apiVersion: 'ray.io/v1',
      kind: 'RayService',
      metadata: { name: 'ray', namespace: 'shop' },
      spec: { rayClusterConfig: { headGroupSpec: { template: { spec: { containers: [] } } } } },
    };

    expect(unwritten(planOf([ray, place(ray)]))).toEqual([]);
  });
});

test('a rule is asked once for what several clusters share', () => {
  let asked = 0;
  planOf([widget, place(widget)], {
    ...revises,
    interpretReplica: ({ spec }) => {
      asked += 1;
      return spec.nodes;
    },
  });
  const before = asked;
  asked = 0;
  planOf([widget, place(widget, {})], {
    ...revises,
    interpretReplica: ({ spec }) => {
      asked += 1;
      return spec.nodes;
    },
  });

  expect(before - asked).toBe(1);
});

function aJob(spec: object): KubeObject {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'batch', namespace: 'shop' },
    spec: {
      ...spec,
      template: {
        metadata: {},
        spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'x:1' }] },
      },
    },
  };
}
