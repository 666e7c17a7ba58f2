import { plan } from '../../lib/engine/index.js';
import type { PlanInput } from '../../lib/engine/input.js';
import { standardTools } from '../../lib/providers/tools.js';
import { bestOf, cpuMilliseconds, fittedExponent, type Bench, type Figure } from './bench.js';
import { aPlanInput, aWideInput, FULL, withOnePlacementChanged } from './plan-data.js';

const tools = standardTools();

/** Everything: validation, claims, scheduling, rendering, releases, the next lock. */
function fresh(): Figure[] {
  const input = aPlanInput(FULL);
  // Garbage of the run before counts as well, as it does in a process that plans once.
  const milliseconds = bestOf(3, () => void plan(input, tools));
  return [
    {
      name: '1,000 clusters × 1,000 placements, 100,000 assignments',
      value: milliseconds,
      unit: 'ms',
      target: { atMost: 3000 },
    },
    memory('  resident memory'),
  ];
}

/** The lock has all but one placement, which asks for a hundred other clusters. */
function again(strategy: string, input: PlanInput): Figure {
  const { lock } = plan(input, tools);
  const changed = withOnePlacementChanged({ ...input, lock }, 500);
  const milliseconds = bestOf(8, () => {
    if (plan(changed, tools).lockChanges.length !== 1) throw new Error('more than one changed');
  });
  return {
    name: `  one placement changed, rest from lock, ${strategy}`,
    value: milliseconds,
    unit: 'ms',
    target: { atMost: 300 },
  };
}

function wide(): Figure[] {
  const input = aWideInput(30_000, 100);
  const started = cpuMilliseconds();
  const { changes } = plan(input, tools);
  const milliseconds = cpuMilliseconds() - started;
  return [
    {
      name: `30,000 Deployments, policies, ConfigMaps on 100 clusters (${changes.length.toLocaleString('en-US')} objects)`,
      value: milliseconds,
      unit: 'ms',
      target: { atMost: 60_000 },
    },
    memory('  resident memory', 2),
  ];
}

function growth(): Figure[] {
  const of = (input: PlanInput): number => bestOf(3, () => void plan(input, tools));
  const byClusters = [10, 100, 1000].map(
    (clusters) => [clusters, of(aPlanInput({ clusters, placements: 300 }))] as const,
  );
  const byBindings = [100, 1000, 10_000].map(
    (placements) => [placements, of(aPlanInput({ clusters: 100, placements }))] as const,
  );
  const shown = (points: readonly (readonly [number, number])[], of: string): Figure[] =>
    points.map(([x, value]) => ({
      name: `  ${x.toLocaleString('en-US')} ${of}`,
      value,
      unit: 'ms',
    }));
  return [
    {
      name: 'growth with clusters, 300 placements on a tenth of them each: exponent',
      value: fittedExponent(byClusters),
      unit: '',
      target: { atMost: 1.1 },
    },
    ...shown(byClusters, 'clusters'),
    {
      name: 'growth with placements, 10 clusters each: exponent',
      value: fittedExponent(byBindings),
      unit: '',
      target: { atMost: 1.1 },
    },
    ...shown(byBindings, 'placements'),
  ];
}

function memory(name: string, atMost = 1.5): Figure {
  return { name, value: process.memoryUsage.rss() / 2 ** 30, unit: 'GiB', target: { atMost } };
}

export const bench: Bench = {
  title: 'Plans, with rendering (engine only, processor time)',
  run: () => [
    ...fresh(),
    again('divided by static weights', aPlanInput({ ...FULL, strategy: 'Divided' })),
    again('duplicated', aPlanInput(FULL)),
    ...growth(),
    ...wide(),
  ],
};
