import { shortJson } from '../../engine/canonical.js';
import type { Interpreter } from '../../engine/interpret/index.js';
import { describeRef } from '../../engine/object.js';
import type { Release } from '../../engine/plan.js';
import { driftOfRelease, fieldsOfOthers, type FieldDrift } from '../../engine/rollout/index.js';
import { ProviderError, type Connect } from '../cluster/client.js';
import { readSet } from './apply-set.js';
import { findAutoscaled } from './autoscaled.js';
import { inParallel } from './pool.js';
import { readExisting } from './read-existing.js';
import type { RolloutReport } from './report.js';
import type { ReleaseFailure } from './result.js';

const CLUSTERS_AT_ONCE = 32;

/**
 * What somebody else changed on the clusters after it was applied: fields of ours that another manager has set, or that were
 * taken away (CHANGED_DURING_ROLLOUT). By cluster; one that cannot be read any more has nothing to say here. Reads only.
 */
export async function findChangedMeanwhile(
  releases: readonly Release[],
  connect: Connect,
  options: { readonly concurrency?: number; readonly interpreters?: readonly Interpreter[] } = {},
): Promise<ReadonlyMap<string, readonly ReleaseFailure[]>> {
  const found = await inParallel(releases, CLUSTERS_AT_ONCE, async (release) => {
    try {
      return await changedOn(release, connect, options);
    } catch (error) {
      // It had everything a moment ago, and what it has now is for the next run to see.
      if (ProviderError.is(error)) return [];
      throw error;
    }
  });
  return new Map(
    releases.flatMap(({ cluster }, index) => {
      const failures = found[index] ?? [];
      return failures.length === 0 ? [] : [[cluster, failures] as const];
    }),
  );
}

async function changedOn(
  release: Release,
  connect: Connect,
  { concurrency = 16, interpreters = [] }: Parameters<typeof findChangedMeanwhile>[2] & object,
): Promise<readonly ReleaseFailure[]> {
  const client = await connect(release.cluster);
  const set = await readSet(client, release);
  const refs = release.manifests.map(({ resource }) => resource);
  const objects = [...(await readExisting(client, refs, concurrency, set)).values()];
  const context = { setId: set.id, interpreters };
  const suspects = driftOfRelease(release, objects, { ...context, isAutoscaled: () => false });
  if (suspects.every(({ fields }) => fieldsOfOthers(fields).length === 0)) return [];
  const isAutoscaled = await findAutoscaled(client, release.manifests);
  return driftOfRelease(release, objects, { ...context, isAutoscaled }).flatMap(
    ({ resource, fields }): readonly ReleaseFailure[] => {
      const changed = fieldsOfOthers(fields);
      if (changed.length === 0) return [];
      const message = `${describeRef(resource)} on ${release.cluster} was changed after it was applied: ${changed.map(describeField).join('; ')}`;
      return [{ code: 'CHANGED_DURING_ROLLOUT', resource, message }];
    },
  );
}

/** `.spec.replicas is 5, planned 3, by "kubectl"`; of Secrets the path alone. */
function describeField({ path, managers, ...values }: FieldDrift): string {
  const by =
    managers.length === 0 ? '' : `, by ${managers.map((name) => JSON.stringify(name)).join(', ')}`;
  if (!('planned' in values)) return `${path}${by}`;
  const live = 'live' in values ? `is ${shortJson(values.live)}` : 'is gone';
  return `${path} ${live}, planned ${shortJson(values.planned)}${by}`;
}

/** A run that would be done, and is not where somebody changed what it applied. */
export function withChanged(
  report: RolloutReport,
  changed: ReadonlyMap<string, readonly ReleaseFailure[]>,
): RolloutReport {
  if (changed.size === 0) return report;
  const notDone = report.waves.flatMap(({ name: wave, clusters }) =>
    clusters.flatMap(({ cluster }) =>
      (changed.get(cluster) ?? []).map(({ code, message }) => ({
        cluster,
        wave,
        why: `${code} ${message}`,
      })),
    ),
  );
  return {
    ...report,
    outcome: 'failed',
    releases: report.releases.map((release) => {
      const failures = changed.get(release.cluster);
      if (failures === undefined) return release;
      return { ...release, outcome: 'failed', failures: [...release.failures, ...failures] };
    }),
    notDone: [...report.notDone, ...notDone],
  };
}
