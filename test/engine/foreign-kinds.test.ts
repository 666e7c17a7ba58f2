import { describe, expect, test } from '@jest/globals';
import { plan } from '../../lib/engine/index.js';
import { expand } from '../../lib/engine/karmada/index.js';
import type { KubeObject } from '../../lib/engine/object.js';
import { findOversize } from '../../lib/engine/render/index.js';
import { kindsDefinedBy } from '../../lib/providers/cluster/discovery.js';
import { toKarmadaDocuments } from '../../lib/providers/karmada/documents.js';
import { standardTools } from '../../lib/providers/tools.js';
import { aCluster, aDeployment, anInput, aPolicy } from '../builders.js';

const GROUP = 'example.io/v1';

/** An object of a custom group whose kind has the name of one of Kubernetes' own. */
function foreign(kind: string, name: string, rest: Record<string, unknown> = {}): KubeObject {
  return { apiVersion: GROUP, kind, metadata: { name, namespace: 'shop' }, ...rest };
}

function planOf(...documents: readonly KubeObject[]): ReturnType<typeof plan> {
  return plan(anInput(documents, [aCluster('a')]), standardTools());
}

const BASE = [aDeployment('web', 2), aPolicy('web', {})];
const DEFINITION = {
  spec: {
    group: 'shop.io',
    scope: 'Cluster',
    names: { kind: 'Till', plural: 'tills' },
    versions: [{ name: 'v1', served: true }],
  },
};

describe('a kind of another group with the name of a built-in one', () => {
  test('is not the namespace that manifests live in', () => {
    const stranger = foreign('Namespace', 'shop', {
      metadata: { name: 'shop', labels: { team: 'strangers' } },
      spec: { quota: 3 },
    });
    const own: KubeObject = {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'shop', labels: { team: 'shop' } },
    };
    const namespaceIn = (...documents: KubeObject[]): unknown =>
      planOf(...BASE, ...documents).releases[0]?.manifests.find(
        ({ object }) => object.kind === 'Namespace',
      )?.object;

    expect(namespaceIn(stranger)).toMatchObject({ apiVersion: 'v1', metadata: { name: 'shop' } });
    expect(namespaceIn(stranger)).not.toHaveProperty('metadata.labels');
    expect(namespaceIn(stranger)).not.toHaveProperty('spec');
    for (const both of [
      [stranger, own],
      [own, stranger],
    ])
      // prettier-ignore
      expect(namespaceIn(...both)).toMatchObject({ metadata: { labels: { team: 'shop' } } });
  });

  test('is reported when no policy selects it, also as Namespace', () => {
    const { diagnostics } = planOf(...BASE, foreign('Namespace', 'shop'));

    expect(diagnostics).toMatchObject([
      { code: 'TEMPLATE_UNCLAIMED', resource: { apiVersion: GROUP, kind: 'Namespace' } },
    ]);
  });

  test('defines no kinds as CustomResourceDefinition', () => {
    const stranger = foreign('CustomResourceDefinition', 'tills.shop.io', DEFINITION);
    const till: KubeObject = { apiVersion: 'shop.io/v1', kind: 'Till', metadata: { name: 't' } };
    const { diagnostics } = planOf(...BASE, stranger, till);
    const own = { ...stranger, apiVersion: 'apiextensions.k8s.io/v1' };

    expect(kindsDefinedBy(stranger)).toEqual([]);
    expect(kindsDefinedBy(own)).toEqual([{ apiVersion: 'shop.io/v1', kind: 'Till' }]);
    // Nothing says that a Till has no namespace.
    expect(diagnostics.find(({ resource }) => resource?.kind === 'Till')?.resource).toMatchObject({
      namespace: 'default',
    });
  });

  test('makes clusters serve nothing as CustomResourceDefinition', () => {
    const named = (kind: string, apiVersion: string): object => ({ resourceSelectors: [{ apiVersion, kind }] }); // prettier-ignore
    const till: KubeObject = { apiVersion: 'shop.io/v1', kind: 'Till', metadata: { name: 't', namespace: 'shop' } }; // prettier-ignore
    const served = aCluster('a');
    const resources = [{ kind: 'CustomResourceDefinition', name: 'customresourcedefinitions' }];
    const status = {
      ...served.status,
      apiEnablements: [
        ...(served.status?.apiEnablements ?? []),
        { groupVersion: GROUP, resources },
      ],
    };
    const documents = [
      foreign('CustomResourceDefinition', 'tills.shop.io', DEFINITION),
      till,
      {
        ...aPolicy('crd', {}),
        spec: { ...named('CustomResourceDefinition', GROUP), placement: {} },
      },
      { ...aPolicy('till', {}), spec: { ...named('Till', 'shop.io/v1'), placement: {} } },
    ];
    const { diagnostics } = plan(anInput(documents, [{ ...served, status }]), standardTools());

    expect(diagnostics.map(({ code }) => code)).toEqual(['PLACEMENT_NO_CLUSTER_FITS']);
  });

  test('has no limit of data as ConfigMap', () => {
    const large = foreign('ConfigMap', 'c', { data: { a: 'x'.repeat(1_100_000) } });
    const resource = { apiVersion: GROUP, kind: 'ConfigMap', name: 'c' };

    expect(findOversize(large, resource, 'members')).toEqual([]);
    expect(findOversize({ ...large, apiVersion: 'v1' }, resource, 'members')).toHaveLength(1);
  });

  test('is a template among the documents of a control plane, in the order of its key', () => {
    const names = (list: readonly KubeObject[]): string[] =>
      list.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`);
    const { foundations, templates } = toKarmadaDocuments([
      foreign('Namespace', 'n'),
      foreign('CustomResourceDefinition', 'c'),
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n' } },
    ]);

    expect(names(foundations)).toEqual(['v1 Namespace']);
    expect(names(templates)).toEqual([`${GROUP} CustomResourceDefinition`, `${GROUP} Namespace`]);
  });

  test('does not count as a Deployment when a control plane grows first', () => {
    const policy = aPolicy('web', { replicaScheduling: { replicaSchedulingType: 'Divided' } });
    const moved = (template: KubeObject): string =>
      expand(policy, [
        {
          template,
          current: [{ cluster: 'a', replicas: 2 }],
          planned: [{ cluster: 'b', replicas: 2 }],
        },
      ]).kind;

    expect(moved(aDeployment('web', 2))).toBe('expanded');
    expect(moved(foreign('Deployment', 'web', { spec: { replicas: 2 } }))).toBe('impossible');
  });
});
