import { describe, expect, test } from '@jest/globals';
import { plan } from '../../lib/engine/index.js';
import type { KubeObject, PlanInput, PlanOptions } from '../../lib/engine/index.js';
import { standardTools } from '../../lib/providers/tools.js';
import { aCluster, aDeployment, anInput, aPolicy } from '../builders.js';

const tools = standardTools();
const A = aCluster('a');
const B = aCluster('b');
const DIVIDED = {
  replicaScheduling: { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Weighted' },
};
const on = (...clusterNames: string[]): object => ({ clusterAffinity: { clusterNames } });

interface Step {
  readonly placement: object;
  readonly replicas?: number;
  readonly clusters?: PlanInput['fleet']['clusters'];
  readonly options?: Partial<PlanOptions>;
  readonly more?: readonly KubeObject[];
}

/** The findings about moves of the second plan, whose lock is the first one's. */
function movesFrom(before: Step, after: Step): string[] {
  const inputOf = ({ placement, replicas = 4, clusters = [A, B], options, more = [] }: Step) =>
    anInput([aDeployment('web', replicas), aPolicy('web', placement), ...more], clusters, options);
  const { lock } = plan(inputOf(before), tools);
  return plan({ ...inputOf(after), now: '2026-01-03T00:00:00Z', lock }, tools)
    .diagnostics.filter(({ code }) => code === 'WORKLOAD_MOVES')
    .map(({ severity, summary }) => `${severity}: ${summary}`);
}

const WHOLE = 'Deployment shop/web runs on a (4 replicas) and would leave; it goes to b (4).';

describe('a running workload that would leave a cluster', () => {
  test.each<[string, Step, Step, string[]]>([
    [
      'by another affinity, divided',
      { placement: { ...DIVIDED, ...on('a') } },
      { placement: { ...DIVIDED, ...on('b') } },
      [`error: ${WHOLE}`],
    ],
    [
      'by another affinity, duplicated',
      { placement: on('a') },
      { placement: on('b') },
      [`error: ${WHOLE}`],
    ],
    ['one of two', { placement: on('a', 'b') }, { placement: on('b') }, [`error: ${WHOLE}`]],
    [
      'in the profile of Karmada',
      { placement: on('a') },
      { placement: on('b'), options: { profile: 'karmada' } },
      [`warning: ${WHOLE}`],
    ],
    [
      'acknowledged by code',
      { placement: on('a') },
      { placement: on('b'), options: { acknowledge: ['WORKLOAD_MOVES'] } },
      [`warning: ${WHOLE}`],
    ],
    [
      'acknowledged by object',
      { placement: on('a') },
      { placement: on('b'), options: { acknowledge: ['WORKLOAD_MOVES=Deployment/shop/web'] } },
      [`warning: ${WHOLE}`],
    ],
    [
      'another one is acknowledged',
      { placement: on('a') },
      { placement: on('b'), options: { acknowledge: ['WORKLOAD_MOVES=Deployment/shop/api'] } },
      [`error: ${WHOLE}`],
    ],
  ])('is refused until it is named: %s', (_name, before, after, expected) => {
    expect(movesFrom(before, after)).toEqual(expected);
  });

  test.each<[string, Step, Step]>([
    ['nothing changes', { placement: on('a') }, { placement: on('a') }],
    ['a cluster is added', { placement: on('a') }, { placement: on('a', 'b') }],
    [
      'shares change',
      { placement: { ...DIVIDED, ...on('a', 'b') } },
      { placement: { ...DIVIDED, ...on('a', 'b') }, replicas: 6 },
    ],
    [
      'fewer replicas are wanted',
      { placement: { ...DIVIDED, ...on('a', 'b') } },
      { placement: { ...DIVIDED, ...on('a', 'b') }, replicas: 1 },
    ],
    ['the cluster left the fleet', { placement: {} }, { placement: {}, clusters: [B] }],
    [
      'a taint evicts it',
      { placement: DIVIDED },
      {
        placement: DIVIDED,
        clusters: [aCluster('a', { taints: [{ key: 'gone', effect: 'NoExecute' }] }), B],
      },
    ],
    [
      'it is rescheduled on request',
      { placement: on('a') },
      { placement: on('b'), options: { reschedule: 'all' } },
    ],
  ])('is no finding where %s', (_name, before, after) => {
    expect(movesFrom(before, after)).toEqual([]);
  });
});
