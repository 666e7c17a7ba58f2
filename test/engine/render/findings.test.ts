import { expect, test } from '@jest/globals';
import type { RenderFailure } from '../../../lib/engine/render/index.js';
import { findRenderFaults } from '../../../lib/engine/render/index.js';

const WEB = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' };

function failure(cluster: string, kind: 'missing' | 'syntax' = 'missing'): RenderFailure {
  const policy = { kind: 'OverridePolicy', namespace: 'shop', name: 'mirror' } as const;
  const rule = { policy, position: 1, overriders: {} };
  return {
    resource: WEB,
    cluster,
    fault: {
      kind: 'override',
      fault: { kind, path: '/spec/none', message: 'the path leads nowhere', rule },
    },
  };
}

test('a missing path is one finding about the policy, naming object, path and clusters', () => {
  const findings = findRenderFaults(
    ['m4', 'm1', 'm3', 'm2'].map((m) => failure(m)),
    'default',
  );

  expect(findings).toMatchObject([
    {
      code: 'OVERRIDE_PATH_MISSING',
      severity: 'error',
      summary:
        'OverridePolicy shop/mirror (rule 2) cannot change /spec/none of Deployment shop/web for m1, m2, m3 and 1 more cluster: the path leads nowhere.',
      resource: { kind: 'OverridePolicy', namespace: 'shop', name: 'mirror' },
      path: ['spec', 'overrideRules', 1],
    },
  ]);
});

test('other faults have a code of their own', () => {
  expect(findRenderFaults([failure('m1', 'syntax')], 'default')).toMatchObject([
    { code: 'OVERRIDE_FAILED' },
  ]);
});

test('in profile karmada it is a warning: Karmada goes on without that cluster', () => {
  expect(findRenderFaults([failure('m1')], 'karmada')).toMatchObject([{ severity: 'warning' }]);
});

test('a template that cannot be rendered is a finding about itself', () => {
  const fault = {
    kind: 'template',
    message: 'spec.replicas of Deployment web is not a whole number',
  } as const;

  expect(findRenderFaults([{ resource: WEB, cluster: 'm1', fault }], 'default')).toMatchObject([
    { code: 'TEMPLATE_UNREADABLE', resource: WEB },
  ]);
});
