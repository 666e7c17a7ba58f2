import type { KeptWave } from '../../engine/rollout/index.js';
import type { Release } from '../../engine/plan.js';
import type { Connect } from '../cluster/client.js';
import {
  destroyRelease,
  type DestroyOptions,
  type DestroyResult,
  isInterruption,
} from './destroy-release.js';
import { readKeptFleet, readNewest } from './kept-fleet.js';
import { inParallel } from './pool.js';
import { toFailure, type ReleaseProgress } from './result.js';
import { announceDestroy } from './unfinished-destroy.js';

type Owner = Pick<Release, 'application' | 'environment'>;

/** Clusters that are cleared together, in the order in which they start. */
export type DestroyWave = Pick<KeptWave, 'name' | 'clusters' | 'maxConcurrent'>;

/** What became of removing an application. Plain data. */
export interface DestroyReport {
  /** `failed`: something is left, see each cluster. `aborted`: interrupted. Running it again continues. */
  readonly outcome: 'done' | 'failed' | 'aborted';
  /** In the order in which the clusters were cleared. */
  readonly clusters: readonly (DestroyResult & { readonly wave: string })[];
  /** Clusters that were not begun, and why; in the order in which their turn would have come. */
  readonly untouched: readonly {
    readonly cluster: string;
    readonly wave: string;
    readonly why: string;
  }[];
}

/**
 * In which order an application leaves its clusters: the waves that its newest kept revision was rolled out in, last wave
 * first, and within a wave last cluster first. Clusters that no wave names go before all others, as they came after them.
 * Nothing kept: one wave of all, sorted by name.
 */
export async function planDestroy(
  owner: Owner,
  clusters: readonly string[],
  connect: Connect,
): Promise<readonly DestroyWave[]> {
  const { looks } = await readKeptFleet(owner, clusters, connect);
  const kept = await readNewest(owner, looks);
  const wanted = new Set(clusters);
  const waves = (kept?.waves ?? []).map((wave) => ({
    name: wave.name,
    clusters: wave.clusters.filter((cluster) => wanted.delete(cluster)),
    maxConcurrent: wave.maxConcurrent,
  }));
  const name = waves.length === 0 ? 'all' : 'in no wave';
  const others = { name, clusters: [...wanted].sort(), maxConcurrent: Math.max(1, wanted.size) };
  return [...waves, others]
    .filter((wave) => wave.clusters.length > 0)
    .reverse()
    .map(({ name, clusters, maxConcurrent }) => ({
      name,
      clusters: [...clusters].reverse(),
      maxConcurrent,
    }));
}

/**
 * Remove an application from its clusters, wave by wave. Within a wave one bad cluster holds up no other; a wave with a
 * cluster that is not clear is the last: those that came before it in the rollout may be what it still relies on.
 */
export async function runDestroy(
  owner: Owner,
  waves: readonly DestroyWave[],
  connect: Connect,
  options: Omit<DestroyOptions, 'onProgress'> & {
    /** RFC 3339: written on the clusters, see {@link announceDestroy}. Absent: nothing is. */
    readonly now?: string;
    readonly onCluster?: (result: DestroyResult) => void;
    readonly onProgress?: (cluster: string, progress: ReleaseProgress) => void;
  } = {},
): Promise<DestroyReport> {
  const clusters: (DestroyResult & { readonly wave: string })[] = [];
  const untouched: { cluster: string; wave: string; why: string }[] = [];
  const { now } = options;
  const all = waves.flatMap((wave) => wave.clusters);
  if (now !== undefined) await announceDestroy(owner, all, connect, now);
  for (const wave of waves) {
    const failed = clusters.find(({ outcome }) => outcome !== 'done');
    const isAborted = options.signal?.aborted === true;
    if (failed !== undefined || isAborted) {
      const why = isAborted ? 'interrupted before its turn' : `wave "${failed?.wave}" is not clear`;
      untouched.push(...wave.clusters.map((cluster) => ({ cluster, wave: wave.name, why })));
      continue;
    }
    const results = await inParallel(wave.clusters, wave.maxConcurrent, (cluster) =>
      destroyOn(cluster, owner, connect, options),
    );
    clusters.push(...results.map((result) => ({ ...result, wave: wave.name })));
  }
  const isDone = untouched.length === 0 && clusters.every(({ outcome }) => outcome === 'done');
  const isAborted = options.signal?.aborted === true;
  return { outcome: isDone ? 'done' : isAborted ? 'aborted' : 'failed', clusters, untouched };
}

async function destroyOn(
  cluster: string,
  owner: Owner,
  connect: Connect,
  options: Parameters<typeof runDestroy>[3] = {},
): Promise<DestroyResult> {
  const { onCluster, onProgress, now: _now, ...rest } = options;
  const limits: DestroyOptions = {
    ...rest,
    ...(onProgress !== undefined && {
      onProgress: (progress: ReleaseProgress) => onProgress(cluster, progress),
    }),
  };
  const result = await connect(cluster)
    .then((client) => destroyRelease({ ...owner, cluster }, client, limits))
    .catch((error: unknown): DestroyResult => {
      const failure = toFailure(error);
      const isAborted = isInterruption(failure, options.signal);
      const failures = isAborted ? [] : [failure];
      return {
        cluster,
        outcome: isAborted ? 'aborted' : 'failed',
        deleted: [],
        kept: [],
        failures,
      };
    });
  onCluster?.(result);
  return result;
}
