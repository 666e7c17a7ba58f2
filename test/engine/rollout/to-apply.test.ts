import { describe, expect, test } from '@jest/globals';
import type { KubeObject } from '../../../lib/api/object.js';
import type { Manifest } from '../../../lib/engine/plan.js';
import { MARKS } from '../../../lib/engine/plan.js';
import {
  managersOf,
  isFreeFor,
  LEFT_BY_MARK,
  ownershipOf,
  PRESERVE_MARK,
  toApply,
  type ApplyContext,
} from '../../../lib/engine/rollout/index.js';

const SET = 'applyset-x-v1';
const GROW: ApplyContext = { mode: 'grow', setId: SET, isAutoscaled: false };

function deployment(
  replicas: number | undefined,
  metadata: object = {},
  spec: object = {},
): KubeObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop', ...metadata },
    spec: { ...(replicas !== undefined && { replicas }), ...spec },
  };
}

function manifest(object: KubeObject, facts: Partial<Manifest> = {}): Manifest {
  const { name = '', namespace = '' } = object.metadata;
  return {
    resource: { apiVersion: object.apiVersion, kind: object.kind, namespace, name },
    object,
    revision: 'r2',
    generation: 4,
    action: 'update',
    conflictResolution: 'Abort',
    preserveOnDeletion: false,
    shared: false,
    rank: 0,
    ...facts,
  };
}

const MARKED = {
  annotations: { [MARKS.revision]: 'r2', [MARKS.generation]: '4' },
  labels: { [MARKS.partOf]: SET },
};
const managed = (manager: string, ...fields: string[]): object => ({
  manager,
  operation: 'Apply',
  fieldsV1: { 'f:spec': Object.fromEntries(fields.map((field) => [`f:${field}`, {}])) },
});
const replicasOf = (object: KubeObject | undefined): unknown =>
  (object?.['spec'] as { replicas?: number } | undefined)?.replicas;

describe('what is applied', () => {
  test('a new object goes whole, with the marks of the plan', () => {
    const { object, because } = toApply(manifest(deployment(3)), undefined, GROW);

    expect(object.metadata).toMatchObject(MARKED);
    expect(because).toEqual(['it does not exist']);
  });

  test('an object that is as planned is not applied', () => {
    expect(toApply(manifest(deployment(3)), deployment(3, MARKED), GROW).because).toEqual([]);
  });

  test.each([
    {
      name: 'the revision',
      live: deployment(3, { ...MARKED, annotations: { [MARKS.revision]: 'r1' } }),
      expected: ['its revision differs'],
    },
    {
      name: 'only the template generation',
      live: deployment(3, {
        ...MARKED,
        annotations: { ...MARKED.annotations, [MARKS.generation]: '3' },
      }),
      expected: [`.metadata.annotations.${MARKS.generation} differs`],
    },
    {
      name: 'a field changed by hand',
      live: deployment(2, MARKED),
      expected: ['.spec.replicas differs'],
    },
  ])('it is applied for $name', ({ live, expected }) => {
    expect(toApply(manifest(deployment(3)), live, GROW).because).toEqual(expected);
  });

  test.each([
    {
      name: 'grow keeps live replicas that are more',
      mode: 'grow',
      planned: 2,
      growing: undefined,
      live: 5,
      expected: 5,
      isGrown: true,
    },
    {
      name: 'grow takes the growing manifest',
      mode: 'grow',
      planned: 2,
      growing: 4,
      live: 3,
      expected: 4,
      isGrown: true,
    },
    {
      name: 'grow takes the plan that is more',
      mode: 'grow',
      planned: 7,
      growing: undefined,
      live: 5,
      expected: 7,
      isGrown: false,
    },
    {
      name: 'settle takes the plan',
      mode: 'settle',
      planned: 2,
      growing: 4,
      live: 5,
      expected: 2,
      isGrown: false,
    },
  ] as const)('$name', ({ mode, planned, growing, live, expected, isGrown }) => {
    const one = manifest(
      deployment(planned),
      growing === undefined ? {} : { growing: deployment(growing) },
    );

    const result = toApply(one, deployment(live, MARKED), { ...GROW, mode });

    expect([replicasOf(result.object), result.isGrown]).toEqual([expected, isGrown]);
  });

  test('replicas of an autoscaler are left out, and handed over when only we own them', () => {
    const settings: ApplyContext = { mode: 'settle', setId: SET, isAutoscaled: true };
    const live = deployment(6, { ...MARKED, managedFields: [managed('fleetwright', 'replicas')] });

    const { object, handover } = toApply(manifest(deployment(3)), live, settings);

    expect(replicasOf(object)).toBeUndefined();
    expect(handover).toEqual({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', namespace: 'shop' },
      spec: { replicas: 6 },
    });
  });

  test('nothing is handed over when somebody else owns the field too', () => {
    const managedFields = [managed('fleetwright', 'replicas'), managed('hpa', 'replicas')];
    const live = deployment(6, { ...MARKED, managedFields });

    const { handover } = toApply(manifest(deployment(3)), live, { ...GROW, isAutoscaled: true });

    expect(handover).toBeUndefined();
  });

  test('what is to be preserved carries a mark, and loses it when that changes', () => {
    const kept = toApply(manifest(deployment(3), { preserveOnDeletion: true }), undefined, GROW);
    const live = { ...kept.object };

    expect(live.metadata.annotations).toMatchObject({ [PRESERVE_MARK]: 'true' });
    const later = toApply(manifest(deployment(3)), live, GROW);
    expect(later.because).toEqual(['it need no longer be preserved']);
    expect(later.object.metadata.annotations).not.toHaveProperty([PRESERVE_MARK]);
  });

  test('a shared object belongs to no set', () => {
    const labelled = deployment(3, { labels: { [MARKS.partOf]: SET, app: 'web' } });

    expect(
      toApply(manifest(labelled, { shared: true }), undefined, GROW).object.metadata.labels,
    ).toEqual({ app: 'web' });
  });
});

describe('ownership', () => {
  test.each([
    {
      name: 'our label',
      live: deployment(1, { labels: { [MARKS.partOf]: SET } }),
      expected: { kind: 'ours' },
    },
    {
      name: 'another set, named by its application',
      live: deployment(1, {
        labels: { [MARKS.partOf]: 'applyset-y-v1' },
        annotations: { [MARKS.application]: 'other' },
      }),
      expected: { kind: 'others', owner: 'application "other"', isSet: true },
    },
    {
      name: 'another set of another tool',
      live: deployment(1, { labels: { [MARKS.partOf]: 'applyset-y-v1' } }),
      expected: { kind: 'others', owner: 'the set "applyset-y-v1"', isSet: true },
    },
    {
      name: 'managers, without those that write status',
      live: deployment(1, {
        managedFields: [
          managed('kubectl'),
          managed('argocd'),
          { manager: 'controller', subresource: 'status' },
        ],
      }),
      expected: { kind: 'others', owner: '"argocd", "kubectl"', isSet: false },
    },
    {
      name: 'nothing recorded',
      live: deployment(1),
      expected: { kind: 'others', owner: 'nobody known', isSet: false },
    },
  ])('$name', ({ live, expected }) => expect(ownershipOf(live, SET)).toEqual(expected));

  test.each([
    { name: 'left by us', left: 'shop', managers: ['fleetwright'], free: true },
    {
      name: 'left by us, with what the control plane fills in',
      left: 'shop',
      managers: ['fleetwright', 'kube-controller-manager'],
      free: true,
    },
    { name: 'left by nobody known', managers: ['fleetwright'], free: true },
    { name: 'marked as ours', mark: 'shop', managers: ['fleetwright'], free: true },
    { name: 'left by another', left: 'billing', managers: ['fleetwright'], free: false },
    { name: 'marked as of another', mark: 'billing', managers: ['fleetwright'], free: false },
    { name: 'in a set', set: 'other', left: 'shop', managers: ['fleetwright'], free: false },
    {
      name: 'written by somebody since',
      left: 'shop',
      managers: ['fleetwright', 'helm'],
      free: false,
    },
    { name: 'never ours', managers: ['kube-controller-manager'], free: false },
    { name: 'without a record', managers: [], free: false },
  ])('$name: free to be taken? $free', ({ left, mark, set, managers, free }) => {
    const live = deployment(1, {
      labels: set === undefined ? {} : { [MARKS.partOf]: set },
      annotations: {
        ...(left !== undefined && { [LEFT_BY_MARK]: left }),
        ...(mark !== undefined && { [MARKS.application]: mark }),
      },
      managedFields: managers.map((manager) => managed(manager)),
    });

    expect(isFreeFor(live, 'shop')).toBe(free);
  });

  test('a manager is named once', () => {
    expect(managersOf(deployment(1, { managedFields: [managed('a'), managed('a', 'x')] }))).toEqual(
      ['a'],
    );
  });
});
