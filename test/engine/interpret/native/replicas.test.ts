import { expect, test } from '@jest/globals';
import { interpreterFor } from '../../../../lib/engine/interpret/index.js';
import { anObject } from '../builders.js';

test.each<[kind: string, spec: object, replicas: number]>([
  ['Deployment', { replicas: 3 }, 3],
  ['Deployment', {}, 0],
  ['StatefulSet', { replicas: 2 }, 2],
  ['Job', { parallelism: 5, completions: 3 }, 3],
  ['Job', { parallelism: 4 }, 4],
  ['Job', { completions: 6 }, 0],
  ['Pod', {}, 1],
])('%s %j has %i replicas', (kind, spec, replicas) => {
  const object = anObject(kind, spec);

  expect(interpreterFor(object).interpretReplica?.(object).replicas).toBe(replicas);
});

test.each<[kind: string, spec: object, revised: object]>([
  ['Deployment', { replicas: 3 }, { replicas: 7 }],
  ['Deployment', {}, {}],
  ['ReplicaSet', { replicas: 0 }, { replicas: 7 }],
  ['Job', { parallelism: 1, completions: 9 }, { parallelism: 7, completions: 9 }],
])('%s %j revised to 7 is %j', (kind, spec, revised) => {
  const object = anObject(kind, spec);

  expect(interpreterFor(object).reviseReplica?.(object, 7)['spec']).toEqual(revised);
});

test('a count of another type is an error that names the field', () => {
  const object = anObject('Deployment', { replicas: '3' });
  const { interpretReplica, reviseReplica } = interpreterFor(object);

  expect(() => interpretReplica?.(object)).toThrow(
    'spec.replicas of Deployment web is not a whole number',
  );
  expect(() => reviseReplica?.(object, 1)).toThrow('spec.replicas');
});
