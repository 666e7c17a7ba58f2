import { describe, expect, test } from '@jest/globals';
import type { Interpreter } from '../../../lib/engine/interpret/index.js';
import {
  defineInterpreter,
  InterpretError,
  interpreterFor,
} from '../../../lib/engine/interpret/index.js';
import type { KubeObject } from '../../../lib/engine/object.js';

interface Widget {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { name: string; readonly namespace?: string };
  readonly spec: { size: number };
}

const KIND = { apiVersion: 'shop.example.com/v1', kind: 'Widget' };
const widget = (size: number): KubeObject => ({
  ...KIND,
  metadata: { namespace: 'shop', name: 'w' },
  spec: { size },
});

test('has the operations that were defined and no others', () => {
  const taught = defineInterpreter<Widget>({
    kinds: [KIND, { ...KIND, kind: 'Gadget' }],
    interpretReplica: ({ spec }) => spec.size,
    interpretHealth: ({ spec }) => spec.size > 0,
  });

  expect(Object.keys(taught).sort()).toEqual(['interpretHealth', 'interpretReplica', 'kinds']);
  expect(taught.kinds.map(({ kind }) => kind)).toEqual(['Widget', 'Gadget']);
  expect(taught.interpretReplica?.(widget(3))).toEqual({ replicas: 3 });
  expect(interpreterFor(KIND, [taught]).interpretStatus).toBeDefined();
});

test('a function may change its object: it has a copy', () => {
  const object = widget(1);
  const { reviseReplica } = defineInterpreter<Widget>({
    kinds: [KIND],
    reviseReplica: (own, replicas) => {
      own.spec.size = replicas;
      return own;
    },
  });

  expect(reviseReplica?.(object, 5)).toEqual(widget(5));
  expect(object).toEqual(widget(1));
});

describe('what is wrong is an InterpretError that names the operation', () => {
  const rename = (object: KubeObject): KubeObject => ({
    ...object,
    metadata: { ...object.metadata, name: 'other' },
  });
  const broken: Interpreter = defineInterpreter({
    kinds: [KIND],
    interpretReplica: (object) => Number(object['replicas']),
    interpretComponent: () => 'none' as never,
    reviseReplica: rename,
    retain: () => null as never,
    interpretStatus: () => {
      throw new Error('not today');
    },
    aggregateStatus: () => [] as never,
    interpretHealth: () => 1 as never,
    interpretDependency: () => [{ apiVersion: 'v1', kind: 'Secret', name: '' }],
  });

  test.each<[operation: string, ask: () => unknown, message: string]>([
    ['InterpretReplica', () => broken.interpretReplica?.(widget(1)), 'a whole number, found NaN'],
    ['InterpretComponent', () => broken.interpretComponent?.(widget(1)), 'a list is needed'],
    ['ReviseReplica', () => broken.reviseReplica?.(widget(1), 2), 'must stay as they are'],
    ['Retain', () => broken.retain?.(widget(1), widget(1)), 'an object is needed'],
    ['InterpretStatus', () => broken.interpretStatus?.(widget(1)), 'not today'],
    ['AggregateStatus', () => broken.aggregateStatus?.(widget(1), []), 'an object is needed'],
    ['InterpretHealth', () => broken.interpretHealth?.(widget(1)), 'true or false'],
    ['InterpretDependency', () => broken.interpretDependency?.(widget(1)), 'name or labelSelector'],
  ])('%s', (operation, ask, message) => {
    let caught: unknown;
    try {
      ask();
    } catch (error) {
      caught = error;
    }

    expect(InterpretError.is(caught)).toBe(true);
    expect((caught as InterpretError).rule).toEqual({ operation });
    expect((caught as InterpretError).message).toContain(message);
  });
});
