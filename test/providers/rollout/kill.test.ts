import { describe, expect, test } from '@jest/globals';
import type { KubeObject } from '../../../lib/api/object.js';
import { refOf } from '../../../lib/engine/object.js';
import type { Plan } from '../../../lib/engine/plan.js';
import { MARKS } from '../../../lib/engine/plan.js';
import { tallied } from '../../faults/tally.js';
import { readiness } from '../../../lib/engine/rollout/index.js';
import type { ClusterClient, Connect } from '../../../lib/providers/cluster/index.js';
import { ProviderError } from '../../../lib/providers/cluster/index.js';
import { runRollout } from '../../../lib/providers/rollout/index.js';
import {
  aConfigMap,
  aDeployment,
  aFleet,
  aNamespace,
  aPlan,
  aRelease,
  aWave,
  type TestFleet,
} from './releases.js';

/**
 * A run is killed at its n-th request, and another one finishes the job. The judge sits in the clusters: it sees every
 * request before it is answered. `FLEETWRIGHT_KILL_EVERY=1` covers every request of a rollout.
 */
const EVERY = Number(process.env['FLEETWRIGHT_KILL_EVERY'] ?? 25);
/** More than a rollout of this size has: the loop ends when a run is over before it is killed. */
const AT_MOST = 200;

const OLD = aPlan(
  [aWave('all', ['a', 'b', 'c'])],
  [
    aRelease('a', [aNamespace(), aDeployment('web', { replicas: 3 }), aConfigMap('old')]),
    aRelease('b', [aNamespace(), aDeployment('web', { replicas: 1 })]),
    aRelease('c', [aNamespace(), aDeployment('web', { replicas: 1 })]),
  ],
);
/** Two replicas move from `a` to `c`, the image changes, a ConfigMap goes. `c` is the later wave. */
const NEW: Plan = (() => {
  const web = (replicas: number): KubeObject => aDeployment('web', { replicas, image: 'nginx:2' });
  const gone = { resource: refOf(aConfigMap('old')), reason: 'the template is gone' };
  return aPlan(
    [aWave('canary', ['a', 'b']), aWave('rest', ['c'])],
    [
      aRelease('a', [aNamespace(), web(1), aConfigMap('new')], { deletions: [gone] }),
      aRelease('b', [aNamespace(), web(1), aConfigMap('new')]),
      aRelease('c', [aNamespace(), web(3), aConfigMap('new')]),
    ],
  );
})();

describe('a run that is killed', () => {
  test('at any request loses nothing, starts nothing early, and the next run completes it', async () => {
    let points = 0;
    for (let at = 1; at < AT_MOST; at += EVERY) {
      if (!(await tallied('a run stopped at a request, in process', () => killAt(at)))) break;
      points++;
    }
    process.stderr.write(`kill points covered: ${points}\n`);
    expect(points).toBeGreaterThanOrEqual(Math.floor(30 / EVERY));
  }, 300_000);
});

/** `false`: the run was over before. */
async function killAt(at: number): Promise<boolean> {
  const fleet = await aFleet('a', 'b', 'c');
  try {
    expect((await runRollout(OLD, fleet.connect)).outcome).toBe('done');
    const complaints: string[] = [];
    watchOver(fleet, complaints);
    const killed = await runUntil(fleet.connect, at);
    const report = await runRollout(NEW, fleet.connect);

    expect([at, complaints]).toEqual([at, []]);
    expect([at, report.outcome, report.notDone]).toEqual([at, 'done', []]);
    expect(['a', 'b', 'c'].map((cluster) => replicasOf(fleet, cluster))).toEqual([1, 1, 3]);
    expect(configsOf(fleet, 'a')).toEqual(['new']);
    return killed;
  } finally {
    await fleet.close();
  }
}

async function runUntil(connect: Connect, at: number): Promise<boolean> {
  const stop = new AbortController();
  let requests = 0;
  const count = (): void => {
    requests++;
    if (requests === at) stop.abort();
    if (stop.signal.aborted) throw new ProviderError('aborted', 'killed', { cluster: '' });
  };
  await runRollout(NEW, async (cluster) => mortal(await connect(cluster), count), {
    signal: stop.signal,
  });
  return stop.signal.aborted;
}

/** A client that counts every verb before it is sent. */
function mortal(client: ClusterClient, count: () => void): ClusterClient {
  const counted =
    <A extends unknown[], R>(verb: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      count();
      return verb(...args);
    };
  return {
    cluster: client.cluster,
    discover: counted(client.discover.bind(client)),
    get: counted(client.get.bind(client)),
    list: counted(client.list.bind(client)),
    watch: (kind, options, signal) => {
      count();
      return client.watch(kind, options, signal);
    },
    apply: counted(client.apply.bind(client)),
    delete: counted(client.delete.bind(client)),
    raw: counted(client.raw.bind(client)),
    close: () => client.close(),
  };
}

/** The laws, asked at every request that would change something. */
function watchOver(fleet: TestFleet, complaints: string[]): void {
  for (const cluster of ['a', 'b', 'c']) {
    fleet.sandbox.cluster(cluster).faults.inject(({ method, path }) => {
      if (method === 'GET') return undefined;
      const total = replicasOf(fleet, 'a') + replicasOf(fleet, 'b') + replicasOf(fleet, 'c');
      if (total < 5) complaints.push(`${method} ${path}: only ${total} replicas left`);
      const isLater = cluster === 'c' && !path.includes('/namespaces/default/');
      if (isLater && !['a', 'b'].every((one) => isRolledOut(fleet, one))) {
        complaints.push(`${method} ${path} on c: the canary is not rolled out`);
      }
      if (method === 'DELETE' && !['a', 'b', 'c'].every((one) => isRolledOut(fleet, one))) {
        complaints.push(`${method} ${path} on ${cluster}: not all are rolled out`);
      }
      return undefined;
    });
  }
}

function webOf(fleet: TestFleet, cluster: string): KubeObject | undefined {
  return fleet.sandbox
    .cluster(cluster)
    .objects()
    .find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'web');
}

function replicasOf(fleet: TestFleet, cluster: string): number {
  return (webOf(fleet, cluster)?.['spec'] as { replicas?: number } | undefined)?.replicas ?? 0;
}

function configsOf(fleet: TestFleet, cluster: string): readonly string[] {
  const objects = fleet.sandbox.cluster(cluster).objects();
  return objects
    .filter(({ kind, metadata }) => kind === 'ConfigMap' && metadata.namespace === 'shop')
    .map(({ metadata }) => metadata.name ?? '');
}

/** At the new revision, and ready at it. */
function isRolledOut(fleet: TestFleet, cluster: string): boolean {
  const planned = NEW.releases
    .find((release) => release.cluster === cluster)
    ?.manifests.find(({ resource }) => resource.kind === 'Deployment');
  const web = webOf(fleet, cluster);
  return (
    web?.metadata.annotations?.[MARKS.revision] === planned?.revision &&
    web !== undefined &&
    readiness(web).ready
  );
}
