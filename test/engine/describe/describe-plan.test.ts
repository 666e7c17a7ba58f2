import { describe, expect, test } from '@jest/globals';
import {
  describeDiagnostics,
  describePlan,
  describeSeconds,
} from '../../../lib/engine/describe/index.js';
import type { Plan, PlannedBinding } from '../../../lib/engine/plan.js';

function aBinding(name: string, fields: Partial<PlannedBinding> = {}): PlannedBinding {
  return {
    resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name },
    policy: { kind: 'PropagationPolicy', namespace: 'shop', name: 'web' },
    shadowed: [],
    claim: '',
    follows: [],
    replicas: 9,
    strategy: 'Divided by available replicas',
    generation: 2,
    revision: 'r',
    decision: { kind: 'scheduled', reason: 'the template changed' },
    assignments: [
      { cluster: 'eu-1', replicas: 4, previous: 3, wave: 'canary' },
      { cluster: 'us-1', replicas: 5, previous: 3, wave: 'rest' },
    ],
    left: [],
    verdicts: [
      { cluster: 'eu-1', chosen: true, message: 'chosen · +1 by free capacity' },
      { cluster: 'us-1', chosen: true, message: '' },
      {
        cluster: 'ap-1',
        chosen: false,
        code: 'TaintToleration',
        message: 'taint gpu=true:NoSchedule is not tolerated',
      },
    ],
    ...fields,
  };
}

function aPlan(bindings: readonly PlannedBinding[], fields: Partial<Plan> = {}): Plan {
  const gate = { soakSeconds: 300, deadlineSeconds: 600, maxFailures: 0, approval: false };
  const resource = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' };
  return {
    schemaVersion: 1,
    application: 'shop',
    now: '2026-01-15T12:00:00Z',
    applicable: true,
    fleet: { clusters: 3, observedAt: '2026-01-15T10:00:00Z', hash: 'h' },
    bindings,
    changes: [
      { cluster: 'eu-1', resource, action: 'update', class: 'template', wave: 'canary' },
      { cluster: 'us-1', resource, action: 'update', class: 'template', wave: 'rest' },
    ],
    waves: [
      { name: 'canary', clusters: ['eu-1'], maxConcurrent: 1, gate },
      { name: 'rest', clusters: ['us-1'], maxConcurrent: 1, gate },
    ],
    releases: [],
    checks: [{ name: 'regions', passed: true, message: 'survives the loss of any one region' }],
    diagnostics: [],
    lock: {
      apiVersion: 'fleetwright.dev/v1alpha1',
      kind: 'FleetLock',
      metadata: { name: 'shop' },
      serial: 1,
      bindings: [],
      tombstones: [],
    },
    lockChanges: ['Deployment shop/web: generation 1 → 2'],
    ...fields,
  };
}

const follower = (name: string): PlannedBinding =>
  aBinding(name, {
    resource: { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'shop', name },
    policy: null,
    follows: [{ resource: aBinding('web').resource, reason: 'volume "env"' }],
    verdicts: [],
    decision: { kind: 'follows', reason: '' },
  });
const text = (bindings: readonly PlannedBinding[], fields: Partial<Plan> = {}): string =>
  describePlan(aPlan(bindings, fields), { regions: { 'eu-1': 'eu', 'us-1': 'us', 'ap-1': 'ap' } });

describe('a plan as text', () => {
  test('namespaces that go along are named beside the totals that count them', () => {
    const namespace = (name: string): Plan['changes'][number] => ({
      cluster: 'eu-1',
      resource: { apiVersion: 'v1', kind: 'Namespace', name },
      action: 'create',
      class: 'new',
      wave: 'canary',
    });
    const totals = (names: readonly string[], bindings: readonly PlannedBinding[] = []): string =>
      describePlan(aPlan(bindings, { changes: names.map(namespace), lockChanges: [] }))
        .trimEnd()
        .split('\n')
        .at(-1) ?? '';
    const own = aBinding('shop', { resource: namespace('shop').resource });

    expect(totals(['shop', 'shop'])).toMatch(/to delete {8}\(with namespace shop\)$/);
    expect(totals(['b', 'a'])).toMatch(/\(with namespaces a, b\)$/);
    expect(totals(['e', 'd', 'c', 'b', 'a'])).toMatch(/\(with namespaces a, b, c, d and 1 more\)$/);
    // One that a policy places is listed.
    expect(totals(['shop'], [own])).toMatch(/to delete$/);
  });

  test('has inputs, a table per binding, waves, checks and totals', () => {
    expect(text([aBinding('web'), follower('web-env')])).toMatchSnapshot();
  });

  test('groups equal verdicts of many clusters', () => {
    const names = Array.from({ length: 612 }, (_, i) => `c${String(i).padStart(3, '0')}`);
    const verdicts = names.map((cluster) => ({
      cluster,
      chosen: false,
      message: 'taint gpu is not tolerated',
    }));

    const lines = text([aBinding('web', { assignments: [], verdicts })]).split('\n');

    expect(lines.filter((line) => line.includes('gpu'))).toEqual([
      expect.stringMatching(
        /^ {2}612 clusters .*rejected · taint gpu is not tolerated: c000, c001, .*…$/,
      ),
    ]);
  });

  test('bindings of one policy with the same table share it', () => {
    expect(text([aBinding('a'), aBinding('b')]).match(/CLUSTER/g)).toHaveLength(1);
    expect(
      text([aBinding('a'), aBinding('b', { assignments: [] })]).match(/CLUSTER/g),
    ).toHaveLength(2);
  });

  test('counts followers beyond a few', () => {
    expect(text(['a', 'b', 'c', 'd', 'e'].map(follower))).toContain(
      '2 more of kind ConfigMap follow (volume "env")',
    );
  });

  test('shows what a binding leaves, in the fleet or not', () => {
    const left = [
      { cluster: 'ap-1', replicas: 2 },
      { cluster: 'gone', replicas: 1 },
    ];

    const shown = text([aBinding('web', { left })]);

    expect(shown).toMatch(/9 replicas/);
    expect(shown).toMatch(/ap-1 +ap +2 +- +rejected · taint/);
    expect(shown).toMatch(/gone +1 +- +rejected · left the fleet/);
  });

  test('an object that changes clusters is a move, counted once', () => {
    const resource = aBinding('web').resource;
    const changes = [
      { cluster: 'eu-1', resource, action: 'create', class: 'new', wave: 'canary' },
      { cluster: 'us-1', resource, action: 'delete', class: 'removed', wave: 'rest' },
    ] as const;

    expect(text([], { changes })).toContain('0 to add, 0 to change, 1 to move, 0 to delete');
  });

  test('what is deleted and made anew is counted as replaced', () => {
    const resource = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' };
    const changes = [
      { cluster: 'eu-1', resource, action: 'replace' as const, class: 'immutable', wave: 'all' },
    ];

    expect(text([], { changes })).toContain(
      '0 to add, 0 to change, 1 to replace, 0 to move, 0 to delete',
    );
  });

  test('lines are cut to the width, and colour changes nothing but colour', () => {
    const plan = aPlan([
      aBinding('web', { verdicts: [{ cluster: 'ap-1', chosen: false, message: 'x'.repeat(500) }] }),
    ]);

    const plain = describePlan(plan, { width: 90 });
    const coloured = describePlan(plan, { width: 90, color: true });

    expect(plain).toContain('x…');
    expect(coloured.replace(/\u001b\[\d+m/g, '')).toBe(plain);
  });

  test('says when it is not applicable', () => {
    expect(text([], { applicable: false })).toContain('not applicable');
  });
});

test('findings: worst first, with place and remedy, and a count', () => {
  expect(
    describeDiagnostics([
      { code: 'FLEET_STALE', severity: 'warning', summary: 'Old.' },
      {
        code: 'FIELD_UNKNOWN',
        severity: 'error',
        summary: 'Unknown.',
        hint: 'Remove it.',
        file: 'a.yaml',
        line: 3,
        column: 5,
        resource: { apiVersion: 'v1', kind: 'Pod', name: 'p' },
        path: ['spec', 'x'],
      },
    ]),
  ).toBe(
    'error   FIELD_UNKNOWN  Unknown.\n        at a.yaml:3:5 · Pod p · spec.x\n        hint: Remove it.\nwarning FLEET_STALE  Old.\n1 error, 1 warning\n',
  );
});

test.each([
  [0, '0 s'],
  [45, '45 s'],
  [300, '5 m'],
  [5_400, '1 h 30 m'],
  [183_600, '2 d 3 h'],
])('%d seconds are %s', (seconds, expected) => {
  expect(describeSeconds(seconds)).toBe(expected);
});
