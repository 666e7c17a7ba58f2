import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import {
  applySetId,
  applySetParent,
  contentsOf,
  parentObject,
  readParent,
  SET_MARKS,
  unionOf,
} from '../../../lib/engine/rollout/index.js';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

describe('apply set', () => {
  test('its id is the one of KEP-3659', () => {
    const { name, namespace } = applySetParent('shop');
    const digest = createHash('sha256')
      .update(`${name}.${namespace}.ConfigMap.`)
      .digest('base64url');

    expect(applySetId('shop', sha256)).toBe(`applyset-${digest}-v1`);
    expect(applySetId('shop', sha256).length).toBeLessThanOrEqual(63);
  });

  test('its parent lists kinds and namespaces, sorted and once each, and can be read back', () => {
    const contents = contentsOf(
      [
        { apiVersion: 'v1', kind: 'Service', namespace: 'shop', name: 'a' },
        { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'a' },
        { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'b' },
        { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', name: 'c' },
      ],
      'abc',
    );

    expect(contents).toEqual({
      groupKinds: ['ClusterRole.rbac.authorization.k8s.io', 'Deployment.apps', 'Service'],
      namespaces: ['shop'],
      proven: 'abc',
    });
    const parent = parentObject('shop', 'the-id', contents);
    expect(parent.metadata.labels).toEqual({ [SET_MARKS.id]: 'the-id' });
    expect(readParent(parent)).toEqual(contents);
    expect(readParent(undefined)).toEqual({ groupKinds: [], namespaces: [] });
  });

  test('a union covers both, and what was proven before counts no more', () => {
    const old = { groupKinds: ['Job.batch'], namespaces: ['a'], proven: 'old' };

    expect(unionOf(old, { groupKinds: ['ConfigMap'], namespaces: ['b'] })).toEqual({
      groupKinds: ['ConfigMap', 'Job.batch'],
      namespaces: ['a', 'b'],
    });
  });
});
