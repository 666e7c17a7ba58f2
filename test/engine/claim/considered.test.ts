import { describe, expect, test } from '@jest/globals';
import {
  isChange,
  isKarmadasOwnChange,
  reasonToIgnore,
} from '../../../lib/engine/claim/considered.js';
import { aDeployment } from './builders.js';

describe('a template is ignored', () => {
  const inNamespace = (namespace: string, skipped: string[]): string | undefined =>
    reasonToIgnore(aDeployment({ namespace }), skipped);

  test.each([
    { namespace: 'shop', skipped: ['kube-.*'], isIgnored: false },
    { namespace: 'kube-system', skipped: ['kube-.*'], isIgnored: true },
    { namespace: 'kube-system', skipped: [], isIgnored: false },
    { namespace: 'my-kube-x', skipped: ['kube-.*'], isIgnored: false },
    { namespace: 'karmada-cluster', skipped: [], isIgnored: true },
    { namespace: 'a(b', skipped: ['a(b'], isIgnored: true },
  ])('in $namespace with $skipped skipped: $isIgnored', ({ namespace, skipped, isIgnored }) => {
    expect(inNamespace(namespace, skipped) !== undefined).toBe(isIgnored);
  });

  test('but not for lack of a namespace', () => {
    const role = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'x' },
    };

    expect(reasonToIgnore(role, ['.*'])).toBeUndefined();
  });
});

describe('an update', () => {
  const before = aDeployment({ generation: 1 });

  test.each([
    {
      name: 'of status and bookkeeping',
      after: { ...aDeployment({ generation: 1, resourceVersion: '9' }), status: { x: 1 } },
      change: false,
      karmadas: true,
    },
    {
      name: 'of the generation alone',
      after: aDeployment({ generation: 2 }),
      change: true,
      karmadas: true,
    },
    {
      name: 'of Karmada’s labels',
      after: aDeployment({ generation: 1, labels: { tier: 'gold', 'x.karmada.io/y': 'z' } }),
      change: true,
      karmadas: true,
    },
    {
      name: 'of the one such label that users write',
      after: aDeployment({
        generation: 1,
        labels: { tier: 'gold', 'namespace.karmada.io/skip-auto-propagation': 'true' },
      }),
      change: true,
      karmadas: false,
    },
    {
      name: 'of other labels',
      after: aDeployment({ generation: 1, labels: {} }),
      change: true,
      karmadas: false,
    },
  ])('$name', ({ after, change, karmadas }) => {
    expect(isChange(before, after)).toBe(change);
    expect(isKarmadasOwnChange(before, after)).toBe(karmadas);
  });
});
