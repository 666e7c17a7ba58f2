import { expect, test } from '@jest/globals';
import type { Cluster } from '../../../lib/api/cluster.js';
import { describeOverrideTrace } from '../../../lib/engine/describe/index.js';
import { plan } from '../../../lib/engine/index.js';
import type { PlanInput } from '../../../lib/engine/input.js';
import { traceBinding } from '../../../lib/engine/render/index.js';
import { standardTools } from '../../../lib/providers/tools.js';
import { aCluster, anObject, aPolicy, aWorkload } from '../override/builders.js';

const PIN = { path: '/spec/replicas', operator: 'replace', value: 7 } as const;

function aFleetCluster(name: string): Cluster {
  const served = {
    groupVersion: 'apps/v1',
    resources: [{ name: 'deployments', kind: 'Deployment' }],
  };
  return { ...aCluster(name), status: { apiEnablements: [served] } };
}

function textOf(overridden: object): string {
  const template = aWorkload('Deployment', { containers: [] }, { replicas: 2 });
  const policy = anObject(
    'PropagationPolicy',
    {
      resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment' }],
      placement: {},
    },
    { apiVersion: 'policy.karmada.io/v1alpha1' },
  );
  const input: PlanInput = {
    documents: [template, policy, overridden as typeof policy].map((object) => ({ object })),
    fleet: { clusters: ['m1', 'm2', 'm3'].map(aFleetCluster) },
    now: '2026-01-02T00:00:00Z',
    options: { application: 'shop', profile: 'default', target: 'members' },
  };
  const [binding] = plan(input, standardTools()).bindings;
  if (binding === undefined) throw new Error('nothing was planned');
  return describeOverrideTrace(traceBinding(input, binding, standardTools()));
}

test('clusters with the same edits share a group; before is what the plan divided', () => {
  const targetCluster = { clusterNames: ['m1', 'm3'] };
  const overrides = aPolicy(
    'pin',
    {},
    {
      overrideRules: [{ targetCluster, overriders: { plaintext: [PIN] } }],
    },
  );

  expect(textOf(overrides)).toBe(
    [
      'Overrides',
      '  m1, m3',
      '    OverridePolicy shop/pin, rule 1',
      '      /spec/replicas  2 → 7',
      '  m2',
      '    as in the template',
      '',
    ].join('\n'),
  );
});

test('an edit that fails says why', () => {
  const overrides = aPolicy('pin', { plaintext: [{ ...PIN, path: '/spec/none' }] });

  expect(textOf(overrides)).toContain(
    'OverridePolicy shop/pin, rule 1: cannot change /spec/none: replace needs a path that exists',
  );
});
