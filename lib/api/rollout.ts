import { z } from 'zod';
import { judgeCron } from './cron.js';
import { clusterAffinity } from './placement.js';

const countOrPercent = z.union([z.int().min(0), z.string().regex(/^\d{1,3}%$/)]);
/** Go's duration text as Kubernetes writes it: `90s`, `5m`, `1h30m`. */
const duration = z.string().regex(/^(\d+(\.\d+)?(h|m|s))+$/);

/** When a wave may start: from each time of the schedule, for the duration. */
export const rolloutWindow = z.strictObject({
  /** Cron of five fields: minute, hour, day of month, month, day of week. */
  schedule: z
    .string()
    .refine((text) => judgeCron(text) === 'runs', 'expected a cron schedule that comes up'),
  /** Name of the IANA database, such as `Europe/Berlin`; default UTC. */
  timeZone: z.string().refine(isTimeZone, 'expected the name of a time zone').optional(),
  duration,
});

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
  /** Starts only inside one of these; a wave that has started goes on. Absent: at any time. */
  windows: z.array(rolloutWindow).min(1).optional(),
  /** In which order the clusters of the wave start; default by name. */
  order: z
    .union([
      /** By the value of a label, clusters without it last. */
      z.strictObject({ label: z.string().min(1) }),
      /** By allocatable CPU, clusters of unknown size last. */
      z.strictObject({ capacity: z.enum(['smallestFirst', 'largestFirst']) }),
    ])
    .optional(),
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

export type RolloutWindow = z.infer<typeof rolloutWindow>;
export type RolloutWave = z.infer<typeof rolloutWave>;
export type Rollout = z.infer<typeof rollout>;

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
