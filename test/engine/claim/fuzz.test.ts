import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { KubeObject } from '../../../lib/api/object.js';
import { diagnoseUnclaimed } from '../../../lib/engine/claim/diagnose-unclaimed.js';
import { followDependencies } from '../../../lib/engine/dependencies/index.js';
import { refKey, refOf } from '../../../lib/engine/object.js';
import { aPolicy, claimsOf, selectByLabel, selecting } from './builders.js';

/** Members with names that the engine looks at, and anything for a value. */
const garbage: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium' },
    fc.constantFrom<unknown>(null, true, 0, '', 'web', [], {}),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(
      fc.constantFrom(
        'selector',
        'matchLabels',
        'matchExpressions',
        'key',
        'operator',
        'values',
        'template',
        'metadata',
        'labels',
        'spec',
        'containers',
        'volumes',
        'secret',
        'subjects',
        'roleRef',
        'scaleTargetRef',
        'name',
      ),
      tie('value'),
      { maxKeys: 4 },
    ),
  ),
})).value;

const kinds = fc.constantFrom(
  ['apps/v1', 'Deployment'],
  ['v1', 'Service'],
  ['policy/v1', 'PodDisruptionBudget'],
  ['autoscaling/v2', 'HorizontalPodAutoscaler'],
  ['rbac.authorization.k8s.io/v1', 'RoleBinding'],
);

const template = fc
  .tuple(kinds, fc.constantFrom('web', 'api'), garbage, garbage, garbage)
  .map(([[apiVersion = '', kind = ''], name, labels, spec, subjects]): KubeObject => {
    const metadata = { name, namespace: 'shop', labels, annotations: labels };
    return {
      apiVersion,
      kind,
      metadata,
      spec,
      subjects,
      roleRef: subjects,
    } as unknown as KubeObject;
  });

test('templates of any shape are claimed, followed and reported without an exception', () => {
  const policies = [
    aPolicy('a', selecting(selectByLabel), { annotations: { 'fleetwright.dev/follow': 'all' } }),
    aPolicy('b', {}, { annotations: { 'fleetwright.dev/follow': 'all' } }),
  ];
  fc.assert(
    fc.property(
      fc.uniqueArray(template, { selector: (t) => refKey(refOf(t)), maxLength: 6 }),
      (templates) => {
        const { claims } = claimsOf({ templates, policies });
        const leaders = claims.flatMap(({ key, resource, template: document, policyDocument }) =>
          policyDocument === undefined
            ? []
            : [{ key, resource, template: document, policyDocument, clusters: [{ name: 'eu-1' }] }],
        );

        const { followers } = followDependencies({
          templates: claims.map((claim) => claim.template),
          leaders,
          references: () => [{ apiVersion: 'v1', kind: 'Service', namespace: 'shop', name: 'api' }],
          profile: 'default',
          gates: { PropagateDeps: true },
        });
        const placed = new Set(followers.map(({ key }) => key));

        const lost = diagnoseUnclaimed(claims, (key) => placed.has(key), []);
        expect(claims).toHaveLength(templates.length);
        expect(lost.length + leaders.length + placed.size).toBeGreaterThanOrEqual(templates.length);
      },
    ),
    { numRuns: 500 },
  );
});
