import { describe, expect, test } from '@jest/globals';
import type { KubeObject } from '../../../lib/api/object.js';
import { gateReadiness, supersededBy } from '../../../lib/engine/rollout/index.js';

const REVISION = 'fleetwright.dev/revision';

function anObject(
  resourceVersion: string,
  revision?: string,
  managedFields: object[] = [],
): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: 'env',
      resourceVersion,
      ...(revision !== undefined && { annotations: { [REVISION]: revision } }),
      managedFields,
    },
  };
}
const marks = { 'f:metadata': { 'f:annotations': { [`f:${REVISION}`]: {} } } };

describe('another rollout wrote over an object', () => {
  test.each([
    ['a newer state with another revision', anObject('100', 'theirs'), true],
    ['a newer state without any', anObject('100'), true],
    ['the old revision, seen late', anObject('98', 'old'), false],
    ['the old revision, newer: somebody went back', anObject('100', 'old'), true],
    ['our own revision, written again', anObject('120', 'ours'), false],
    ['the very state that was stored', anObject('99', 'ours'), false],
    ['versions that cannot be compared', anObject('abc', 'theirs'), false],
  ])('%s: %#', (_name, live, expected) => {
    expect(supersededBy('ours', anObject('99', 'ours'), live) !== undefined).toBe(expected);
  });

  test('is told with who wrote the mark last, and when', () => {
    const live = anObject('100', 'theirs', [
      { manager: 'fleetwright', operation: 'Apply', time: '2026-01-01T10:00:00Z', fieldsV1: marks },
      { manager: 'kubelet', operation: 'Update', time: '2026-01-01T11:00:00Z', fieldsV1: {} },
      { manager: 'x', subresource: 'status', time: '2026-01-01T12:00:00Z', fieldsV1: {} },
    ]);

    expect(supersededBy('ours', anObject('99', 'ours'), live)).toEqual({
      revision: 'theirs',
      message: `revision theirs was written over this run's ours by "fleetwright" at 2026-01-01T10:00:00Z`,
    });
  });

  test('whoever took the mark away is named too', () => {
    const live = anObject('100', undefined, [
      { manager: 'kubectl-replace', operation: 'Update', time: '2026-01-01T10:00:00Z' },
    ]);

    expect(supersededBy('ours', anObject('99', 'ours'), live)?.message).toBe(
      'the mark of revision ours was taken away by "kubectl-replace" at 2026-01-01T10:00:00Z',
    );
  });
});

describe('a waiver for one object', () => {
  const ingress = (annotations: Record<string, string> = {}, more: object = {}): KubeObject => ({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name: 'web', annotations, ...more },
  });
  const waived = ingress({ 'fleetwright.dev/readiness': 'ignore' });

  test('is read from the plan', () => {
    expect(gateReadiness(waived, ingress()).ready).toBe(true);
    expect(gateReadiness(ingress(), ingress()).ready).toBe(false);
  });

  test('cannot be had by annotating the object on the cluster', () => {
    expect(gateReadiness(ingress(), waived).ready).toBe(false);
  });

  test('does not cover an object that is being deleted', () => {
    const going = ingress({}, { deletionTimestamp: '2026-01-01T00:00:00Z' });

    expect(gateReadiness(waived, going).ready).toBe(false);
  });
});
