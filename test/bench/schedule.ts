import type { Placement } from '../../lib/api/placement.js';
import { gatesFor } from '../../lib/engine/schedule/gates.js';
import { indexFleet, scheduleBinding, verdictsOf } from '../../lib/engine/schedule/index.js';
import {
  bestOf,
  cpuMilliseconds,
  fittedExponent,
  percentile,
  type Bench,
  type Figure,
} from './bench.js';
import { aFleet, someBindings } from './schedule-data.js';

const gates = gatesFor('karmada');

/** Bindings a second; the fleet is indexed anew each time, as a plan does. */
function rate(clusters: number, bindings: number, hasModels: boolean): number {
  const documents = aFleet(clusters, { hasModels });
  const specs = someBindings(bindings);
  const milliseconds = bestOf(3, () => {
    const fleet = indexFleet(documents);
    for (const spec of specs) {
      if (scheduleBinding(fleet, { spec }, { gates }).reason !== 'Success')
        throw new Error('did not fit');
    }
  });
  return (bindings * 1000) / milliseconds;
}

function regionSpread(): Figure[] {
  return [
    {
      name: '5,000 bindings, region spread, 100 clusters',
      value: rate(100, 5000, false),
      unit: 'bindings/s',
      target: { atLeast: 5000 },
    },
    {
      name: '  the same with nine resource models',
      value: rate(100, 5000, true),
      unit: 'bindings/s',
      target: { atLeast: 2000 },
    },
    {
      name: '1,000 bindings, region spread, 1,000 clusters',
      value: rate(1000, 1000, false),
      unit: 'bindings/s',
      target: { atLeast: 1000 },
    },
    {
      name: '  the same with nine resource models',
      value: rate(1000, 1000, true),
      unit: 'bindings/s',
      target: { atLeast: 400 },
    },
  ];
}

function latency(): Figure {
  const fleet = indexFleet(aFleet(100, { hasModels: true }));
  const specs = someBindings(2000);
  for (const spec of specs.slice(0, 500)) scheduleBinding(fleet, { spec }, { gates });
  // The best of several rounds: other processes of the machine are not what is measured.
  const rounds = Array.from({ length: 5 }, () =>
    percentile(
      specs.map((spec) => {
        const started = cpuMilliseconds();
        scheduleBinding(fleet, { spec }, { gates });
        return cpuMilliseconds() - started;
      }),
      0.99,
    ),
  );
  return {
    name: 'one binding on 100 clusters with models, p99',
    value: Math.min(...rounds),
    unit: 'ms',
    target: { atMost: 1 },
  };
}

/** Every placement is different and takes a hundred clusters of a thousand. */
function manyPlacements(): Figure {
  const documents = aFleet(1000, { hasModels: false });
  const specs = someBindings(1000, hundredClusters);
  let assignments = 0;
  const milliseconds = bestOf(2, () => {
    assignments = 0;
    const fleet = indexFleet(documents);
    for (const spec of specs)
      assignments += scheduleBinding(fleet, { spec }, { gates }).clusters.length;
  });
  return {
    name: `1,000 placements on 1,000 clusters, ${assignments.toLocaleString('en-US')} assignments`,
    value: milliseconds,
    unit: 'ms',
    target: { atMost: 3000 },
  };
}

/** The same with a verdict for every cluster of every binding, as a plan has them. */
function manyVerdicts(): Figure {
  const documents = aFleet(1000, { hasModels: false });
  const specs = someBindings(1000, hundredClusters);
  const milliseconds = bestOf(2, () => {
    const fleet = indexFleet(documents);
    const all = specs.map((spec) => {
      const outcome = scheduleBinding(fleet, { spec }, { gates });
      return verdictsOf(fleet, spec, outcome.clusters, { affinityName: '', outcome });
    });
    if (all.length !== specs.length) throw new Error('verdicts are missing');
  });
  return {
    name: '  the same with 1,000,000 verdicts',
    value: milliseconds,
    unit: 'ms',
    target: { atMost: 3000 },
  };
}

function hundredClusters(i: number): Placement {
  return {
    clusterAffinity: {
      labelSelector: { matchLabels: { shard: `${i % 10}` } },
      exclude: [`none-${i}`],
    },
    replicaScheduling: { replicaSchedulingType: 'Duplicated' },
  };
}

function growth(): Figure[] {
  const byClusters = [10, 100, 1000].map(
    (clusters) => [clusters, 1 / rate(clusters, 500, false)] as const,
  );
  const byBindings = [100, 1000, 10_000].map(
    (bindings) => [bindings, bindings / rate(100, bindings, false)] as const,
  );
  return [
    {
      name: 'growth of time with clusters (10, 100, 1,000), exponent',
      value: fittedExponent(byClusters),
      unit: '',
      target: { atMost: 1.1 },
    },
    {
      name: 'growth of time with bindings (100, 1,000, 10,000), exponent',
      value: fittedExponent(byBindings),
      unit: '',
      target: { atMost: 1.1 },
    },
  ];
}

export const bench: Bench = {
  title: 'Scheduling (engine only, processor time)',
  run: () => [...regionSpread(), latency(), manyPlacements(), manyVerdicts(), ...growth()],
};
