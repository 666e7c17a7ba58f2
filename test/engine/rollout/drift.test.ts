import { describe, expect, test } from '@jest/globals';
import type { KubeObject } from '../../../lib/api/object.js';
import { driftedFields } from '../../../lib/engine/rollout/index.js';

const object = (spec: unknown): KubeObject => ({
  apiVersion: 'v1',
  kind: 'X',
  metadata: { name: 'x' },
  spec,
});
const drift = (desired: unknown, live: unknown): readonly string[] =>
  driftedFields(object(desired), object(live));

describe('drift', () => {
  test.each([
    { name: 'a changed value', desired: { a: 1 }, live: { a: 2 }, expected: ['.spec.a'] },
    { name: 'a missing field', desired: { a: { b: 1 } }, live: { a: {} }, expected: ['.spec.a.b'] },
    { name: 'a missing parent', desired: { a: { b: 1 } }, live: {}, expected: ['.spec.a'] },
    {
      name: 'defaults and fields of others',
      desired: { a: 1 },
      live: { a: 1, b: 2 },
      expected: [],
    },
    { name: 'an empty map that is not stored', desired: { a: {} }, live: {}, expected: [] },
    { name: 'an empty list that is not stored', desired: { a: [] }, live: {}, expected: [] },
    {
      name: 'quantities in other words',
      desired: { cpu: '0.5', memory: '1Gi', n: 1 },
      live: { cpu: '500m', memory: '1024Mi', n: '1' },
      expected: [],
    },
    {
      name: 'other quantities',
      desired: { cpu: '0.5' },
      live: { cpu: '600m' },
      expected: ['.spec.cpu'],
    },
    {
      name: 'texts that only look alike',
      desired: { a: '1x' },
      live: { a: '1y' },
      expected: ['.spec.a'],
    },
    {
      name: 'a container that somebody added',
      desired: { containers: [{ name: 'web', image: 'a' }] },
      live: {
        containers: [{ name: 'proxy' }, { name: 'web', image: 'a', imagePullPolicy: 'Always' }],
      },
      expected: [],
    },
    {
      name: 'a container that somebody changed',
      desired: { containers: [{ name: 'web', image: 'a' }] },
      live: { containers: [{ name: 'proxy' }, { name: 'web', image: 'b' }] },
      expected: ['.spec.containers[web].image'],
    },
    {
      name: 'a longer list of values',
      desired: { args: ['a'] },
      live: { args: ['a', 'b'] },
      expected: ['.spec.args'],
    },
    {
      name: 'a different order of values',
      desired: { args: ['a', 'b'] },
      live: { args: ['b', 'a'] },
      expected: ['.spec.args[0]', '.spec.args[1]'],
    },
  ])('$name', ({ desired, live, expected }) => expect(drift(desired, live)).toEqual(expected));

  test('status is nobody’s wish', () => {
    expect(driftedFields({ ...object({}), status: { a: 1 } }, object({}))).toEqual([]);
  });
});
