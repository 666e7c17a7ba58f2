import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { aggregateStatus, interpreterFor } from '../../lib/engine/interpret/index.js';
import type { KubeObject } from '../../lib/engine/object.js';
import { MARKS } from '../../lib/engine/plan.js';
import { readiness } from '../../lib/engine/rollout/readiness/index.js';

interface Recorded {
  readonly step: string;
  readonly object: KubeObject;
}

/** Karmada's health, ours (`ready`, `waiting`, `failed`), whether the generation has been observed. */
type Expectation = readonly [
  step: string,
  health: 'Healthy' | 'Unhealthy',
  ours: 'ready' | 'waiting' | 'failed',
  observed: boolean,
];

const WORKLOAD: readonly Expectation[] = [
  ['create', 'Unhealthy', 'waiting', false],
  ['progress', 'Unhealthy', 'waiting', true],
  ['ready', 'Healthy', 'ready', true],
  ['update', 'Unhealthy', 'waiting', false],
  ['progress', 'Unhealthy', 'waiting', true],
  ['ready', 'Healthy', 'ready', true],
  ['degraded', 'Unhealthy', 'waiting', true],
  ['ready', 'Healthy', 'ready', true],
];

const ADDRESSED: readonly Expectation[] = [
  ['create', 'Unhealthy', 'waiting', true],
  ['ready', 'Healthy', 'ready', true],
  ['update', 'Healthy', 'ready', true],
  ['degraded', 'Unhealthy', 'waiting', true],
  ['ready', 'Healthy', 'ready', true],
];

const STORED: readonly Expectation[] = [
  ['create', 'Healthy', 'ready', true],
  ['update', 'Healthy', 'ready', true],
];

const EXPECTED: Readonly<Record<string, readonly Expectation[]>> = {
  'CronJob/life': STORED,
  'DaemonSet/life': WORKLOAD,
  'Deployment/life': WORKLOAD,
  'HorizontalPodAutoscaler/life': STORED,
  'Ingress/life': ADDRESSED,
  // Karmada has no rule for Jobs: healthy from the first second, and when it has failed.
  'Job/failed': [
    ['create', 'Healthy', 'waiting', true],
    ['progress', 'Healthy', 'waiting', true],
    ['degraded', 'Healthy', 'failed', true],
  ],
  'Job/life': [
    ['create', 'Healthy', 'waiting', true],
    ['progress', 'Healthy', 'waiting', true],
    ['ready', 'Healthy', 'ready', true],
    ['update', 'Healthy', 'ready', true],
  ],
  // Nor for volumes: one that failed is healthy, and to us stored.
  'PersistentVolume/life': [
    ['create', 'Healthy', 'ready', true],
    ['ready', 'Healthy', 'ready', true],
    ['update', 'Healthy', 'ready', true],
    ['degraded', 'Healthy', 'ready', true],
    ['ready', 'Healthy', 'ready', true],
  ],
  // A claim may wait for its first pod, which is applied after it: to wait for it would never end.
  'PersistentVolumeClaim/life': [
    ['create', 'Unhealthy', 'ready', true],
    ['ready', 'Healthy', 'ready', true],
    ['update', 'Healthy', 'ready', true],
    ['degraded', 'Unhealthy', 'failed', true],
    ['ready', 'Healthy', 'ready', true],
  ],
  'Pod/life': [
    ['create', 'Unhealthy', 'waiting', true],
    ['progress', 'Unhealthy', 'waiting', true],
    ['ready', 'Healthy', 'ready', true],
    // Ready, but that is said of the image before.
    ['update', 'Healthy', 'waiting', true],
    ['degraded', 'Unhealthy', 'waiting', true],
    ['ready', 'Healthy', 'ready', true],
  ],
  // No status at all is 0 of 0 healthy pods to Karmada; a budget that asks for more is healthy until somebody counts.
  'PodDisruptionBudget/life': [
    ['create', 'Healthy', 'waiting', false],
    ['ready', 'Healthy', 'ready', true],
    ['update', 'Healthy', 'waiting', false],
    ['ready', 'Healthy', 'ready', true],
    ['degraded', 'Unhealthy', 'waiting', true],
    ['ready', 'Healthy', 'ready', true],
  ],
  'ReplicaSet/life': WORKLOAD,
  'Secret/life': STORED,
  'Service/life': STORED,
  'Service/load-balancer': ADDRESSED,
  'ServiceAccount/life': STORED,
  'StatefulSet/life': WORKLOAD,
};

const ROOT = join(__dirname, 'native');
const lives = readdirSync(ROOT, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .flatMap(({ name: kind }) => readdirSync(join(ROOT, kind)).map((file) => `${kind}/${file}`))
  .map((file) => file.replace(/\.json$/, ''))
  .sort();

test('every recorded life has its expectations', () => {
  expect(lives).toEqual(Object.keys(EXPECTED));
});

describe.each(lives)('%s', (life) => {
  const recorded = JSON.parse(readFileSync(join(ROOT, `${life}.json`), 'utf8')) as Recorded[];
  const updated = recorded.findIndex(({ step }) => step === 'update');

  test('health, readiness and what has been observed are right at each step', () => {
    const seen = recorded.map(({ step, object }, i): Expectation => {
      const generation = updated < 0 || i < updated ? 1 : 2;
      const { items, observedGeneration } = statusOf(object, generation);
      return [step, items[0]?.health as 'Healthy', ours(object), observedGeneration === generation];
    });

    expect(seen).toEqual(EXPECTED[life]);
  });

  test('an object that has the template’s older generation has observed nothing', () => {
    for (const { object } of recorded) {
      const { behind } = statusOf(object, 3, 2);

      expect(behind).toEqual(['m1']);
    }
  });
});

describe('the generation that Karmada would write', () => {
  test.each(['Deployment', 'DaemonSet'])('%s: moves when the cluster has observed', (kind) => {
    expect(karmadaGenerations(kind)).toEqual([0, 1, 1, 1, 2, 2, 2, 2]);
  });

  test('StatefulSet: does not move, since members do not report what they observed', () => {
    expect(karmadaGenerations('StatefulSet')).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
  });
});

function statusOf(
  object: KubeObject,
  generation: number,
  carried = generation,
  status?: unknown,
): ReturnType<typeof aggregateStatus> {
  const { metadata, ...rest } = object;
  const annotations = { ...metadata.annotations, [MARKS.generation]: String(carried) };
  return aggregateStatus({
    template: { ...rest, metadata, status } as KubeObject,
    generation,
    members: [
      { cluster: 'm1', object: { ...rest, metadata: { ...metadata, annotations } } as KubeObject },
    ],
    interpreter: interpreterFor(object),
    previous: generation - 1,
    now: '2026-01-02T00:00:00Z',
  });
}

function ours(object: KubeObject): 'ready' | 'waiting' | 'failed' {
  const { ready, failed } = readiness(object);
  return ready ? 'ready' : failed === undefined ? 'waiting' : 'failed';
}

/** Step by step, each aggregate on top of the one before. */
function karmadaGenerations(kind: string): readonly number[] {
  const recorded = JSON.parse(readFileSync(join(ROOT, kind, 'life.json'), 'utf8')) as Recorded[];
  const updated = recorded.findIndex(({ step }) => step === 'update');
  let status: unknown;
  return recorded.map(({ object }, i) => {
    const generation = i < updated ? 1 : 2;
    status = statusOf(object, generation, generation, status).karmada;
    return (status as { observedGeneration?: number } | undefined)?.observedGeneration ?? 0;
  });
}
