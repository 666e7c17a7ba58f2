import { describe, expect, test } from '@jest/globals';
import type { FleetLock, LockedBinding } from '../../../lib/api/fleet-lock.js';
import { printYaml } from '../../../lib/providers/source/index.js';
import { parseLock, printLock } from '../../../lib/providers/lock/index.js';

const BINDING: LockedBinding = {
  resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' },
  policy: null,
  generation: 1,
  template: 'aaaa',
  seed: 'seed',
  decidedAt: '2026-01-01T00:00:00Z',
  replicas: 3,
  clusters: { 'ap-1': 3 },
  render: {},
};

const OWNER = { kind: 'PropagationPolicy', namespace: 'shop', name: 'all' } as const;

function aLock(fields: Partial<FleetLock>): FleetLock {
  return {
    apiVersion: 'fleetwright.dev/v1alpha1',
    kind: 'FleetLock',
    metadata: { name: 'shop' },
    serial: 1,
    bindings: [],
    tombstones: [],
    ...fields,
  };
}

const REPEATED: readonly (readonly [string, FleetLock, RegExp, number])[] = [
  [
    'an object',
    aLock({ bindings: [BINDING, { ...BINDING, clusters: { 'us-1': 6 } }] }),
    /two decisions for Deployment shop\/web/,
    17,
  ],
  [
    'an object in another version',
    aLock({
      bindings: [
        BINDING,
        { ...BINDING, resource: { ...BINDING.resource, apiVersion: 'apps/v1beta1' } },
      ],
    }),
    /two decisions for Deployment shop\/web/,
    17,
  ],
  [
    'a policy',
    aLock({
      policies: [
        { policy: OWNER, spec: 'a' },
        { policy: OWNER, spec: 'b' },
      ],
    }),
    /two entries for PropagationPolicy shop\/all/,
    11,
  ],
  [
    'a cluster that is gone',
    aLock({
      tombstones: [
        { cluster: 'ap-1', since: '2026-01-01T00:00:00Z', resources: [] },
        { cluster: 'ap-1', since: '2026-01-02T00:00:00Z', resources: [] },
      ],
    }),
    /two tombstones for cluster ap-1/,
    12,
  ],
];

describe('what keeping both sides of a merge leaves', () => {
  test.each(REPEATED)(
    '%s twice is LOCK_INVALID with its name and line',
    (_, lock, summary, line) => {
      const result = parseLock(printLock(lock), 'fleet.lock.yaml');

      expect(result.ok ? [] : result.diagnostics).toMatchObject([
        {
          code: 'LOCK_INVALID',
          summary: expect.stringMatching(summary),
          hint: expect.stringMatching(/both sides of a merge.*fleetwright lock/),
          file: 'fleet.lock.yaml',
          line,
        },
      ]);
    },
  );

  test.each(REPEATED)('%s twice is seen in any other YAML', (_, lock, summary) => {
    const result = parseLock(printYaml(lock), 'fleet.lock.yaml');

    expect(result.ok ? '' : result.diagnostics[0]?.summary).toMatch(summary);
  });

  test.each([
    ['clusters: {"ap-1":3,"ap-1":6}'],
    ['render: {"*":"a","*":"b"}'],
    ['resource: {"apiVersion":"v1","kind":"A","name":"x","name":"y"}'],
  ])('a key twice within one line is LOCK_INVALID: %s', (line) => {
    const field = line.slice(0, line.indexOf(':'));
    const text = printLock(aLock({ bindings: [BINDING] }));

    const result = parseLock(
      text.replace(new RegExp(`${field}: .*`), () => line),
      'fleet.lock.yaml',
    );

    expect(result.ok ? [] : result.diagnostics).toMatchObject([
      {
        code: 'LOCK_INVALID',
        summary: expect.stringMatching(/unique/),
        line: text.split('\n').findIndex((one) => one.includes(`${field}: `)) + 1,
      },
    ]);
  });

  test('clusters named like numbers are no repetition', () => {
    const lock = aLock({ bindings: [{ ...BINDING, clusters: { '10': 1, '9': 2, a: 0 } }] });

    expect(parseLock(printLock(lock), 'fleet.lock.yaml')).toMatchObject({ ok: true, value: lock });
  });
});

describe('names that objects of the language have', () => {
  test.each(['clusters', 'render'])('`__proto__` in %s is refused, not lost', (field) => {
    const text = printLock(aLock({ bindings: [BINDING] }));
    const value = field === 'clusters' ? '{"__proto__":3}' : '{"__proto__":"a"}';

    const result = parseLock(
      text.replace(new RegExp(`${field}: .*`), () => `${field}: ${value}`),
      'fleet.lock.yaml',
    );

    expect(result.ok ? [] : result.diagnostics).toMatchObject([
      {
        code: 'LOCK_INVALID',
        summary: expect.stringMatching(/__proto__/),
      },
    ]);
  });

  test('a cluster may be named constructor', () => {
    const lock = aLock({ bindings: [{ ...BINDING, clusters: { constructor: 1 } }] });

    expect(parseLock(printLock(lock), 'fleet.lock.yaml')).toMatchObject({ ok: true, value: lock });
  });
});
