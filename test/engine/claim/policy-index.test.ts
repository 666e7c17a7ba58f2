import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { indexPolicies, matchingPolicies } from '../../../lib/engine/claim/policy-index.js';
import { asPolicy, type Policy } from '../../../lib/engine/claim/policy.js';
import { implicitPriority } from '../../../lib/engine/claim/selector.js';
import type { KubeObject } from '../../../lib/api/object.js';
import { aClusterPolicy, aDeployment, aPolicy } from './builders.js';

const namespace = fc.constantFrom('shop', 'other');
const name = fc.constantFrom('web', 'api');
const labels = fc.dictionary(fc.constantFrom('app', 'tier'), fc.constantFrom('x', 'y'), {
  maxKeys: 2,
});

const labelSelector = fc.record(
  {
    matchLabels: labels,
    matchExpressions: fc.array(
      fc.record({
        key: fc.constantFrom('app', 'tier'),
        operator: fc.constantFrom('In', 'NotIn', 'Exists'),
        values: fc.subarray(['x', 'y']),
      }),
      { maxLength: 2 },
    ),
  },
  { requiredKeys: [] },
);

const selector = fc.record(
  {
    apiVersion: fc.constantFrom('apps/v1', 'v1'),
    kind: fc.constant('Deployment'),
    namespace,
    name,
    labelSelector,
  },
  { requiredKeys: ['apiVersion', 'kind'] },
);

const policy = fc
  .record({
    isWide: fc.boolean(),
    namespace,
    priority: fc.integer({ min: -1, max: 1 }),
    resourceSelectors: fc.array(selector, { minLength: 1, maxLength: 3 }),
    isDeleting: fc.boolean(),
  })
  .map((p) => (id: number): Policy => {
    const spec = { priority: p.priority, resourceSelectors: p.resourceSelectors };
    const deletion =
      p.isDeleting && id % 4 === 0 ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {};
    return asPolicy(
      p.isWide
        ? aClusterPolicy(`p${id}`, spec, deletion)
        : aPolicy(`p${id}`, spec, { namespace: p.namespace, ...deletion }),
    );
  });

/** Every policy against every template, as the rules are written down. */
function matchesByHand(policies: readonly Policy[], template: KubeObject): string[] {
  const scope = (one: Policy): number => (one.kind === 'PropagationPolicy' ? 0 : 1);
  return policies
    .filter((one) => one.metadata.deletionTimestamp === undefined)
    .filter((one) => scope(one) === 1 || one.metadata.namespace === template.metadata.namespace)
    .map((one) => ({ one, level: implicitPriority(one.spec.resourceSelectors, template) }))
    .filter(({ level }) => level > 0)
    .sort(
      (a, b) =>
        scope(a.one) - scope(b.one) ||
        (b.one.spec.priority ?? 0) - (a.one.spec.priority ?? 0) ||
        b.level - a.level ||
        ((a.one.metadata.name ?? '') < (b.one.metadata.name ?? '') ? -1 : 1),
    )
    .map(({ one, level }) => `${one.kind} ${one.metadata.name} ${level}`);
}

test('the index finds what looking at every policy finds, in the same order', () => {
  fc.assert(
    fc.property(fc.array(policy, { maxLength: 8 }), namespace, name, labels, (makers, ns, n, l) => {
      const policies = makers.map((make, i) => make(i));
      const template = aDeployment({ namespace: ns, name: n, labels: l });

      const found = matchingPolicies(indexPolicies(policies), template);

      expect(found.map(({ policy: p, level }) => `${p.kind} ${p.metadata.name} ${level}`)).toEqual(
        matchesByHand(policies, template),
      );
    }),
    { numRuns: 400 },
  );
});
