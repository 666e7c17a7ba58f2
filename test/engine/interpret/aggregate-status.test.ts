import { describe, expect, test } from '@jest/globals';
import type { MemberState, TemplateStatus } from '../../../lib/engine/interpret/index.js';
import { aggregateStatus, interpreterFor } from '../../../lib/engine/interpret/index.js';
import type { KubeObject } from './builders.js';
import { anObject, deepFreeze } from './builders.js';

function statusOf(
  kind: string,
  members: readonly MemberState[],
  rest: { previous?: number; template?: KubeObject } = {},
): TemplateStatus {
  const template = rest.template ?? anObject(kind, { replicas: 2 });
  const { previous } = rest;
  return aggregateStatus({
    template,
    generation: 4,
    members: deepFreeze(members),
    interpreter: interpreterFor(template),
    ...(previous !== undefined && { previous }),
    now: '2026-03-01T00:00:00Z',
  });
}

/** A member at a template generation; the controller has seen it unless `observed` says otherwise. */
function member(cluster: string, kind: string, carried: number, observed = 2): MemberState {
  const annotations = { 'resourcetemplate.karmada.io/generation': String(carried) };
  const status = {
    observedGeneration: observed,
    replicas: 1,
    updatedReplicas: 2,
    availableReplicas: 2,
  };
  return {
    cluster,
    object: anObject(kind, { replicas: 2 }, { metadata: { generation: 2, annotations }, status }),
  };
}

describe('our observed generation', () => {
  test.each([
    ['all have seen it', [member('b', 'Deployment', 4), member('a', 'Deployment', 5)], 4, []],
    [
      'one still has the old template',
      [member('a', 'Deployment', 4), member('b', 'Deployment', 3)],
      3,
      ['b'],
    ],
    [
      'one controller has not looked yet',
      [member('a', 'Deployment', 4, 1), member('b', 'Deployment', 4)],
      3,
      ['a'],
    ],
    ['one object is missing', [member('a', 'Deployment', 4), { cluster: 'b' }], 3, ['b']],
    ['one cluster does not answer', [{ cluster: 'a', failure: 'timed out' }], 3, ['a']],
    ['no cluster at all', [], 3, []],
    ['a StatefulSet, which Karmada never lets advance', [member('a', 'StatefulSet', 4)], 4, []],
  ])('%s', (_name, members, observedGeneration, behind) => {
    const kind =
      members[0] !== undefined && 'object' in members[0]
        ? (members[0].object?.kind ?? '')
        : 'Deployment';

    expect(statusOf(kind, members, { previous: 3 })).toMatchObject({ observedGeneration, behind });
  });

  test('a kind whose controller says nothing has observed what it carries', () => {
    const annotations = { 'resourcetemplate.karmada.io/generation': '4' };
    const object = anObject('ConfigMap', {}, { metadata: { annotations } });

    expect(statusOf('ConfigMap', [{ cluster: 'a', object }]).observedGeneration).toBe(4);
  });

  test('a Deployment without a status has not been looked at', () => {
    const annotations = { 'resourcetemplate.karmada.io/generation': '4' };
    const object = anObject('Deployment', {}, { metadata: { annotations } });

    expect(statusOf('Deployment', [{ cluster: 'a', object }]).behind).toEqual(['a']);
  });
});

describe("Karmada's aggregate", () => {
  test('is beside ours, with the items it is made of', () => {
    const status = statusOf('Deployment', [
      member('b', 'Deployment', 4),
      member('a', 'Deployment', 4),
    ]);

    expect(status.items.map(({ clusterName, health }) => [clusterName, health])).toEqual([
      ['a', 'Healthy'],
      ['b', 'Healthy'],
    ]);
    expect(status.karmada).toMatchObject({ replicas: 2, observedGeneration: 4 });
  });

  test('is absent for kinds that Karmada does not aggregate', () => {
    expect(statusOf('ConfigMap', [])).not.toHaveProperty('karmada');
  });

  test('jumps with no cluster, where ours stays', () => {
    const status = statusOf('Deployment', []);

    expect([status.karmada, status.observedGeneration]).toEqual([{ observedGeneration: 4 }, 0]);
  });

  test('an object that cannot be reported has no status, and one that cannot be judged unknown health', () => {
    const object = anObject('Deployment', { replicas: 1 }, { status: { replicas: 1 } });
    const [item] = statusOf('Deployment', [{ cluster: 'a', object }]).items;

    expect(item).toEqual({ clusterName: 'a', applied: true, health: 'Unhealthy' });
  });
});
