import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { KINDS, describePath, validateDocument, withDefaults } from '../../lib/api/index.js';
import { definitions } from './crd/definition.js';
import { mutations } from './crd/mutation.js';
import { richObjectOf } from './crd/rich.js';

function paths(document: object): readonly string[] {
  return validateDocument(document).map(({ code, path }) => `${code} ${describePath(path)}`);
}

function of(key: string, body: object, name = 'web'): object {
  const slash = key.lastIndexOf('/');
  return {
    apiVersion: key.slice(0, slash),
    kind: key.slice(slash + 1),
    metadata: { name },
    ...body,
  };
}

test('every CustomResourceDefinition has its entry, with the same scope', () => {
  const theirs = definitions().flatMap(({ group, kind, namespaced, versions }) =>
    versions.map(({ name }) => [`${group}/${name}/${kind}`, namespaced]),
  );

  expect(theirs.length).toBe(21);
  for (const [key, namespaced] of theirs) {
    expect([key, KINDS[String(key)]?.namespaced]).toEqual([key, namespaced]);
  }
});

describe('clusters', () => {
  const cluster = (spec: object, name = 'eu-1'): object =>
    of('cluster.karmada.io/v1alpha1/Cluster', { spec: { syncMode: 'Push', ...spec } }, name);
  const range = (min: number, max: number | string): object => ({ name: 'cpu', min, max });
  const TOP = '9223372036854775807';

  test('a cluster as Karmada shows it', () => {
    const document = cluster({
      apiEndpoint: 'https://10.0.0.1:6443',
      provider: 'aws',
      region: 'eu',
      zones: ['eu-a', 'eu-b'],
      proxyURL: 'socks5://proxy:1080',
      taints: [{ key: 'gpu', value: 'true', effect: 'NoSchedule' }],
      resourceModels: [
        { grade: 0, ranges: [range(0, 1)] },
        { grade: 1, ranges: [range(1, TOP)] },
      ],
    });
    const status = {
      kubernetesVersion: 'v1.34.0',
      apiEnablements: [
        { groupVersion: 'apps/v1', resources: [{ name: 'deployments', kind: 'Deployment' }] },
      ],
      conditions: [{ type: 'Ready', status: 'True' }],
      nodeSummary: { totalNum: 3, readyNum: 3 },
      resourceSummary: {
        allocatable: { cpu: '12', memory: '48Gi', pods: 330 },
        allocatableModelings: [{ grade: 1, count: 3 }],
      },
    };

    expect(paths({ ...document, status })).toEqual([]);
  });

  test.each([
    ['a name beyond 48 characters', cluster({}, 'a'.repeat(49)), ['FIELD_INVALID metadata.name']],
    ['a name with dots', cluster({}, 'eu.west'), ['FIELD_INVALID metadata.name']],
    ['no mode', cluster({ syncMode: null }), ['FIELD_REQUIRED spec.syncMode']],
    [
      'an address without scheme',
      cluster({ apiEndpoint: '10.0.0.1:6443' }),
      ['FIELD_INVALID spec.apiEndpoint'],
    ],
    ['an FTP proxy', cluster({ proxyURL: 'ftp://proxy' }), ['FIELD_INVALID spec.proxyURL']],
    [
      'a nameless secret',
      cluster({ secretRef: { namespace: 'a', name: '' } }),
      ['FIELD_REQUIRED spec.secretRef.name'],
    ],
    [
      'places that cannot be labels',
      cluster({ region: 'e u', zones: ['a b'] }),
      ['FIELD_INVALID spec.region', 'FIELD_INVALID spec.zones[0]'],
    ],
    ['zone beside zones', cluster({ zone: 'a', zones: ['b'] }), ['FIELD_INVALID spec.zone']],
    [
      'a taint of an effect that clusters do not carry',
      cluster({ taints: [{ key: 'a', effect: 'PreferNoSchedule' }] }),
      ['FIELD_INVALID spec.taints[0].effect'],
    ],
    [
      'a taint twice',
      cluster({
        taints: [
          { key: 'a', effect: 'NoSchedule' },
          { key: 'a', effect: 'NoSchedule' },
        ],
      }),
      ['FIELD_INVALID spec.taints[1].key'],
    ],
    [
      'grades with a gap',
      cluster({
        resourceModels: [
          { grade: 0, ranges: [range(0, 1)] },
          { grade: 1, ranges: [range(2, TOP)] },
        ],
      }),
      ['FIELD_INVALID spec.resourceModels[1].ranges[0].min'],
    ],
    [
      'grades of different resources',
      cluster({
        resourceModels: [
          { grade: 0, ranges: [range(0, 1)] },
          { grade: 1, ranges: [{ name: 'memory', min: 1, max: TOP }] },
        ],
      }),
      ['FIELD_INVALID spec.resourceModels[1].ranges'],
    ],
    [
      'an empty grade',
      cluster({
        resourceModels: [
          { grade: 0, ranges: [range(0, 0)] },
          { grade: 1, ranges: [range(0, TOP)] },
        ],
      }),
      ['FIELD_INVALID spec.resourceModels[0].ranges[0].max'],
    ],
    [
      'the same grade twice',
      cluster({
        resourceModels: [
          { grade: 1, ranges: [range(0, 1)] },
          { grade: 1, ranges: [range(1, TOP)] },
        ],
      }),
      ['FIELD_INVALID spec.resourceModels[1].grade'],
    ],
  ] as const)('%s', (_name, document, expected) => {
    expect(paths(document)).toEqual(expected);
  });

  test('an address with a password is refused without repeating it', () => {
    const [finding] = validateDocument(cluster({ apiEndpoint: 'https://me:hunter2@10.0.0.1' }));

    expect(finding?.path).toEqual(['spec', 'apiEndpoint']);
    expect(JSON.stringify(finding)).not.toContain('hunter2');
  });
});

describe('our own kinds', () => {
  const check = (spec: object): object => of('fleetwright.dev/v1alpha1/Check', { spec });
  const rollout = (spec: object): object => of('fleetwright.dev/v1alpha1/Rollout', { spec });
  const VALID = { survivesLossOf: 'region', minAvailablePercent: 40 };
  const RESOURCE = { apiVersion: 'apps/v1', kind: 'Deployment' };

  test.each([
    ['a check', check({ ...VALID, resources: [RESOURCE] }), []],
    [
      'a check of too much',
      check({ ...VALID, minAvailablePercent: 101 }),
      ['FIELD_INVALID spec.minAvailablePercent'],
    ],
    ['a check of nothing', check({ ...VALID, resources: [] }), ['FIELD_INVALID spec.resources']],
    [
      'a check against another loss',
      check({ ...VALID, survivesLossOf: 'planet' }),
      ['FIELD_INVALID spec.survivesLossOf'],
    ],
    [
      'a check without figures',
      check({}),
      ['FIELD_REQUIRED spec.minAvailablePercent', 'FIELD_REQUIRED spec.survivesLossOf'],
    ],
    ['a rollout', rollout({ waves: [{ name: 'canary', soak: '5m', maxConcurrent: '25%' }] }), []],
    [
      'a rollout with misspelt waves',
      rollout({ wave: [] }),
      ['FIELD_UNKNOWN spec.wave', 'FIELD_REQUIRED spec.waves'],
    ],
    [
      'a wave with its soak in minutes',
      rollout({ waves: [{ name: 'a', soak: '5 minutes' }] }),
      ['FIELD_INVALID spec.waves[0].soak'],
    ],
  ] as const)('%s', (_name, document, expected) => {
    expect(paths(document)).toEqual(expected);
  });
});

describe('kinds without a CustomResourceDefinition here', () => {
  test.each([
    [
      'a registry that caches everywhere',
      of('search.karmada.io/v1alpha1/ResourceRegistry', {
        spec: { targetCluster: {}, resourceSelectors: [{ apiVersion: 'v1', kind: 'Pod' }] },
      }),
      [],
    ],
    [
      'a registry with a malformed version, address and namespace',
      of('search.karmada.io/v1alpha1/ResourceRegistry', {
        spec: {
          targetCluster: {},
          resourceSelectors: [{ apiVersion: 'a/b/c', kind: 'Pod', namespace: 'A' }],
          backendStore: { openSearch: { addresses: ['ftp://a'] } },
        },
      }),
      [
        'FIELD_INVALID spec.backendStore.openSearch.addresses[0]',
        'FIELD_INVALID spec.resourceSelectors[0].apiVersion',
        'FIELD_INVALID spec.resourceSelectors[0].namespace',
      ],
    ],
    ['a control plane with defaults', of('operator.karmada.io/v1alpha1/Karmada', {}), []],
    [
      'a disruption budget with both bounds',
      of('operator.karmada.io/v1alpha1/Karmada', {
        spec: {
          components: {
            etcd: {},
            karmadaWebhook: {
              podDisruptionBudgetConfig: { minAvailable: 1, maxUnavailable: '50%' },
            },
          },
        },
      }),
      ['FIELD_INVALID spec.components.karmadaWebhook.podDisruptionBudgetConfig'],
    ],
  ] as const)('%s', (_name, document, expected) => {
    expect(paths(document)).toEqual(expected);
  });
});

describe('whatever is given', () => {
  test('any JSON gets an answer', () => {
    const key = fc.constantFrom(...Object.keys(KINDS), 'v1/Pod');
    fc.assert(
      fc.property(
        key,
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.jsonValue(),
        (name, body, spec) => {
          const document = { ...of(name, { spec }), ...body };
          expect(Array.isArray(validateDocument(document))).toBe(true);
        },
      ),
    );
  });

  test('every way to change a document gets the same answer twice, sorted, and can be completed', () => {
    for (const { group, kind, versions } of definitions()) {
      for (const { name, schema } of versions) {
        const identity = { apiVersion: `${group}/${name}`, kind, metadata: { name: 'rich' } };
        const rich = richObjectOf(schema, identity);
        for (const { document } of mutations(schema, rich).filter((_, i) => i % 50 === 0)) {
          const findings = validateDocument(document);
          expect(validateDocument(JSON.parse(JSON.stringify(document)))).toEqual(findings);
          expect(() => withDefaults(document as never)).not.toThrow();
        }
      }
    }
  });
});
