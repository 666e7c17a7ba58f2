import { releaseHash } from './apply-set.js';
import type { KeptWave, TouchedWave } from '../../engine/rollout/index.js';
import type { Connect } from '../cluster/client.js';
import type { RolloutPlan } from './keep-revision.js';
import { describeObstacles, prepareRollback, type PreparedRollback } from './prepare-rollback.js';

/** What a failed run goes back to, or why it does not. */
export type OwnRollback =
  | { readonly kind: 'none'; readonly why: string }
  | {
      readonly kind: 'possible';
      readonly prepared: PreparedRollback;
      /** Clusters of the run that stay as they are, one sentence each. */
      readonly obstacles: readonly string[];
    };

/**
 * Find what the clusters of a failed run go back to: always the newest kept revision, which is the last state that the whole
 * fleet has proven. Writes nothing.
 */
export async function findWayBack(
  plan: RolloutPlan,
  touched: readonly TouchedWave[],
  connect: Connect,
): Promise<OwnRollback> {
  const waves = touched.map(({ name, clusters, maxConcurrent, gate }): KeptWave => ({
    name,
    clusters,
    maxConcurrent,
    deadlineSeconds: gate.deadlineSeconds,
  }));
  const { application, environment, now } = plan;
  const prepared = await prepareRollback(
    {
      application,
      ...(environment !== undefined && { environment }),
      clusters: waves.flatMap(({ clusters }) => clusters),
      to: 'newest',
      waves,
      now,
    },
    connect,
  );
  if (prepared === undefined)
    return {
      kind: 'none',
      why: 'no revision is kept on the clusters that answer',
    };
  if (isThePlan(prepared, plan))
    return {
      kind: 'none',
      why: `the plan is what revision ${prepared.revision} has: there is nothing to go back to`,
    };
  return { kind: 'possible', prepared, obstacles: describeObstacles(prepared) };
}

function isThePlan({ plan: { releases } }: PreparedRollback, plan: RolloutPlan): boolean {
  const planned = new Map(plan.releases.map((release) => [release.cluster, releaseHash(release)]));
  return releases.every((release) => planned.get(release.cluster) === releaseHash(release));
}
