import { describe, expect, test } from '@jest/globals';
import type { PlanOptions } from '../../../lib/engine/input.js';
import { plan } from '../../../lib/engine/index.js';
import type { KubeObject } from '../../../lib/engine/object.js';
import type { Plan } from '../../../lib/engine/plan.js';
import { traceBinding } from '../../../lib/engine/render/index.js';
import { standardTools } from '../../../lib/providers/tools.js';
import { aCluster, aDeployment, anInput, aPolicy } from '../../builders.js';

const tools = standardTools();
const fleet = ['m1', 'm2', 'm3'].map((name) => aCluster(name));
const everywhere = { clusterAffinity: {} };

interface Edit {
  readonly path: string;
  readonly operator: 'add' | 'replace' | 'remove';
  readonly value?: unknown;
}

function anOverride(rules: readonly (readonly Edit[])[], kind = 'OverridePolicy'): KubeObject {
  return {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind,
    metadata: { name: 'edit', ...(kind === 'OverridePolicy' && { namespace: 'shop' }) },
    spec: {
      resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }],
      overrideRules: rules.map((plaintext) => ({ overriders: { plaintext } })),
    },
  };
}

function inputWith(
  override: KubeObject,
  options: Partial<PlanOptions> = {},
): ReturnType<typeof anInput> {
  return anInput([aDeployment('web', 2), aPolicy('web', everywhere), override], fleet, options);
}

function planWith(...args: Parameters<typeof inputWith>): Plan {
  return plan(inputWith(...args), tools);
}

function written(result: Plan): string[] {
  return result.releases.flatMap(({ manifests }) =>
    manifests.filter(({ resource }) => resource.kind === 'Deployment').map((m) => m.resource.name),
  );
}

describe('OVERRIDE_CHANGES_IDENTITY: an override may not make another object', () => {
  test.each<[string, Edit, string, string]>([
    [
      'the name',
      { path: '/metadata/name', operator: 'replace', value: 'zz' },
      '/metadata/name',
      'metadata.name is "zz" where it was "web"',
    ],
    [
      'the namespace',
      { path: '/metadata/namespace', operator: 'replace', value: 'kube-system' },
      '/metadata/namespace',
      'metadata.namespace is "kube-system" where it was "shop"',
    ],
    [
      'the kind',
      { path: '/kind', operator: 'replace', value: 'Secret' },
      '/kind',
      'kind is "Secret" where it was "Deployment"',
    ],
    [
      'the version',
      { path: '/apiVersion', operator: 'replace', value: 'apps/v1beta1' },
      '/apiVersion',
      'apiVersion is "apps/v1beta1" where it was "apps/v1"',
    ],
    [
      'a name that is no text',
      { path: '/metadata/name', operator: 'replace', value: 5 },
      '/metadata/name',
      'metadata.name is missing where it was "web"',
    ],
    [
      'all metadata removed',
      { path: '/metadata', operator: 'remove' },
      '/metadata/name',
      'metadata.name is missing where it was "web", metadata.namespace is missing where it was "shop"',
    ],
    [
      'metadata as a text',
      { path: '/metadata', operator: 'replace', value: 'x' },
      '/metadata/name',
      'metadata.name is missing where it was "web", metadata.namespace is missing where it was "shop"',
    ],
  ])('%s', (_, edit, path, what) => {
    const result = planWith(anOverride([[edit]]));

    expect(result.diagnostics).toMatchObject([
      {
        code: 'OVERRIDE_CHANGES_IDENTITY',
        severity: 'error',
        summary: `OverridePolicy shop/edit (rule 1) cannot change ${path} of Deployment shop/web for m1, m2, m3: it would be another object: ${what}.`,
        resource: { kind: 'OverridePolicy', namespace: 'shop', name: 'edit' },
        path: ['spec', 'overrideRules', 0],
      },
    ]);
    expect(result.applicable).toBe(false);
    expect(written(result)).toEqual([]);
  });

  test('in profile karmada it is an error as well: the plan would not be true', () => {
    const edit: Edit = { path: '/metadata/name', operator: 'replace', value: 'zz' };

    for (const target of ['members', 'karmada'] as const) {
      const result = planWith(anOverride([[edit]]), { profile: 'karmada', target });

      expect(result.diagnostics).toMatchObject([
        { code: 'OVERRIDE_CHANGES_IDENTITY', severity: 'error' },
      ]);
    }
  });

  test('the rule is named that made the difference, and not those around it', () => {
    const label: Edit = { path: '/metadata/labels/a', operator: 'add', value: 'b' };
    const name: Edit = { path: '/metadata/name', operator: 'replace', value: 'zz' };

    expect(planWith(anOverride([[label], [name], [label]])).diagnostics).toMatchObject([
      { code: 'OVERRIDE_CHANGES_IDENTITY', path: ['spec', 'overrideRules', 1] },
    ]);
  });

  test('rules that give the old name back in the end are fine', () => {
    const to = (value: string): Edit => ({ path: '/metadata/name', operator: 'replace', value });
    const result = planWith(anOverride([[to('zz')], [to('web')]]));

    expect(result.diagnostics.map(({ code }) => code)).not.toContain('OVERRIDE_CHANGES_IDENTITY');
    expect(written(result)).toEqual(['web', 'web', 'web']);
  });

  test('cluster-wide policies that leave no metadata are a finding, beside namespaced ones', () => {
    const input = inputWith(
      anOverride([[{ path: '/metadata', operator: 'remove' }]], 'ClusterOverridePolicy'),
    );
    const other = anOverride([[{ path: '/metadata/labels/a', operator: 'add', value: 'b' }]]);
    const result = plan({ ...input, documents: [...input.documents, { object: other }] }, tools);

    expect(result.diagnostics).toContainEqual(
      expect.objectContaining({ code: 'OVERRIDE_CHANGES_IDENTITY', severity: 'error' }),
    );
  });

  test('a later rule that edits metadata which is gone fails no plan', () => {
    const override = anOverride([[{ path: '/metadata', operator: 'remove' }], []]);
    const labelling = {
      ...override,
      spec: {
        ...(override['spec'] as object),
        overrideRules: [
          { overriders: { plaintext: [{ path: '/metadata', operator: 'remove' }] } },
          { overriders: { labelsOverrider: [{ operator: 'add', value: { a: 'b' } }] } },
        ],
      },
    };

    expect(planWith(labelling).diagnostics).toContainEqual(
      expect.objectContaining({ code: 'OVERRIDE_CHANGES_IDENTITY' }),
    );
  });

  test('explain shows the rule as the one that cannot be applied', () => {
    const input = inputWith(
      anOverride([[{ path: '/metadata/name', operator: 'replace', value: 'zz' }]]),
    );
    const [binding] = plan(input, tools).bindings;

    expect(binding && traceBinding(input, binding, tools)).toMatchObject([
      { steps: [{ rule: 'rule 1', changes: [], fault: { path: '/metadata/name' } }] },
    ]);
  });
});

describe('OVERRIDE_VALUE_INVALID: what a kind cannot be without', () => {
  test.each<[string, Edit, string]>([
    ['no spec', { path: '/spec', operator: 'remove' }, 'nothing'],
    ['a null spec', { path: '/spec', operator: 'replace', value: null }, 'nothing'],
    ['a text as spec', { path: '/spec', operator: 'replace', value: 'x' }, '"x"'],
    ['a list as spec', { path: '/spec', operator: 'replace', value: [] }, 'a list'],
  ])('%s', (_, edit, seen) => {
    const result = planWith(anOverride([[edit]]));

    expect(result.diagnostics).toMatchObject([
      {
        code: 'OVERRIDE_VALUE_INVALID',
        severity: 'error',
        summary: `OverridePolicy shop/edit (rule 1) sets /spec of Deployment shop/web for m1, m2, m3 to ${seen}, but it must be a map.`,
      },
    ]);
  });
});
