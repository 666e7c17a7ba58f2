import { describe, expect, test } from '@jest/globals';
import { diagnoseUnclaimed } from '../../../lib/engine/claim/diagnose-unclaimed.js';
import type { Diagnostic, DiagnosticCode } from '../../../lib/engine/diagnostic.js';
import {
  aClusterPolicy,
  aDeployment,
  aLock,
  aPolicy,
  claimsOf,
  namespaced,
  selectAll,
  selectByLabel,
  selectByName,
  selecting,
  type Scene,
} from './builders.js';

function findings(scene: Scene, code: DiagnosticCode): readonly Diagnostic[] {
  return claimsOf(scene).diagnostics.filter((one) => one.code === code);
}

describe('POLICY_MATCHES_NOTHING says what came closest', () => {
  const clusterRole = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'view' },
  };
  const select = (change: object): object => selecting({ ...selectAll, ...change });

  test.each([
    {
      name: 'another apiVersion',
      policy: aPolicy('p', select({ apiVersion: 'apps/v1beta1', name: 'web' })),
      cause: 'its selector says apiVersion "apps/v1beta1", Deployment shop/web is "apps/v1".',
    },
    {
      name: 'a mistyped kind',
      policy: aPolicy('p', select({ kind: 'deployments' })),
      cause: 'its selector says kind "deployments", Deployment shop/web is a Deployment.',
    },
    {
      name: 'a policy in another namespace',
      policy: aPolicy('p', select({ name: 'web' }), { namespace: 'default' }),
      cause: 'it selects in namespace "default", Deployment shop/web is in "shop".',
    },
    {
      name: 'a cluster-scoped kind under a namespaced policy',
      policy: aPolicy('p', selecting({ apiVersion: clusterRole.apiVersion, kind: 'ClusterRole' })),
      cause: 'ClusterRole view is cluster-scoped and the selector looks in a namespace.',
    },
    {
      name: 'a mistyped name',
      policy: aPolicy('p', select({ name: 'wbe' })),
      cause: 'there is no Deployment of that name, "wbe".',
    },
    {
      name: 'a nearly right name',
      policy: aPolicy('p', select({ name: 'wep' })),
      cause: 'its selector says name "wep", and there is Deployment shop/web.',
    },
    {
      name: 'a label of another value',
      policy: aPolicy('p', select({ labelSelector: { matchLabels: { tier: 'golden' } } })),
      cause: 'its label selector wants tier=golden, Deployment shop/web has tier=gold.',
    },
    {
      name: 'a label that is not there',
      policy: aPolicy(
        'p',
        select({ labelSelector: { matchLabels: { tier: 'gold', app: 'web' } } }),
      ),
      cause: 'its label selector wants app=web, Deployment shop/web has no label "app".',
    },
    {
      name: 'nothing, when two labels differ',
      policy: aPolicy(
        'p',
        select({ labelSelector: { matchLabels: { tier: 'silver', app: 'web' } } }),
      ),
      cause: 'no Deployment has what the selector asks for.',
    },
    {
      name: 'a malformed label selector',
      policy: aPolicy(
        'p',
        select({ labelSelector: { matchExpressions: [{ key: 'tier', operator: 'Is' }] } }),
      ),
      cause: 'its label selector is malformed: "Is" is not a valid label selector operator.',
    },
    {
      name: 'a kind of which there is none',
      policy: aPolicy('p', selecting({ apiVersion: 'batch/v1', kind: 'CronJob' })),
      cause: 'there is no CronJob among the templates.',
    },
    {
      name: 'names of several kinds, in order',
      policy: aPolicy(
        'p',
        selecting(
          { apiVersion: 'v1', kind: 'Secret', name: 'tls' },
          { ...selectAll, name: 'zzz' },
          { ...selectAll, name: 'aaa' },
          { ...selectAll, name: 'zzz' },
        ),
      ),
      cause: 'there is no Deployment "aaa", no Deployment "zzz" and no Secret.',
    },
    {
      name: 'many names, the first of them',
      policy: aPolicy(
        'p',
        selecting(...['7', '6', '5', '4', '3', '2', '1'].map((name) => ({ ...selectAll, name }))),
      ),
      cause: /^there is no Deployment "1", .* no Deployment "6" and 1 more missing\.$/,
    },
    {
      name: 'a template that policies do not look at',
      policy: aClusterPolicy('p', select({ namespace: 'kube-system' })),
      cause:
        'Deployment kube-system/dns would match, but namespace "kube-system" is skipped (pattern "kube-.*").',
    },
  ])('$name', ({ policy, cause }) => {
    const templates = [
      aDeployment(),
      clusterRole,
      aDeployment({ name: 'dns', namespace: 'kube-system' }),
    ];

    const [finding, ...more] = findings(
      { templates, policies: [policy] },
      'POLICY_MATCHES_NOTHING',
    );

    expect(more).toEqual([]);
    const said = finding?.summary.split('selects no template: ')[1];
    if (typeof cause === 'string') expect(said).toContain(cause);
    else expect(said).toMatch(cause);
    expect(finding?.severity).toBe('error');
    expect(finding?.file).toBe('p.yaml');
  });

  test('and is a warning in profile karmada', () => {
    const policies = [aPolicy('p', select({ name: 'none' }))];

    expect(findings({ policies, profile: 'karmada' }, 'POLICY_MATCHES_NOTHING')[0]?.severity).toBe(
      'warning',
    );
  });
});

test('POLICY_SELECTOR_MATCHES_NOTHING names the selector of several that is idle', () => {
  const policies = [aPolicy('p', selecting(selectByName, { ...selectAll, name: 'wep' }))];

  const [finding] = findings({ policies }, 'POLICY_SELECTOR_MATCHES_NOTHING');

  expect(finding).toMatchObject({ severity: 'warning', path: ['spec', 'resourceSelectors', 1] });
  expect(finding?.summary).toMatch(/^Selector 2 of PropagationPolicy shop\/p selects no template/);
});

describe('POLICY_SHADOWED', () => {
  test('is a warning for a policy that owns nothing', () => {
    const [finding] = findings({ policies: [aPolicy('a'), aPolicy('b')] }, 'POLICY_SHADOWED');

    expect(finding).toMatchObject({ severity: 'warning', file: 'b.yaml' });
    expect(finding?.summary).toBe(
      'PropagationPolicy shop/b also selects Deployment shop/web, but PropagationPolicy shop/a owns it: equal priority and match, so the smaller name wins.',
    );
  });

  test('is an info for a default that others refine', () => {
    const templates = [aDeployment(), aDeployment({ name: 'api' })];
    const policies = [aClusterPolicy('base'), aPolicy('web', selecting(selectByName))];

    const [finding] = findings({ templates, policies }, 'POLICY_SHADOWED');

    expect(finding).toMatchObject({ severity: 'info', file: 'base.yaml' });
    expect(finding?.summary).toContain('namespaced policies come before cluster-wide ones');
  });

  test('tells a stronger policy that came too late how to take over', () => {
    const policies = [aPolicy('old'), aPolicy('new', { priority: 9 })];

    const [finding] = findings({ policies, lock: aLock(namespaced('old')) }, 'POLICY_SHADOWED');

    expect(finding?.summary).toContain('what is owned stays');
    expect(finding?.hint).toContain('preemption: Always');
  });
});

test('CLAIM_FROZEN warns of a template that no longer matches its policy', () => {
  const scene = {
    templates: [aDeployment({ labels: {} })],
    policies: [aPolicy('old', selecting(selectByLabel))],
    lock: aLock(namespaced('old')),
  };

  expect(findings(scene, 'CLAIM_FROZEN')).toHaveLength(1);
  expect(findings(scene, 'POLICY_MATCHES_NOTHING')).toEqual([]);
});

test('POLICY_LAZY says that a changed placement waits', () => {
  const scene = (locked: string): Scene => ({
    policies: [
      aPolicy('old', {
        activationPreference: 'Lazy',
        placement: { clusterAffinity: { clusterNames: ['eu-2'] } },
      }),
    ],
    lock: aLock(namespaced('old'), { placement: { clusterAffinity: { clusterNames: [locked] } } }),
    isUnchanged: () => true,
  });

  expect(findings(scene('eu-1'), 'POLICY_LAZY')).toHaveLength(1);
  expect(findings(scene('eu-2'), 'POLICY_LAZY')).toEqual([]);
});

test('POLICY_OVERRIDE_MISSING names the override policy, once per policy', () => {
  const templates = [aDeployment(), aDeployment({ name: 'api' })];
  const policies = [aPolicy('p', { dependentOverrides: ['images'] })];

  const found = findings({ templates, policies }, 'POLICY_OVERRIDE_MISSING');

  expect(found).toHaveLength(1);
  expect(found[0]?.summary).toContain('waits for OverridePolicy images, which does not exist');
});

test('POLICY_PRIORITY_CLASS_MISSING is found unless the class is among the templates', () => {
  const policies = [
    aPolicy('p', {
      schedulePriority: { priorityClassSource: 'KubePriorityClass', priorityClassName: 'high' },
    }),
  ];
  const high = {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name: 'high' },
    value: 1,
  };

  expect(findings({ policies }, 'POLICY_PRIORITY_CLASS_MISSING')).toHaveLength(1);
  expect(
    findings({ policies, templates: [aDeployment(), high] }, 'POLICY_PRIORITY_CLASS_MISSING'),
  ).toEqual([]);
});

describe('TEMPLATE_UNCLAIMED', () => {
  const unclaimed = (scene: Scene, placed: string[] = []): readonly Diagnostic[] =>
    diagnoseUnclaimed(
      claimsOf(scene).claims,
      (key) => placed.includes(key),
      scene.policies.map((object) => ({ object })),
    );

  test('names the policy that comes closest', () => {
    const [finding] = unclaimed({
      policies: [aPolicy('p', selecting({ ...selectAll, name: 'wep' }))],
    });

    expect(finding).toMatchObject({ code: 'TEMPLATE_UNCLAIMED', severity: 'warning' });
    expect(finding?.summary).toBe(
      'Deployment shop/web goes to no cluster: no policy selects it. The closest is PropagationPolicy shop/p: its selector says name "wep", and there is Deployment shop/web.',
    );
  });

  test('is not said of what follows others, nor of namespaces', () => {
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } };
    const scene = { templates: [aDeployment(), namespace], policies: [] };

    expect(unclaimed(scene, ['apps/Deployment/shop/web'])).toEqual([]);
    expect(unclaimed(scene)).toHaveLength(1);
  });
});

describe('CONTROL_PLANE_STUCK', () => {
  const liveBinding = {
    apiVersion: 'work.karmada.io/v1alpha2',
    kind: 'ResourceBinding',
    metadata: {
      name: 'web-deployment',
      namespace: 'shop',
      labels: { 'propagationpolicy.karmada.io/permanent-id': 'id' },
      annotations: {
        'propagationpolicy.karmada.io/namespace': 'shop',
        'propagationpolicy.karmada.io/name': 'p',
      },
      ownerReferences: [{ controller: true, uid: 'before' }],
    },
    spec: {
      resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' },
    },
  };
  const scene = (uid: string | undefined, policyMetadata = {}): Scene => ({
    templates: [aDeployment(uid === undefined ? {} : { uid })],
    policies: [aPolicy('p', {}, policyMetadata)],
    liveBindings: [liveBinding],
    profile: 'karmada',
  });

  test.each([
    { name: 'a binding of another owner', given: scene('after'), found: 1 },
    { name: 'not its own binding', given: scene('before'), found: 0 },
    { name: 'not a template whose UID is unknown', given: scene(undefined), found: 0 },
    {
      name: 'a policy that does not go away',
      given: scene('before', { deletionTimestamp: '2026-01-01T00:00:00Z' }),
      found: 1,
    },
    {
      name: 'nothing in the default profile',
      given: { ...scene('after'), profile: 'default' as const },
      found: 0,
    },
  ])('$name', ({ given, found }) => {
    expect(findings(given, 'CONTROL_PLANE_STUCK')).toHaveLength(found);
  });
});
