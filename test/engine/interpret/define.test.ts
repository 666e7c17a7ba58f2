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
    [
      'InterpretReplica',
      () => broken.interpretReplica?.(widget(1)),
      'the answer is the number NaN',
    ],
    ['InterpretComponent', () => broken.interpretComponent?.(widget(1)), 'a list is needed'],
    [
      'ReviseReplica',
      () => broken.reviseReplica?.(widget(1), 2),
      'another object: metadata.name is "other" where it was "w"',
    ],
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

describe('what is returned is checked, operation by operation', () => {
  const self = widget(1);
  const elsewhere = { ...self, metadata: { ...self.metadata, namespace: 'other' } };

  test.each<[name: string, ask: (answer: never) => unknown, answer: unknown, message: string]>([
    ['no object', revised, {}, 'apiVersion is missing where it was "shop.example.com/v1"'],
    [
      'another kind',
      revised,
      { ...self, kind: 'Gadget' },
      'kind is "Gadget" where it was "Widget"',
    ],
    ['no name', revised, { ...KIND, metadata: {} }, 'metadata.name is missing where it was "w"'],
    ['another namespace', revised, elsewhere, 'metadata.namespace is "other" where it was "shop"'],
    ['a text', revised, 'w', 'an object is needed, found a text'],
    ['nothing', revised, undefined, 'an object is needed, found nothing'],
    ['a list', retained, [], 'an object is needed, found a list'],
    ['another object', retained, {}, 'it returns another object: apiVersion is missing'],
    ['another object', aggregated, { ...self, kind: 'X' }, 'kind is "X" where it was "Widget"'],
    [
      'a date',
      revised,
      { ...self, spec: { at: new Date(0) } },
      'the answer.spec.at is an instance',
    ],
    ['a function', revised, { ...self, spec: [() => 1] }, 'the answer.spec[0] is a function'],
    ['too many', counted, 2 ** 31, 'from 0 to 2147483647, found 2147483648'],
    ['a fraction', counted, 1.5, 'a whole number from 0 to 2147483647, found 1.5'],
    ['below zero', counted, -1, 'found -1'],
    ['a text', counted, '3', 'found a text'],
    ['nothing', counted, undefined, 'found nothing'],
    [
      'a list as needs',
      counted,
      { replicas: 1, requirements: [] },
      'requirements must be an object',
    ],
    [
      'no quantity',
      counted,
      { replicas: 1, requirements: { resourceRequest: { cpu: true } } },
      'cpu in requirements must be a quantity',
    ],
    ['no name', parts, [{ replicas: 1 }], 'component 1 needs a name'],
    ['half a replica', parts, [{ name: 'a', replicas: 0.5 }], 'replicas of component 1 must be'],
    ['a text', parts, ['a'], 'component 1 must be an object, found a text'],
    ['a text', reported, 'fine', 'a status must be an object, found a text'],
    ['a list', reported, [1], 'a status must be an object, found a list'],
    ['a text', healthy, 'yes', 'health must be true or false, found a text'],
    ['nothing', needed, [null], 'reference 1 must be an object, found nothing'],
    ['no kind', needed, [{ apiVersion: 'v1', name: 'a' }], 'reference 1 needs apiVersion, kind'],
    ['a number', needed, [{ apiVersion: 'v1', kind: 'A', name: 1 }], 'name of reference 1 must be'],
  ])('%s from %p', (_name, ask, answer, message) => {
    expect(() => ask(answer as never)).toThrow(message);
  });

  function revised(answer: never): unknown {
    return defineInterpreter({ kinds: [KIND], reviseReplica: () => answer }).reviseReplica?.(
      self,
      1,
    );
  }
  function retained(answer: never): unknown {
    return defineInterpreter({ kinds: [KIND], retain: () => answer }).retain?.(self, self);
  }
  function aggregated(answer: never): unknown {
    const rule = defineInterpreter({ kinds: [KIND], aggregateStatus: () => answer });
    return rule.aggregateStatus?.(self, []);
  }
  function counted(answer: never): unknown {
    return defineInterpreter({ kinds: [KIND], interpretReplica: () => answer }).interpretReplica?.(
      self,
    );
  }
  function parts(answer: never): unknown {
    const rule = defineInterpreter({ kinds: [KIND], interpretComponent: () => answer });
    return rule.interpretComponent?.(self);
  }
  function reported(answer: never): unknown {
    return defineInterpreter({ kinds: [KIND], interpretStatus: () => answer }).interpretStatus?.(
      self,
    );
  }
  function healthy(answer: never): unknown {
    return defineInterpreter({ kinds: [KIND], interpretHealth: () => answer }).interpretHealth?.(
      self,
    );
  }
  function needed(answer: never): unknown {
    const rule = defineInterpreter({ kinds: [KIND], interpretDependency: () => answer });
    return rule.interpretDependency?.(self);
  }
});
