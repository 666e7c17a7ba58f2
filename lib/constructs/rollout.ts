import type { ApiObjectMetadata, Duration } from 'cdk8s';
import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { ClusterAffinity } from '../api/placement.js';
import { plainCopy } from './plain-copy.js';

/** One wave: an ordered group of clusters and the condition to pass to the next. */
export interface RolloutWaveProps {
  /** Unique in the Rollout; names the gate. Renaming it deletes nothing. */
  readonly name: string;
  /**
   * Which clusters.
   * @default all that are left (or a share of them, with `percentage`)
   */
  readonly clusterAffinity?: ClusterAffinity;
  /**
   * Share of the clusters that are left, 1 to 100.
   * @default all
   */
  readonly percentage?: number;
  /**
   * Clusters at work at the same time: a number or `'25%'`.
   * @default all of the wave
   */
  readonly maxConcurrent?: number | string;
  /**
   * How long everything must stay ready before the next wave.
   * @default none
   */
  readonly soak?: Duration;
  /**
   * To become ready, from the start of the wave; soaking and pauses do not count.
   * @default 10 minutes
   */
  readonly deadline?: Duration;
  /**
   * Clusters that may fail: a number or `'10%'`.
   * @default 0
   */
  readonly maxFailures?: number | string;
  /**
   * Whether a person must approve before the wave starts.
   * @default false
   */
  readonly approval?: boolean;
  /**
   * The wave starts only inside one of these; once started it goes on.
   * @default at any time
   */
  readonly windows?: readonly RolloutWindowProps[];
  /**
   * In which order its clusters start: by a label's value, or by allocatable CPU.
   * @default by name
   */
  readonly order?:
    { readonly label: string } | { readonly capacity: 'smallestFirst' | 'largestFirst' };
}

/** A time in which a wave may start. */
export interface RolloutWindowProps {
  /** Cron of five fields: minute, hour, day of month, month, day of week. */
  readonly schedule: string;
  /**
   * Name of the IANA database, such as `Europe/Berlin`.
   * @default UTC
   */
  readonly timeZone?: string;
  /** How long it stays open. */
  readonly duration: Duration;
}

export interface RolloutProps {
  /**
   * Labels, annotations, a fixed name.
   * @default a name derived from the construct path
   */
  readonly metadata?: ApiObjectMetadata;
  /** At least one; a cluster in two waves belongs to the first, one in none to a last wave `rest`. */
  readonly waves: readonly RolloutWaveProps[];
  /**
   * What a failed wave means: later waves are left alone, run all the same, or the clusters of this run go back to the
   * newest kept revision.
   * @default 'pause'
   */
  readonly onFailure?: 'pause' | 'continue' | 'rollback';
}

/** In which order clusters change, and what must hold in between. One per application. */
export class Rollout extends ApiObject {
  constructor(scope: Construct, id: string, props: RolloutProps) {
    super(scope, id, {
      apiVersion: 'fleetwright.dev/v1alpha1',
      kind: 'Rollout',
      ...(props.metadata !== undefined && { metadata: props.metadata }),
      spec: {
        waves: props.waves.map(toWave),
        ...(props.onFailure !== undefined && { onFailure: props.onFailure }),
      },
    });
    if (props.waves.length === 0)
      throw new Error(`${this.node.path}: a Rollout needs at least one wave`);
  }
}

function toWave({ soak, deadline, windows, ...wave }: RolloutWaveProps): object {
  return {
    ...plainCopy(wave),
    ...(windows !== undefined && {
      windows: windows.map(({ duration, ...when }) => ({ ...when, duration: toText(duration) })),
    }),
    ...(soak !== undefined && { soak: toText(soak) }),
    ...(deadline !== undefined && { deadline: toText(deadline) }),
  };
}

function toText(duration: Duration): string {
  return `${duration.toSeconds()}s`;
}
