import { expect, test } from '@jest/globals';
import {
  withoutEmpty,
  withoutZeros,
} from '../../../../lib/engine/interpret/thirdparty/pattern/answer.js';
import { mergeConditions } from '../../../../lib/engine/interpret/thirdparty/pattern/conditions.js';
import { numberOf } from '../../../../lib/engine/interpret/thirdparty/pattern/number.js';
import {
  addQuantities,
  unitsOf,
} from '../../../../lib/engine/interpret/thirdparty/pattern/quantity.js';
import {
  aggregateWithGeneration,
  reflectWithGeneration,
} from '../../../../lib/engine/interpret/thirdparty/pattern/status.js';
import { anObject, deepFreeze } from '../builders.js';

test('empty members go, and what becomes empty by that stays', () => {
  const value = deepFreeze({ a: {}, b: { c: [], d: {} }, e: [{}, { f: 0 }], g: '' });

  expect(withoutEmpty(value)).toEqual({ b: {}, e: [{ f: 0 }], g: '' });
});

test('zeros go with everything that they leave empty', () => {
  expect(
    withoutZeros(deepFreeze({ a: 0, b: { c: '', d: [{ e: '0s' }] }, f: false, g: 1 })),
  ).toEqual({ f: false, g: 1 });
  expect(withoutZeros({ a: 0 })).toEqual({});
});

test('conditions of the same type, status and reason become one, with all messages', () => {
  const ready = { type: 'Ready', status: 'True', reason: 'Succeeded' };
  const items = [
    { clusterName: 'm1', status: { conditions: [{ ...ready, message: 'ok' }] } },
    {
      clusterName: 'm2',
      status: {
        conditions: [
          { ...ready, message: 'ok' },
          { ...ready, status: 'False', message: 'no' },
        ],
      },
    },
  ];

  expect(mergeConditions(deepFreeze(items))).toEqual([
    { ...ready, message: 'm1=ok, m2=ok' },
    { ...ready, status: 'False', message: 'm2=no' },
  ]);
});

test('a condition without a message spoils the merge', () => {
  expect(() =>
    mergeConditions([{ clusterName: 'm1', status: { conditions: [{ type: 'Ready' }] } }]),
  ).toThrow('m1');
});

test.each([
  [2, 2],
  ['3', 3],
  ['', 1],
  ['x', 1],
  [undefined, 1],
])('%j is the number %i', (value, number) => {
  expect(numberOf(value, 1)).toBe(number);
});

test.each([
  [['0', '2', '500m'], '2500m'],
  [['0', '3G', '5G'], '8G'],
  [['0', '3Gi', '1Gi'], '4Gi'],
  [['0'], '0'],
])('%j add up to %s', (quantities, sum) => {
  expect(addQuantities(quantities)).toBe(sum);
});

test('a quantity that is none, or negative, is an error', () => {
  expect(unitsOf('2048m')).toBe(2.048);
  expect(() => unitsOf('lots')).toThrow('is not a quantity');
  expect(() => unitsOf('-1')).toThrow('is not a quantity');
});

test.each<[name: string, items: readonly object[] | undefined, observedGeneration: number]>([
  [
    'every member has exactly this generation',
    [{ generation: 7, observedGeneration: 7, resourceTemplateGeneration: 4 }],
    4,
  ],
  [
    'a member is already further: equality counts, not "at least"',
    [{ generation: 7, observedGeneration: 7, resourceTemplateGeneration: 5 }],
    3,
  ],
  [
    'a controller is behind',
    [{ generation: 7, observedGeneration: 6, resourceTemplateGeneration: 4 }],
    3,
  ],
  ['no list at all', undefined, 4],
])('observed generation when %s', (_name, statuses, observedGeneration) => {
  const template = anObject(
    'X',
    {},
    { metadata: { generation: 4 }, status: { observedGeneration: 3 } },
  );
  const items = statuses?.map((status, i) => ({ clusterName: `m${i}`, status }));

  expect(aggregateWithGeneration({})(template, items)['status']).toEqual({ observedGeneration });
});

test.each([
  [
    { 'resourcetemplate.karmada.io/generation': '3' },
    { generation: 2, resourceTemplateGeneration: 3 },
  ],
  [{ 'resourcetemplate.karmada.io/generation': 'x' }, { generation: 2 }],
  [{}, { generation: 2 }],
])('with annotations %j the generations %j are reported', (annotations, reported) => {
  const object = anObject('X', {}, { metadata: { generation: 2, annotations }, status: {} });

  expect(reflectWithGeneration('replicas')(object)).toEqual(reported);
});
