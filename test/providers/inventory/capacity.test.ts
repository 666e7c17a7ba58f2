import { describe, expect, test } from '@jest/globals';

import type { ResourceModel } from '../../../lib/api/cluster.js';
import { openCapacity, type Node } from '../../../lib/providers/inventory/capacity.js';
import { printAmounts } from '../../../lib/providers/inventory/amounts.js';
import { requestsOf, type Pod } from '../../../lib/providers/inventory/pod-requests.js';

function aNode(name: string, allocatable: Readonly<Record<string, string>>, isReady = true): Node {
  const conditions = [{ type: 'Ready', status: isReady ? 'True' : 'False' }];
  return { metadata: { name }, status: { allocatable, conditions } };
}

function aPod(nodeName: string | undefined, cpu: string, phase = 'Running'): Pod {
  return {
    spec: {
      ...(nodeName !== undefined && { nodeName }),
      containers: [{ resources: { requests: { cpu } } }],
    },
    status: { phase },
  };
}

const requests = (
  cpu: string,
  memory?: string,
): { resources: { requests: Record<string, string> } } => ({
  resources: { requests: { cpu, ...(memory !== undefined && { memory }) } },
});

describe('what a pod requests', () => {
  test.each<{ name: string; spec: Pod['spec']; sum: Record<string, string> }>([
    { name: 'nothing', spec: { containers: [{}] }, sum: {} },
    {
      name: 'its containers together',
      spec: { containers: [requests('1', '1Gi'), requests('500m', '512Mi')] },
      sum: { cpu: '1500m', memory: '1536Mi' },
    },
    {
      name: 'an init container that asks for more',
      spec: { containers: [requests('1')], initContainers: [requests('3')] },
      sum: { cpu: '3' },
    },
    {
      name: 'an init container that asks for less',
      spec: { containers: [requests('2')], initContainers: [requests('1')] },
      sum: { cpu: '2' },
    },
    {
      name: 'a sidecar along with the containers',
      spec: {
        containers: [requests('2')],
        initContainers: [{ ...requests('1'), restartPolicy: 'Always' }],
      },
      sum: { cpu: '3' },
    },
    {
      name: 'an init container along with the sidecars started before it',
      spec: {
        containers: [requests('1')],
        initContainers: [{ ...requests('1'), restartPolicy: 'Always' }, requests('4')],
      },
      sum: { cpu: '5' },
    },
    {
      name: 'overhead',
      spec: { containers: [requests('1')], overhead: { cpu: '100m' } },
      sum: { cpu: '1100m' },
    },
    {
      name: 'requests of the pod as a whole',
      spec: { containers: [requests('1', '1Gi')], resources: { requests: { cpu: '4' } } },
      sum: { cpu: '4', memory: '1Gi' },
    },
    {
      name: 'extended resources, and nothing that is not scheduled',
      spec: {
        containers: [
          {
            resources: { requests: { 'example.com/gpu': '2', 'hugepages-2Mi': '4Mi', bogus: '1' } },
          },
        ],
      },
      sum: { 'example.com/gpu': '2', 'hugepages-2Mi': '4Mi' },
    },
  ])('$name', ({ spec, sum }) => {
    expect(printAmounts(requestsOf({ spec }))).toEqual(sum);
  });
});

describe('the capacity of a cluster', () => {
  const size = { cpu: '4', memory: '16Gi', pods: '110' };

  test('sums nodes and pods as Karmada does', () => {
    const capacity = openCapacity();
    capacity.addNode(aNode('a', size));
    capacity.addNode(aNode('b', size, false));
    for (const pod of [
      aPod('a', '1'),
      aPod('b', '250m'),
      aPod('a', '3', 'Succeeded'),
      aPod('a', '3', 'Failed'),
      aPod(undefined, '2', 'Pending'),
    ])
      capacity.addPod(pod);

    expect(capacity.summary([])).toEqual({
      nodeSummary: { totalNum: 2, readyNum: 1 },
      resourceSummary: {
        allocatable: { cpu: '8', memory: '32Gi', pods: '220' },
        allocated: { cpu: '1250m', pods: '2' },
        allocating: { cpu: '2', pods: '1' },
      },
    });
  });

  test('of no nodes is empty, not unknown', () => {
    expect(openCapacity().summary([])).toEqual({
      nodeSummary: { totalNum: 0, readyNum: 0 },
      resourceSummary: { allocatable: {} },
    });
  });

  describe('in grades', () => {
    const models: readonly ResourceModel[] = [
      {
        grade: 0,
        ranges: [
          { name: 'cpu', min: '0', max: '2' },
          { name: 'memory', min: '0', max: '8Gi' },
        ],
      },
      {
        grade: 1,
        ranges: [
          { name: 'cpu', min: '2', max: '4' },
          { name: 'memory', min: '8Gi', max: '16Gi' },
        ],
      },
      {
        grade: 2,
        ranges: [
          { name: 'cpu', min: '4', max: '9223372036854775807' },
          { name: 'memory', min: '16Gi', max: '9223372036854775807' },
        ],
      },
    ];
    const grades = (...nodes: readonly Node[]): unknown => {
      const capacity = openCapacity();
      for (const node of nodes) capacity.addNode(node);
      capacity.addPod(aPod('used', '1'));
      return capacity
        .summary(models)
        .resourceSummary?.allocatableModelings?.map(({ count }) => count);
    };

    test('a node counts by what is free, in its scarcest resource', () => {
      expect(
        grades(aNode('used', size), aNode('free', size), aNode('thin', { ...size, memory: '4Gi' })),
      ).toEqual([1, 1, 1]);
    });

    test('a full node does not hide those behind it', () => {
      expect(grades(aNode('used', { ...size, pods: '1' }), aNode('free', size))).toEqual([0, 0, 1]);
    });

    test('an overcommitted node has no grade', () => {
      expect(grades(aNode('used', { ...size, cpu: '500m' }), aNode('free', size))).toEqual([
        0, 0, 1,
      ]);
    });
  });
});
