import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { KubeObject } from '../../../lib/api/object.js';
import {
  followDependencies,
  type Following,
  type Leader,
} from '../../../lib/engine/dependencies/index.js';
import { interpreterFor } from '../../../lib/engine/interpret/index.js';
import { refKey, refOf } from '../../../lib/engine/object.js';

interface Scene {
  readonly templates: readonly KubeObject[];
  readonly leaders: readonly Leader[];
  readonly profile?: 'default' | 'karmada';
  /** In place of the interpreters: `Kind/name` to the same of what it refers to. */
  readonly references?: Readonly<Record<string, string>>;
}

function follow({ templates, leaders, profile = 'default', references }: Scene): Following {
  return followDependencies({
    templates: templates.map((object) => ({ object })),
    leaders,
    references: ({ object }) => {
      if (references === undefined)
        return interpreterFor(object).interpretDependency?.(object) ?? [];
      const [kind, name] = references[`${object.kind}/${object.metadata.name}`]?.split('/') ?? [];
      if (kind === undefined || name === undefined) return [];
      return [
        { apiVersion: kind === 'Deployment' ? 'apps/v1' : 'v1', kind, namespace: 'shop', name },
      ];
    },
    profile,
    gates: { PropagateDeps: true },
  });
}

/** `Kind name → clusters ← leader (reason)` for each follower. */
function told(following: Following): string[] {
  return following.followers.map(({ resource, clusters, follows }) => {
    const because = follows.map(
      (one) => `${one.resource.kind} ${one.resource.name} (${one.reason})`,
    );
    return `${resource.kind} ${resource.name} → ${clusters.join(' ')} ← ${because.join(', ')}`;
  });
}

function anObject(kind: string, name: string, more: object = {}): KubeObject {
  return { apiVersion: 'v1', kind, metadata: { name, namespace: 'shop' }, ...more };
}

/** A Deployment with label `app=<name>` on its pods. */
function aDeployment(name: string, podSpec: object = {}): KubeObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'shop' },
    spec: {
      template: {
        metadata: { labels: { app: name } },
        spec: { containers: [{ name: 'main', image: 'nginx' }], ...podSpec },
      },
    },
  };
}

function placed(
  object: KubeObject,
  clusters: string[],
  policy: object = {},
  annotations: object = {},
): Leader {
  const resource = refOf(object);
  return {
    key: refKey(resource),
    resource,
    template: { object },
    policyDocument: {
      object: {
        apiVersion: 'policy.karmada.io/v1alpha1',
        kind: 'PropagationPolicy',
        metadata: {
          name: `of-${resource.name}`,
          namespace: 'shop',
          annotations: { ...annotations },
        },
        spec: { resourceSelectors: [], ...policy },
      },
      source: { file: `${resource.name}.yaml` },
    },
    clusters: clusters.map((name) => ({ name, replicas: 1 })),
  };
}

const secretVolume = (name: string): object => ({
  volumes: [{ name: 'tls', secret: { secretName: name } }],
});

describe('a reference is followed', () => {
  test.each([
    {
      name: 'from a volume',
      podSpec: secretVolume('x'),
      kind: 'Secret',
      reason: 'volume "tls"',
    },
    {
      name: 'from a projected volume',
      podSpec: {
        volumes: [{ name: 'all', projected: { sources: [{ configMap: { name: 'x' } }] } }],
      },
      kind: 'ConfigMap',
      reason: 'volume "all"',
    },
    {
      name: 'from a claim',
      podSpec: { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'x' } }] },
      kind: 'PersistentVolumeClaim',
      reason: 'volume "data"',
    },
    {
      name: 'from all variables of a container',
      podSpec: { containers: [{ name: 'web', envFrom: [{ configMapRef: { name: 'x' } }] }] },
      kind: 'ConfigMap',
      reason: 'envFrom of container "web"',
    },
    {
      name: 'from one variable of a container',
      podSpec: {
        containers: [
          { name: 'web', env: [{ name: 'KEY', valueFrom: { secretKeyRef: { name: 'x' } } }] },
        ],
      },
      kind: 'Secret',
      reason: 'variable KEY of container "web"',
    },
    {
      name: 'from an image pull secret',
      podSpec: { imagePullSecrets: [{ name: 'x' }] },
      kind: 'Secret',
      reason: 'image pull secret',
    },
    {
      name: 'from the service account',
      podSpec: { serviceAccountName: 'x' },
      kind: 'ServiceAccount',
      reason: 'its service account',
    },
  ])('$name', ({ podSpec, kind, reason }) => {
    const web = aDeployment('web', podSpec);

    const following = follow({
      templates: [web, anObject(kind, 'x')],
      leaders: [placed(web, ['eu-1'])],
    });

    expect(told(following)).toEqual([`${kind} x → eu-1 ← Deployment web (${reason})`]);
  });

  test('by label', () => {
    const service = anObject('ServiceImport', 'web', {
      apiVersion: 'multicluster.x-k8s.io/v1alpha1',
    });
    const slice = (name: string, of: string): KubeObject => ({
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { name, namespace: 'shop', labels: { 'kubernetes.io/service-name': of } },
    });

    const following = follow({
      templates: [service, slice('a', 'derived-web'), slice('b', 'other')],
      leaders: [placed(service, ['eu-1'])],
    });

    expect(told(following)).toEqual([
      'EndpointSlice a → eu-1 ← ServiceImport web (selects EndpointSlice by label)',
    ]);
  });
});

test('a shared dependency goes to the clusters of all that need it', () => {
  const [web, api] = [
    aDeployment('web', secretVolume('tls')),
    aDeployment('api', secretVolume('tls')),
  ];

  const following = follow({
    templates: [web, api, anObject('Secret', 'tls')],
    leaders: [placed(web, ['us-1', 'eu-1']), placed(api, ['eu-1', 'ap-1'])],
  });

  expect(told(following)).toEqual([
    'Secret tls → ap-1 eu-1 us-1 ← Deployment api (volume "tls"), Deployment web (volume "tls")',
  ]);
  expect(following.followers[0]?.requiredBy.map(({ name }) => name)).toEqual([
    'api-deployment',
    'web-deployment',
  ]);
});

test('a dependency with a policy of its own follows beside that, without a quarrel', () => {
  const web = aDeployment('web', secretVolume('tls'));
  const api = aDeployment('api', secretVolume('tls'));
  const secret = anObject('Secret', 'tls');

  const following = follow({
    templates: [web, api, secret],
    leaders: [
      placed(web, ['eu-1'], { conflictResolution: 'Overwrite' }),
      placed(api, ['eu-1']),
      placed(secret, ['us-1']),
    ],
  });

  expect(following.followers.map(({ clusters }) => clusters)).toEqual([['eu-1']]);
  expect(following.diagnostics).toEqual([]);
});

describe('what follows has dependencies too', () => {
  const web = aDeployment('web');
  const templates = [web, anObject('ConfigMap', 'a'), anObject('Secret', 'b')];
  const references = {
    'Deployment/web': 'ConfigMap/a',
    'ConfigMap/a': 'Secret/b',
    'Secret/b': 'Deployment/web',
  };
  const leaders = [placed(web, ['eu-1'], { propagateDeps: true })];

  test('and they follow in turn; a circle ends where it began', () => {
    expect(told(follow({ templates, leaders, references }))).toEqual([
      'ConfigMap a → eu-1 ← Deployment web (refers to ConfigMap)',
      'Secret b → eu-1 ← ConfigMap a (refers to Secret)',
    ]);
  });

  test('but Karmada goes one step', () => {
    expect(told(follow({ templates, leaders, references, profile: 'karmada' }))).toEqual([
      'ConfigMap a → eu-1 ← Deployment web (refers to ConfigMap)',
    ]);
  });
});

test('a leader without a cluster leads nobody', () => {
  const web = aDeployment('web', secretVolume('tls'));

  expect(
    follow({ templates: [web, anObject('Secret', 'tls')], leaders: [placed(web, [])] }).followers,
  ).toEqual([]);
});

describe('in profile karmada', () => {
  const web = aDeployment('web', secretVolume('tls'));
  const templates = [
    web,
    anObject('Secret', 'tls'),
    anObject('Service', 'web', { spec: { selector: { app: 'web' } } }),
  ];
  const all = { 'fleetwright.dev/follow': 'all' };

  test.each([
    { name: 'dependencies stay behind without propagateDeps', policy: {}, kinds: [] },
    {
      name: 'they follow with it, and nothing else does',
      policy: { propagateDeps: true },
      kinds: ['Secret'],
    },
  ])('$name', ({ policy, kinds }) => {
    const { followers } = follow({
      templates,
      leaders: [placed(web, ['eu-1'], policy, all)],
      profile: 'karmada',
    });

    expect(followers.map(({ resource }) => resource.kind)).toEqual(kinds);
  });
});

describe('companions', () => {
  const RBAC = 'rbac.authorization.k8s.io/v1';
  const web = aDeployment('web', { serviceAccountName: 'shop' });
  const companions: KubeObject[] = [
    anObject('Service', 'web', { spec: { selector: { app: 'web' } } }),
    anObject('Service', 'other', { spec: { selector: { app: 'other' } } }),
    anObject('Service', 'external', { spec: { externalName: 'example.com' } }),
    anObject('PodDisruptionBudget', 'web', {
      apiVersion: 'policy/v1',
      spec: { selector: { matchLabels: { app: 'web' } } },
    }),
    anObject('PodDisruptionBudget', 'none', { apiVersion: 'policy/v1', spec: {} }),
    anObject('HorizontalPodAutoscaler', 'web', {
      apiVersion: 'autoscaling/v2',
      spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' } },
    }),
    anObject('ServiceAccount', 'shop'),
    anObject('RoleBinding', 'reads', {
      apiVersion: RBAC,
      subjects: [{ kind: 'ServiceAccount', name: 'shop' }],
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' },
    }),
    anObject('RoleBinding', 'of-others', {
      apiVersion: RBAC,
      subjects: [{ kind: 'ServiceAccount', name: 'shop', namespace: 'elsewhere' }],
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'writer' },
    }),
    anObject('Role', 'reader', { apiVersion: RBAC }),
    anObject('Role', 'writer', { apiVersion: RBAC }),
  ];
  const followersOf = (annotations: object): string[] =>
    told(
      follow({
        templates: [web, ...companions],
        leaders: [placed(web, ['eu-1'], {}, annotations)],
      }),
    );

  test('stay behind unless the policy asks for them', () => {
    expect(followersOf({})).toEqual([
      'ServiceAccount shop → eu-1 ← Deployment web (its service account)',
    ]);
  });

  test('of one kind follow when asked for', () => {
    expect(followersOf({ 'fleetwright.dev/follow': 'services' })).toEqual([
      'Service web → eu-1 ← Deployment web (selects its pods)',
      'ServiceAccount shop → eu-1 ← Deployment web (its service account)',
    ]);
  });

  test('of all kinds close over Service, budget, autoscaler, role binding and role', () => {
    expect(followersOf({ 'fleetwright.dev/follow': 'all' })).toEqual([
      'HorizontalPodAutoscaler web → eu-1 ← Deployment web (scales it)',
      'PodDisruptionBudget web → eu-1 ← Deployment web (protects its pods)',
      'Role reader → eu-1 ← RoleBinding reads (the role it grants)',
      'RoleBinding reads → eu-1 ← Deployment web (grants roles to its service account "shop")',
      'Service web → eu-1 ← Deployment web (selects its pods)',
      'ServiceAccount shop → eu-1 ← Deployment web (its service account)',
    ]);
  });

  test('COMPANION_LEFT_BEHIND tells what goes nowhere, once per policy', () => {
    const { diagnostics } = follow({
      templates: [web, ...companions],
      leaders: [placed(web, ['eu-1'])],
    });

    expect(diagnostics.map(({ code, severity }) => [code, severity])).toEqual([
      ['COMPANION_LEFT_BEHIND', 'info'],
    ]);
    expect(diagnostics[0]?.summary).toBe(
      'PropagationPolicy shop/of-web places Deployment shop/web and goes without what belongs to its workloads: HorizontalPodAutoscaler shop/web, PodDisruptionBudget shop/web, RoleBinding shop/reads, Service shop/web.',
    );
    expect(diagnostics[0]?.hint).toContain(
      'fleetwright.dev/follow: autoscalers, budgets, rbac, services',
    );
  });

  test('with a policy of their own are not left behind', () => {
    const service = anObject('Service', 'web', { spec: { selector: { app: 'web' } } });

    const { diagnostics } = follow({
      templates: [web, service, anObject('ServiceAccount', 'shop')],
      leaders: [placed(web, ['eu-1']), placed(service, [])],
    });

    expect(diagnostics).toEqual([]);
  });

  test('that nobody knows are refused', () => {
    const { diagnostics } = follow({
      templates: [web],
      leaders: [placed(web, ['eu-1'], {}, { 'fleetwright.dev/follow': 'services, ingresses' })],
    });

    expect(diagnostics.find((one) => one.code === 'FIELD_INVALID')?.summary).toBe(
      '"ingresses" is nothing that can follow.',
    );
  });
});

describe('what is reported', () => {
  test('DEPENDENCY_MISSING once per object, with one of those that need it', () => {
    const [web, api] = [
      aDeployment('web', secretVolume('tls')),
      aDeployment('api', secretVolume('tls')),
    ];

    const { diagnostics } = follow({
      templates: [web, api],
      leaders: [placed(web, ['eu-1']), placed(api, ['eu-1'])],
    });

    expect(diagnostics).toHaveLength(1);
    expect(diagnostics[0]).toMatchObject({ code: 'DEPENDENCY_MISSING', severity: 'info' });
    expect(diagnostics[0]?.summary).toBe(
      'Secret shop/tls is not among the templates, and Deployment shop/api needs it (volume "tls") and 1 more.',
    );
  });

  test('nothing for the ConfigMap that every cluster makes', () => {
    const web = aDeployment('web', {
      volumes: [{ name: 'ca', configMap: { name: 'kube-root-ca.crt' } }],
    });

    expect(follow({ templates: [web], leaders: [placed(web, ['eu-1'])] }).diagnostics).toEqual([]);
  });

  test.each([
    { field: 'conflictResolution', bold: 'Overwrite', shy: 'Abort', outcome: 'Overwrite wins' },
    {
      field: 'preserveResourcesOnDeletion',
      bold: true,
      shy: false,
      outcome: 'it is kept when it is no longer needed',
    },
  ])(
    'DEPENDENCY_CONFLICT when policies disagree on $field, with both sources',
    ({ field, bold, shy, outcome }) => {
      const [web, api] = [
        aDeployment('web', secretVolume('tls')),
        aDeployment('api', secretVolume('tls')),
      ];

      const { diagnostics, followers } = follow({
        templates: [web, api, anObject('Secret', 'tls')],
        leaders: [placed(web, ['eu-1'], { [field]: bold }), placed(api, ['eu-1'])],
      });

      expect(diagnostics.map(({ code, severity }) => [code, severity])).toEqual([
        ['DEPENDENCY_CONFLICT', 'warning'],
      ]);
      expect(diagnostics[0]?.summary).toBe(
        `Secret shop/tls follows Deployment shop/api (${field}: ${String(shy)}, PropagationPolicy shop/of-api in api.yaml) and Deployment shop/web (${field}: ${String(bold)}, PropagationPolicy shop/of-web in web.yaml); ${outcome}.`,
      );
      expect(followers[0]).toMatchObject({ [field]: bold });
    },
  );

  test('no conflict when an absent value means the same', () => {
    const [web, api] = [
      aDeployment('web', secretVolume('tls')),
      aDeployment('api', secretVolume('tls')),
    ];

    const { diagnostics } = follow({
      templates: [web, api, anObject('Secret', 'tls')],
      leaders: [placed(web, ['eu-1'], { conflictResolution: 'Abort' }), placed(api, ['eu-1'])],
    });

    expect(diagnostics).toEqual([]);
  });
});

test('the order of templates and leaders changes nothing', () => {
  const [web, api] = [
    aDeployment('web', { ...secretVolume('tls'), serviceAccountName: 'shop' }),
    aDeployment('api', secretVolume('tls')),
  ];
  const service = anObject('Service', 'web', { spec: { selector: { app: 'web' } } });
  const templates = [
    web,
    api,
    service,
    anObject('Secret', 'tls'),
    anObject('ServiceAccount', 'shop'),
  ];
  const leaders = [
    placed(
      web,
      ['eu-1', 'us-1'],
      { conflictResolution: 'Overwrite' },
      { 'fleetwright.dev/follow': 'all' },
    ),
    placed(api, ['ap-1']),
    placed(service, ['eu-2']),
  ];
  const expected = follow({ templates, leaders });

  fc.assert(
    fc.property(
      fc.shuffledSubarray(templates, { minLength: templates.length }),
      fc.shuffledSubarray(leaders, { minLength: leaders.length }),
      (someTemplates, someLeaders) => {
        expect(follow({ templates: someTemplates, leaders: someLeaders })).toEqual(expected);
      },
    ),
    { numRuns: 50 },
  );
});
