import { describe, expect, test } from '@jest/globals';
import type { KubeObject } from '../../../lib/engine/object.js';
import type { PlanInput } from '../../../lib/engine/input.js';
import { describeExplanation } from '../../../lib/engine/describe/index.js';
import { plan } from '../../../lib/engine/index.js';
import { refKey } from '../../../lib/engine/object.js';
import { standardTools } from '../../../lib/providers/tools.js';
import { aCluster, aDeployment, anInput, aPolicy } from '../../builders.js';

const tools = standardTools();
const ONE_CPU = {
  containers: [{ name: 'web', image: 'nginx', resources: { requests: { cpu: '1' } } }],
};
const BY_ROOM = {
  replicaScheduling: {
    replicaSchedulingType: 'Divided',
    replicaDivisionPreference: 'Weighted',
    weightPreference: { dynamicWeight: 'AvailableReplicas' },
  },
};
const KEY = (name: string): string =>
  refKey({ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name });

function workloads(replicas: Readonly<Record<string, number>>): KubeObject[] {
  return Object.entries(replicas).flatMap(([name, count]) => [
    aDeployment(name, count, ONE_CPU),
    aPolicy(name, BY_ROOM),
  ]);
}

function explained(input: PlanInput, name: string): { text: string; json: unknown } {
  const result = plan({ ...input, options: { ...input.options, explain: [KEY(name)] } }, tools);
  const binding = result.bindings.find(({ resource }) => resource.name === name);
  if (binding === undefined) throw new Error(`${name} is not in the plan`);
  return { text: describeExplanation(result, binding), json: JSON.parse(JSON.stringify(binding)) };
}

describe('a binding that found no room', () => {
  const clusters = [aCluster('eu-1', { cpu: 10 }), aCluster('us-1', { cpu: 4 })];

  test('names who took it, most replicas first', () => {
    const input = anInput(workloads({ a: 3, b: 8, z: 6 }), clusters);

    const { text, json } = explained(input, 'z');

    expect(text).toContain(
      'Decided before it in this plan, where it fits\n' +
        '  Deployment shop/b  8 replicas\n' +
        '  Deployment shop/a  3 replicas\n',
    );
    expect(json).toMatchObject({
      takenBy: [
        { resource: { name: 'b' }, replicas: 8 },
        { resource: { name: 'a' }, replicas: 3 },
      ],
    });
  });

  test('has a diagnostic that names them', () => {
    const result = plan(anInput(workloads({ a: 10, b: 10 }), clusters), tools);

    expect(
      result.diagnostics.find(({ code }) => code === 'PLACEMENT_NOT_ENOUGH_CAPACITY')?.hint,
    ).toContain('Decided before it in this plan: Deployment shop/a (10 replicas).');
  });

  test('counts only what was taken where it fits', () => {
    const [a, apolicy] = workloads({ a: 4 });
    const [z] = workloads({ z: 20 });
    const only = { clusterAffinity: { clusterNames: ['us-1'] }, ...BY_ROOM };
    const eu = { clusterAffinity: { clusterNames: ['eu-1'] }, ...BY_ROOM };
    const input = anInput(
      [a, { ...apolicy, ...aPolicy('a', only) }, z, aPolicy('z', eu)] as KubeObject[],
      clusters,
    );

    expect(explained(input, 'z').json).not.toHaveProperty('takenBy');
  });
});

describe('a binding that the lock keeps', () => {
  const before = anInput(workloads({ web: 6 }), [aCluster('eu-1'), aCluster('us-1')]);
  const { lock } = plan(before, tools);

  test('says that a fresh decision would be the same', () => {
    const { text } = explained({ ...before, lock }, 'web');

    expect(text).toContain('stays; a fresh decision would be the same');
    expect(text).toContain('Candidates, best first');
  });

  test('shows what a fresh decision would give, and what it is given when asked for', () => {
    const now = {
      ...before,
      lock,
      fleet: { clusters: [aCluster('eu-1', { cpu: 10 }), aCluster('us-1')] },
    };

    const { text, json } = explained(now, 'web');
    const afresh = plan({ ...now, options: { ...now.options, reschedule: 'all' } }, tools);
    const shares = (afresh.bindings[0]?.assignments ?? []).map(({ cluster, replicas }) => ({
      cluster,
      replicas,
    }));

    expect(text).toContain(
      'stays: sticky; a fresh decision (--reschedule) would be eu-1 1, us-1 5',
    );
    expect(json).toMatchObject({
      decision: { kind: 'kept' },
      fresh: { kind: 'placed', clusters: shares },
    });
  });

  test('changes nothing in the plan by being explained', () => {
    const now = {
      ...before,
      lock,
      fleet: { clusters: [aCluster('eu-1', { cpu: 10 }), aCluster('us-1')] },
    };
    const plain = plan(now, tools);
    const asked = plan({ ...now, options: { ...now.options, explain: [KEY('web')] } }, tools);

    expect(asked.lock).toEqual(plain.lock);
    expect(asked.changes).toEqual(plain.changes);
  });
});

test('PLACEMENT_SPREAD_UNMET: a spread constraint that cannot be met is no lack of room', () => {
  const placement = { spreadConstraints: [{ spreadByField: 'cluster', minGroups: 3 }] };
  const input = anInput(
    [aDeployment('web', 2), aPolicy('web', placement)],
    [aCluster('eu-1', { region: 'eu' }), aCluster('eu-2', { region: 'eu' })],
  );

  expect(plan(input, tools).diagnostics).toContainEqual(
    expect.objectContaining({ severity: 'error', code: 'PLACEMENT_SPREAD_UNMET' }),
  );
});
