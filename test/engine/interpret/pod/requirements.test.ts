import { expect, test } from '@jest/globals';
import { podRequirements } from '../../../../lib/engine/interpret/pod/requirements.js';
import {
  parseQuantity,
  printBinary,
  printDecimal,
} from '../../../../lib/engine/interpret/pod/quantity.js';

function container(requests: object, limits: object = {}): object {
  return { resources: { requests, limits } };
}

test.each<[name: string, podSpec: object, request: object | undefined]>([
  ['nothing asked', { containers: [{}] }, undefined],
  [
    'containers add up',
    { containers: [container({ cpu: '200m' }), container({ cpu: '0.1' })] },
    { cpu: '300m' },
  ],
  [
    'the largest init container counts when it is larger',
    {
      containers: [container({ cpu: '200m' }), container({ cpu: '100m' })],
      initContainers: [container({ cpu: '500m' })],
    },
    { cpu: '500m' },
  ],
  [
    'a limit without a request is a request',
    { containers: [container({}, { memory: '256Mi' })] },
    { memory: '256Mi' },
  ],
  [
    'a request beats its limit',
    { containers: [container({ cpu: '1' }, { cpu: '2' })] },
    { cpu: '1' },
  ],
  [
    'overhead is added',
    { containers: [container({ cpu: '1' })], overhead: { cpu: '250m' } },
    { cpu: '1250m' },
  ],
  [
    'zero and unknown resources are dropped',
    { containers: [container({ cpu: '0', storage: '1Gi', pods: '0' })] },
    undefined,
  ],
  [
    'extended resources and huge pages count',
    {
      containers: [
        container({
          'nvidia.com/gpu': '2',
          'hugepages-2Mi': '4Mi',
          'requests.nvidia.com/gpu': '1',
        }),
      ],
    },
    { 'hugepages-2Mi': '4Mi', 'nvidia.com/gpu': '2' },
  ],
  [
    'fractions of a byte are rounded up',
    { containers: [container({ memory: '1500m' })] },
    { memory: '2' },
  ],
])('%s', (_name, podSpec, request) => {
  expect(podRequirements(podSpec)?.resourceRequest).toEqual(request);
});

test('node selector, tolerations and required node affinity are the node claim', () => {
  const required = { nodeSelectorTerms: [] };
  const claim = podRequirements({
    nodeSelector: { disk: 'ssd' },
    tolerations: [{ key: 'a' }],
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: required,
        preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1 }],
      },
    },
  });

  expect(claim).toEqual({
    nodeClaim: {
      hardNodeAffinity: required,
      nodeSelector: { disk: 'ssd' },
      tolerations: [{ key: 'a' }],
    },
  });
});

test('preferred affinity alone asks nothing', () => {
  const affinity = {
    nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1 }] },
  };

  expect(podRequirements({ affinity, nodeSelector: {}, tolerations: [] })).toBeUndefined();
});

test.each([
  ['2', '2'],
  ['2000m', '2'],
  ['1500m', '1500m'],
  ['100u', '1m'],
  ['3e3', '3k'],
])('cpu %s prints as %s', (text, printed) => {
  expect(printDecimal(parseQuantity(text, 3) ?? -1n, 3)).toBe(printed);
});

test.each([
  ['1024Mi', '1Gi'],
  ['1536M', '1500000Ki'],
  ['100e6', '100000000'],
  ['512', '512'],
  ['1.5Gi', '1536Mi'],
])('memory %s prints as %s', (text, printed) => {
  expect(printBinary(parseQuantity(text, 0) ?? -1n)).toBe(printed);
});

test.each(['', 'x', '1 Gi', 'Mi', '1e', '--1'])('%j is no quantity', (text) => {
  expect(parseQuantity(text, 0)).toBeUndefined();
});

test('amounts beyond 64 bits stop there', () => {
  expect(parseQuantity('1e100', 0)).toBe(9223372036854775807n);
  expect(parseQuantity('10E', 3)).toBe(9223372036854775807n);
});
