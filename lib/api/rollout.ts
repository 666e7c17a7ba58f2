import { z } from 'zod';
import { clusterAffinity } from './placement.js';

const countOrPercent = z.union([z.int().min(0), z.string().regex(/^\d{1,3}%$/)]);
/** Go's duration text as Kubernetes writes it: `90s`, `5m`, `1h30m`. */
const duration = z.string().regex(/^(\d+(\.\d+)?(h|m|s))+$/);

/** An ordered group of clusters. A cluster that matches two waves belongs to the first. */
export const rolloutWave = z.strictObject({
  name: z.string().min(1),
  /** Which clusters; absent together with `percentage`: all that are left. */
  clusterAffinity: clusterAffinity.optional(),
  /** Share of the clusters that are left, sorted by name, largest remainder over consecutive percentages. */
  percentage: z.int().min(1).max(100).optional(),
  /** Releases at work at the same time; default all. */
  maxConcurrent: countOrPercent.optional(),
  soak: duration.optional(),
  /** To become ready, from the start of the wave; soaking and pauses do not count. Default 10m. */
  deadline: duration.optional(),
  /** Clusters that may fail; default 0. */
  maxFailures: countOrPercent.optional(),
  approval: z.boolean().optional(),
});

/** `Rollout` (fleetwright.dev/v1alpha1): in which order clusters change, and what must hold in between. */
export const rollout = z.strictObject({
  apiVersion: z.literal('fleetwright.dev/v1alpha1'),
  kind: z.literal('Rollout'),
  metadata: z.looseObject({ name: z.string(), namespace: z.string().optional() }),
  spec: z.strictObject({
    waves: z.array(rolloutWave).min(1),
    /**
     * What a failed wave means. `pause` (default): later waves are left alone. `continue`: they run. `rollback`: the
     * clusters of this run go back to the newest kept revision, last wave first.
     */
    onFailure: z.enum(['pause', 'continue', 'rollback']).optional(),
  }),
});

export type RolloutWave = z.infer<typeof rolloutWave>;
export type Rollout = z.infer<typeof rollout>;
