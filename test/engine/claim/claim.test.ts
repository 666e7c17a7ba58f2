import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  aClusterPolicy,
  aDeployment,
  aLock,
  aPolicy,
  claimOf,
  claimsOf,
  clusterWide,
  frozen,
  namespaced,
  selectAll,
  selectByLabel,
  selectByName,
  selecting,
} from './builders.js';

describe('a template without an owner', () => {
  test.each([
    {
      name: 'goes to the policy that names it rather than one that selects its label',
      policies: [aPolicy('p2', selecting(selectByLabel)), aPolicy('p1', selecting(selectByName))],
      owner: 'p1',
    },
    {
      name: 'goes to the higher priority, however it is selected',
      policies: [aPolicy('p1', selecting(selectByName)), aPolicy('p2', { priority: 1 })],
      owner: 'p2',
    },
    {
      name: 'goes to the smaller name when all else is equal',
      policies: [
        aPolicy('beta', selecting(selectByLabel)),
        aPolicy('alpha', selecting(selectByLabel)),
      ],
      owner: 'alpha',
    },
    {
      name: 'goes to the namespaced policy, whatever the priorities',
      policies: [
        aPolicy('p1', { priority: -5 }),
        aClusterPolicy('c1', { priority: 100, ...selecting(selectByName) }),
      ],
      owner: 'p1',
    },
    {
      name: 'is not seen by policies of other namespaces',
      policies: [aPolicy('p1', {}, { namespace: 'other' }), aClusterPolicy('c1')],
      owner: 'c1',
    },
    {
      name: 'prefers an empty label selector to none',
      policies: [aPolicy('a0'), aPolicy('p1', selecting({ ...selectAll, labelSelector: {} }))],
      owner: 'p1',
    },
    {
      name: 'is not matched by label where the selector has a name',
      policies: [aPolicy('p1', selecting({ ...selectByLabel, name: 'api' })), aPolicy('p2')],
      owner: 'p2',
    },
    {
      name: 'is matched by the best selector of a policy',
      policies: [
        aPolicy('p1', selecting(selectAll, selectByName)),
        aPolicy('a0', selecting(selectByLabel)),
      ],
      owner: 'p1',
    },
    {
      name: 'is not matched by a policy that is being deleted',
      policies: [
        aPolicy('p9', { priority: 9 }, { deletionTimestamp: '2026-01-01T00:00:00Z' }),
        aPolicy('p1'),
      ],
      owner: 'p1',
    },
    {
      name: 'waits with its best policy for an override policy; the others do not step in',
      policies: [
        aPolicy('p9', { priority: 9, dependentOverrides: ['missing'] }),
        aClusterPolicy('c1'),
      ],
      owner: undefined,
    },
    {
      name: 'is not matched by a malformed label selector',
      policies: [
        aPolicy(
          'p1',
          selecting({
            ...selectAll,
            labelSelector: { matchExpressions: [{ key: 'tier', operator: 'Has' }] },
          }),
        ),
      ],
      owner: undefined,
    },
  ])('$name', ({ policies, owner }) => {
    expect(claimOf({ policies }).policy?.name).toBe(owner);
  });

  test('of no namespace is seen by cluster-wide policies only', () => {
    const role = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'view' },
    };
    const selector = { apiVersion: role.apiVersion, kind: role.kind };

    const claim = claimOf({
      templates: [role],
      policies: [aPolicy('p1', selecting(selector)), aClusterPolicy('c1', selecting(selector))],
    });

    expect(claim.policy).toEqual(clusterWide('c1'));
  });

  test.each([
    ['kube-system', 'namespace "kube-system" is skipped (pattern "kube-.*")'],
    ['karmada-es-eu-1', 'namespace "karmada-es-eu-1" is Karmada\'s own'],
  ])('in namespace %s is left alone', (namespace, why) => {
    const claim = claimOf({
      templates: [aDeployment({ namespace })],
      policies: [aClusterPolicy('c1')],
    });

    expect(claim).toMatchObject({ outcome: 'ignored', policy: null, why });
  });

  test('that belongs to something else is left alone', () => {
    const labels = { 'resourcetemplate.karmada.io/claimed-by': 'multiclusterservice' };

    const claim = claimOf({ templates: [aDeployment({ labels })], policies: [aPolicy('p1')] });

    expect(claim.outcome).toBe('ignored');
  });
});

describe('a template with an owner in the lock', () => {
  const always = { preemption: 'Always', ...selecting(selectByName) };

  test.each([
    {
      name: 'stays when a policy of higher priority appears',
      policies: [
        aPolicy('old', { priority: 1 }),
        aPolicy('new', { priority: 2, ...selecting(selectByName) }),
      ],
      owner: 'old',
    },
    {
      name: 'is taken over by a preempting policy of higher priority',
      policies: [aPolicy('old', { priority: 1 }), aPolicy('new', { priority: 2, ...always })],
      owner: 'new',
    },
    {
      name: 'stays with the preempting gate off',
      policies: [aPolicy('old', { priority: 1 }), aPolicy('new', { priority: 2, ...always })],
      gates: { PriorityBasedScheduling: true, PropagationPolicyPreemption: false },
      owner: 'old',
    },
    {
      name: 'stays at equal priority, however it is selected',
      policies: [aPolicy('old', { priority: 2 }), aPolicy('new', { priority: 2, ...always })],
      owner: 'old',
    },
    {
      name: 'stays when the preempting policy does not name it',
      policies: [aPolicy('old'), aPolicy('new', { priority: 2, preemption: 'Always' })],
      owner: 'old',
    },
    {
      name: 'ends with the strongest of several preempting policies',
      policies: [
        aPolicy('old'),
        aPolicy('new', { priority: 2, ...always }),
        aPolicy('newer', { priority: 3, ...always }),
      ],
      owner: 'newer',
    },
  ])('$name', ({ policies, owner, ...rest }) => {
    expect(claimOf({ policies, lock: aLock(namespaced('old')), ...rest }).policy?.name).toBe(owner);
  });

  test('a namespaced policy preempts a cluster-wide one without looking at priorities', () => {
    const policies = [aClusterPolicy('old', { priority: 50 }), aPolicy('new', always)];

    expect(claimOf({ policies, lock: aLock(clusterWide('old')) }).policy).toEqual(
      namespaced('new'),
    );
  });

  test('a cluster-wide policy never preempts a namespaced one', () => {
    const policies = [aPolicy('old'), aClusterPolicy('new', { priority: 50, ...always })];

    expect(claimOf({ policies, lock: aLock(namespaced('old')) }).policy).toEqual(namespaced('old'));
  });

  test('that was relabelled away from its policy is frozen, and nobody else gets it', () => {
    const policies = [aPolicy('old', selecting(selectByLabel)), aPolicy('new')];
    const templates = [aDeployment({ labels: { tier: 'silver' } })];

    const claim = claimOf({ templates, policies, lock: aLock(namespaced('old')) });

    expect(claim).toMatchObject({ policy: namespaced('old'), reach: 'held' });
  });

  test('is let go by a policy that changed its selectors', () => {
    const policies = [aPolicy('old', selecting({ ...selectAll, name: 'api' })), aPolicy('new')];

    const claim = claimOf({ policies, lock: aLock(namespaced('old')), isUnchanged: () => true });

    expect(claim).toMatchObject({ policy: namespaced('new'), reach: 'applied' });
    expect(claim.why).toBe('it takes over from PropagationPolicy shop/old');
  });

  test('goes to the next policy when its own is gone', () => {
    expect(
      claimOf({ policies: [aClusterPolicy('c1')], lock: aLock(namespaced('old')) }).policy,
    ).toEqual(clusterWide('c1'));
  });

  test('has no owner when its policy was deleted and no other selects it', () => {
    const claim = claimOf({ policies: [], lock: aLock(namespaced('old')) });

    expect(claim).toMatchObject({ outcome: 'unselected', policy: null });
  });

  test('waits with its policy for an override policy, and stays as it is', () => {
    const policies = [aPolicy('old', { dependentOverrides: ['images'] })];

    expect(claimOf({ policies, lock: aLock(namespaced('old')) }).reach).toBe('held');
    expect(
      claimOf({
        policies,
        lock: aLock(namespaced('old')),
        overrides: [
          {
            apiVersion: 'policy.karmada.io/v1alpha1',
            kind: 'OverridePolicy',
            metadata: { name: 'images', namespace: 'shop' },
          },
        ],
      }).reach,
    ).toBe('applied');
  });

  test('of a lazy policy is held until it changes itself', () => {
    const scene = {
      policies: [aPolicy('old', { activationPreference: 'Lazy' })],
      lock: aLock(namespaced('old')),
    };

    expect(claimOf({ ...scene, isUnchanged: () => true }).reach).toBe('held');
    expect(claimOf({ ...scene, isUnchanged: () => false }).reach).toBe('applied');
  });

  test('of a live binding counts in place of the lock', () => {
    const binding = {
      apiVersion: 'work.karmada.io/v1alpha2',
      kind: 'ResourceBinding',
      metadata: {
        name: 'web-deployment',
        namespace: 'shop',
        labels: { 'clusterpropagationpolicy.karmada.io/permanent-id': 'id' },
        annotations: { 'clusterpropagationpolicy.karmada.io/name': 'c1' },
      },
      spec: {
        resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' },
      },
    };

    const claim = claimOf({
      policies: [aPolicy('old'), aClusterPolicy('c1')],
      lock: aLock(namespaced('old')),
      liveBindings: [binding],
    });

    expect(claim.policy).toEqual(clusterWide('c1'));
  });
});

test('two policies on one object: the higher priority wins, the loser is listed', () => {
  const claim = claimOf({
    policies: [aPolicy('early'), aPolicy('late', { priority: 7 }), aClusterPolicy('base')],
  });

  expect(claim.policy).toEqual(namespaced('late'));
  expect(claim.shadowed).toEqual([namespaced('early'), clusterWide('base')]);
  expect(claim.why).toBe('priority 7 over 0');
});

test('the order of templates and policies changes nothing, and inputs are not written to', () => {
  const templates = ['web', 'api', 'db'].flatMap((name) =>
    ['shop', 'other'].map((namespace) => aDeployment({ name, namespace })),
  );
  const policies = [
    aPolicy('a', selecting(selectByLabel)),
    aPolicy('b', { ...selecting(selectByName), priority: 1 }),
    aPolicy('c', selecting({ ...selectAll, name: 'nothing' })),
    aClusterPolicy('d'),
    aClusterPolicy('e', selecting({ ...selectAll, namespace: 'other', name: 'db' })),
  ];
  const lock = aLock(namespaced('a'));
  const expected = claimsOf(frozen({ templates, policies, lock }));

  fc.assert(
    fc.property(
      fc.shuffledSubarray(templates, { minLength: templates.length }),
      fc.shuffledSubarray(policies, { minLength: policies.length }),
      (someTemplates, somePolicies) => {
        const got = claimsOf(frozen({ templates: someTemplates, policies: somePolicies, lock }));
        expect(got).toEqual(expected);
      },
    ),
    { numRuns: 50 },
  );
});
