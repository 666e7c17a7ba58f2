import { describe, expect, test } from '@jest/globals';
import type { KubeObject, ObjectMeta } from '../../../lib/api/object.js';
import {
  adoptionFindings,
  bareObject,
  changesBetween,
  describeAdoption,
  placementFindings,
  proposeAdoption,
  whyNotAdopted,
} from '../../../lib/engine/adopt/index.js';
import { aPlan } from '../../providers/rollout/releases.js';

const SET = 'applyset-x-v1';

function object(kind: string, rest: object = {}, metadata: ObjectMeta = {}): KubeObject {
  const apiVersion = ['Deployment', 'StatefulSet'].includes(kind)
    ? 'apps/v1'
    : kind === 'Job'
      ? 'batch/v1'
      : 'v1';
  return { apiVersion, kind, metadata: { name: 'web', namespace: 'shop', ...metadata }, ...rest };
}

describe('what of a live object is somebody’s wish', () => {
  const ports = (facts: object): object => ({ spec: { ports: [{ port: 80, ...facts }] } });
  const owning = {
    manager: 'kubectl',
    fieldsV1: {
      'f:spec': { 'f:ports': { 'k:{"port":80,"protocol":"TCP"}': { 'f:nodePort': {} } } },
    },
  };

  test.each([
    {
      name: 'bookkeeping of tools, of the server and of ours goes',
      live: object(
        'ConfigMap',
        { data: { a: '1' } },
        {
          uid: 'u',
          resourceVersion: '1',
          managedFields: [owning],
          labels: { 'applyset.kubernetes.io/part-of': SET },
          annotations: {
            'kubectl.kubernetes.io/last-applied-configuration': '{}',
            'fleetwright.dev/revision': 'r',
            note: 'mine',
          },
        },
      ),
      expected: object('ConfigMap', { data: { a: '1' } }, { annotations: { note: 'mine' } }),
    },
    {
      name: 'an allocated node port goes',
      live: object('Service', ports({ nodePort: 31000 })),
      expected: object('Service', ports({})),
    },
    {
      name: 'a node port that a manager asked for stays',
      live: object('Service', ports({ nodePort: 31000 }), { managedFields: [owning] }),
      expected: object('Service', ports({ nodePort: 31000 })),
    },
    {
      name: 'allocated addresses go, status goes',
      live: object('Service', {
        spec: {
          type: 'ClusterIP',
          clusterIP: '10.0.0.1',
          clusterIPs: ['10.0.0.1'],
          ipFamilies: ['IPv4'],
        },
        status: { loadBalancer: {} },
      }),
      expected: object('Service', { spec: { type: 'ClusterIP' } }),
    },
    {
      name: 'an empty time in a pod template goes, a restart time stays',
      live: object('Deployment', {
        spec: {
          template: {
            metadata: {
              creationTimestamp: null,
              annotations: { 'kubectl.kubernetes.io/restartedAt': 'then' },
            },
          },
        },
      }),
      expected: object('Deployment', {
        spec: {
          template: { metadata: { annotations: { 'kubectl.kubernetes.io/restartedAt': 'then' } } },
        },
      }),
    },
  ])('$name', ({ live, expected }) => expect(bareObject(live)).toEqual(expected));
});

describe('what is left alone', () => {
  const why = (live: KubeObject): string | undefined => whyNotAdopted(live, SET)?.kind;
  const partOf = (id: string): ObjectMeta => ({ labels: { 'applyset.kubernetes.io/part-of': id } });

  test.each([
    ['a ConfigMap', object('ConfigMap'), undefined],
    ['what is ours already', object('ConfigMap', {}, partOf(SET)), undefined],
    ['what belongs to another set', object('ConfigMap', {}, partOf('other')), 'foreign'],
    [
      'what a controller owns',
      object('Job', {}, { ownerReferences: [{ kind: 'CronJob', name: 'x', controller: true }] }),
      'foreign',
    ],
    ['what is going', object('ConfigMap', {}, { deletionTimestamp: 'now' }), 'foreign'],
    [
      'what a control plane propagates',
      object('ConfigMap', {}, { labels: { 'karmada.io/managed': 'true' } }),
      'foreign',
    ],
    ['a Secret', object('Secret', { type: 'Opaque' }), 'secret'],
    ['a token', object('Secret', { type: 'kubernetes.io/service-account-token' }), 'builtin'],
    ['the root certificate', object('ConfigMap', {}, { name: 'kube-root-ca.crt' }), 'builtin'],
    [
      'a kept revision of ours',
      object('Secret', {}, { labels: { 'fleetwright.dev/kept-for': SET } }),
      'builtin',
    ],
  ])('%s', (_name, live, expected) => expect(why(live)).toBe(expected));
});

test('claims that a StatefulSet made are left alone, others are not', () => {
  const set = object(
    'StatefulSet',
    { spec: { volumeClaimTemplates: [{ metadata: { name: 'data' } }] } },
    { name: 'db' },
  );
  const claim = (name: string): KubeObject => object('PersistentVolumeClaim', {}, { name });

  const { templates, skipped } = proposeAdoption(
    { a: [set, claim('data-db-0'), claim('data-db'), claim('data-other-0')] },
    { application: 'shop', setId: SET },
  );

  expect(skipped.map(({ resource, reason }) => [resource.name, reason])).toEqual([
    ['data-db-0', 'StatefulSet db made it'],
  ]);
  expect(templates.map(({ metadata }) => metadata.name)).toEqual(['db', 'data-db', 'data-other-0']);
});

describe('what applying changes', () => {
  const web = (image: string, more: object = {}): KubeObject =>
    object(
      'Deployment',
      { spec: { replicas: 2, template: { spec: { containers: [{ name: 'web', image }] } } } },
      { generation: 4, resourceVersion: '1', ...more },
    );

  test('our marks and what the server counts is no change', () => {
    const after = web('a', {
      generation: 5,
      resourceVersion: '2',
      labels: { 'applyset.kubernetes.io/part-of': SET },
      annotations: { 'fleetwright.dev/revision': 'r' },
    });
    expect(changesBetween(web('a'), after)).toEqual({ fields: [], restartsPods: false });
  });

  test('a changed image restarts pods, and is an error that can be allowed', () => {
    const changes = changesBetween(web('a'), web('b'));
    const path = '.spec.template.spec.containers[web].image';
    expect(changes).toEqual({ fields: [{ path, before: 'a', after: 'b' }], restartsPods: true });

    const resource = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' };
    const previewed = [
      { cluster: 'eu-1', resource, exists: true, managers: ['kubectl'], ...changes },
    ] as const;
    expect(adoptionFindings(previewed, { allowRestart: false })).toMatchObject([
      { code: 'ADOPT_WOULD_RESTART', severity: 'error', summary: expect.stringContaining(path) },
    ]);
    expect(adoptionFindings(previewed, { allowRestart: true })).toMatchObject([
      { severity: 'warning' },
    ]);
    expect(describeAdoption(previewed, [])).toBe(
      `Deployment shop/web\n  ~ eu-1  1 field changes, pods restart · written by kubectl\n      ${path}: "a" → "b"\n`,
    );
  });

  test('replicas and labels of the object do not restart pods', () => {
    const after = { ...web('a', { labels: { a: 'b' } }) };
    expect(changesBetween(web('a'), after)).toEqual({
      fields: [{ path: '.metadata.labels', after: { a: 'b' } }],
      restartsPods: false,
    });
  });

  test('values of Secrets are not told', () => {
    const secret = (password: string): KubeObject => object('Secret', { data: { password } });
    expect(changesBetween(secret('eA=='), secret('eQ==')).fields).toEqual([
      { path: '.data.password' },
    ]);
  });
});

test('a plan that does not place an object where it runs: ADOPT_INCOMPLETE', () => {
  const proposal = proposeAdoption(
    { a: [object('ConfigMap')], b: [object('ConfigMap')] },
    { application: 'shop', setId: SET },
  );

  expect(placementFindings(proposal, aPlan([], []))).toMatchObject([
    {
      code: 'ADOPT_INCOMPLETE',
      severity: 'error',
      summary: 'The plan does not place ConfigMap shop/web on a, b, where it runs.',
    },
  ]);
});

describe('what has no address today', () => {
  const ingress = (ip?: string): KubeObject => ({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name: 'web', namespace: 'shop' },
    spec: { ingressClassName: 'nginx' },
    ...(ip !== undefined && { status: { loadBalancer: { ingress: [{ ip }] } } }),
  });
  const balancer: KubeObject = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web', namespace: 'shop' },
    spec: { type: 'LoadBalancer', ports: [{ port: 80 }] },
  };

  test.each([ingress(), balancer])('is adopted with a waiver: %#', (live) => {
    expect(bareObject(live).metadata.annotations).toEqual({
      'fleetwright.dev/readiness': 'ignore',
    });
  });

  test('what has one is waited for as ever', () => {
    expect(bareObject(ingress('192.0.2.1')).metadata.annotations).toBeUndefined();
    expect(
      bareObject({ ...balancer, spec: { ports: [{ port: 80 }] } }).metadata.annotations,
    ).toBeUndefined();
  });
});
