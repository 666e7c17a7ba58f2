import type { Interpreter } from '../../engine/interpret/index.js';
import type { Release } from '../../engine/plan.js';
import type { RolloutEvent } from '../../engine/rollout/index.js';
import type { ClusterClient, Connect } from '../cluster/client.js';
import { openRelease, type ReleaseOptions, type WatchedRelease } from './apply-release.js';
import type { Clock } from './clock.js';
import type { RolloutProgress, WithoutTime } from './events.js';
import type { RolloutPlan } from './keep-revision.js';
import { inParallel } from './pool.js';
import { proveRelease } from './prove-release.js';
import type { ReleaseFailure, ReleaseResult } from './result.js';
import { describeFailures, toFailure } from './result.js';
import { settleRelease } from './settle-release.js';
import { verifyRelease } from './verify-release.js';

type ReleaseLimits = Pick<ReleaseOptions, 'concurrency' | 'unreachableSeconds' | 'interpreters'>;

export interface WorkOptions {
  readonly clock: Clock;
  readonly concurrency?: number;
  readonly unreachableSeconds?: number;
  readonly interpreters?: readonly Interpreter[];
  readonly send: (event: WithoutTime<RolloutEvent>) => void;
  readonly tell: (event: WithoutTime<RolloutProgress>) => void;
  /** A bug was thrown: the run must end. */
  readonly crash: (error: unknown) => void;
}

/** Clusters looked at together where it is about all of them. */
const CLUSTERS_AT_ONCE = 32;

/** A little before the wave's own deadline, so that its reasons arrive before the wave ends without them. */
function secondsBefore(leftMs: number): number {
  return Math.max(0, leftMs - Math.min(2_000, leftMs / 10)) / 1000;
}

/** The work of one run on its clusters: at most one task a cluster, each of which can be stopped. */
export class ClusterWork {
  readonly results = new Map<string, ReleaseResult>();
  private readonly releases: ReadonlyMap<string, Release>;
  private readonly plan: RolloutPlan;
  private readonly connect: Connect;
  private readonly options: WorkOptions;
  private readonly stops = new Map<string, AbortController>();
  /** All that has to end before the run ends; per cluster one after the other. */
  private readonly tasks = new Map<string, Promise<void>>();
  private fleetCheck: Promise<string | undefined> | undefined;

  constructor(plan: RolloutPlan, connect: Connect, options: WorkOptions) {
    this.plan = plan;
    this.connect = connect;
    this.options = options;
    this.releases = new Map(plan.releases.map((release) => [release.cluster, release]));
  }

  apply(cluster: string, deadlineAt: number): void {
    this.start(cluster, (release, signal) => this.applyAndWatch(release, deadlineAt, signal));
  }

  stop(cluster: string): void {
    this.stops.get(cluster)?.abort();
  }

  prove(clusters: readonly string[]): void {
    for (const cluster of clusters) {
      // Not stoppable: it comes after the watching, which is told to stop at the same time.
      this.queue(cluster, async (release) => {
        try {
          await proveRelease(release, await this.connect(cluster));
        } catch (error) {
          // Costs a second soak in the next run, no more.
          this.options.tell({ kind: 'note', cluster, message: toFailure(error).message });
        }
      });
    }
  }

  settle(cluster: string): void {
    this.start(cluster, (release, signal) => this.settleOne(release, signal));
  }

  /** Resolves when nothing is at work any more. */
  async end(): Promise<void> {
    for (const stop of this.stops.values()) stop.abort();
    await Promise.all(this.tasks.values());
  }

  /** After whatever this cluster is at; `stop` reaches it from now on. */
  private start(
    cluster: string,
    task: (release: Release, signal: AbortSignal) => Promise<void>,
  ): void {
    const stop = new AbortController();
    this.stops.set(cluster, stop);
    this.queue(cluster, (release) => task(release, stop.signal));
  }

  private queue(cluster: string, task: (release: Release) => Promise<void>): void {
    const release = this.releases.get(cluster);
    if (release === undefined)
      throw new RangeError(`the plan has no release for cluster ${cluster}`);
    const before = this.tasks.get(cluster) ?? Promise.resolve();
    this.tasks.set(
      cluster,
      before.then(() => task(release)).catch((error: unknown) => this.options.crash(error)),
    );
  }

  private async applyAndWatch(
    release: Release,
    deadlineAt: number,
    signal: AbortSignal,
  ): Promise<void> {
    const { send } = this.options;
    const { cluster } = release;
    const watched = await this.open(release, deadlineAt, signal);
    if (watched === undefined) return;
    try {
      const { outcome, proven, changed, grown, failures } = watched.result;
      if (outcome === 'aborted') return;
      if (outcome === 'failed')
        return send({ kind: 'failed', cluster, reason: describeFailures(failures) });
      send({ kind: 'ready', cluster, proven: proven && !changed, grown });
      await this.watch(cluster, watched, grown, signal);
    } finally {
      await watched.stop();
    }
  }

  /** Until told to stop: say when it is ready no more, and when it is again. The wave's deadline is the machine's. */
  private async watch(
    cluster: string,
    watched: WatchedRelease,
    grown: boolean,
    signal: AbortSignal,
  ): Promise<void> {
    const { send } = this.options;
    for (;;) {
      const reason = await watched.untilUnready(signal);
      if (reason === undefined) return;
      send({ kind: 'unready', cluster, reason });
      const failures = await watched.untilReady(signal, Number.MAX_SAFE_INTEGER);
      if (signal.aborted) return;
      if (failures.length > 0)
        return send({ kind: 'failed', cluster, reason: describeFailures(failures) });
      send({ kind: 'ready', cluster, proven: false, grown });
    }
  }

  private async open(
    release: Release,
    deadlineAt: number,
    signal: AbortSignal,
  ): Promise<WatchedRelease | undefined> {
    const { send, tell, clock } = this.options;
    const { cluster } = release;
    const client = await this.tryConnect(cluster);
    if ('failure' in client) {
      send({ kind: 'failed', cluster, reason: client.failure.message });
      return undefined;
    }
    const watched = await openRelease(release, client.client, {
      ...this.limits(),
      signal,
      deadlineSeconds: secondsBefore(deadlineAt - clock.now()),
      onApplied: () => send({ kind: 'applied', cluster }),
      onProgress: (progress) => tell({ kind: 'object', cluster, progress }),
    });
    this.results.set(cluster, watched.result);
    return watched;
  }

  private async settleOne(release: Release, signal: AbortSignal): Promise<void> {
    const { send, tell } = this.options;
    const { cluster } = release;
    const unready = await (this.fleetCheck ??= this.whyNotAllReady());
    if (unready !== undefined) return send({ kind: 'settleFailed', cluster, reason: unready });
    const client = await this.tryConnect(cluster);
    if ('failure' in client)
      return send({ kind: 'settleFailed', cluster, reason: client.failure.message });
    const wave = this.plan.waves.find(({ clusters }) => clusters.includes(cluster));
    const result = await settleRelease(release, client.client, {
      ...this.limits(),
      signal,
      deadlineSeconds: wave?.gate.deadlineSeconds ?? 600,
      onProgress: (progress) => tell({ kind: 'object', cluster, progress }),
    });
    this.results.set(cluster, {
      ...result,
      changed: result.changed || this.results.get(cluster)?.changed === true,
    });
    if (result.outcome === 'aborted') return;
    if (result.outcome === 'ready') return send({ kind: 'settled', cluster });
    send({ kind: 'settleFailed', cluster, reason: describeFailures(result.failures) });
  }

  /** Waves that passed long ago may have gone bad since; what is about to shrink may still be needed then. */
  private async whyNotAllReady(): Promise<string | undefined> {
    const reasons = await inParallel(this.plan.releases, CLUSTERS_AT_ONCE, async (release) => {
      const client = await this.tryConnect(release.cluster);
      if ('failure' in client) return client.failure.message;
      const { failures } = await verifyRelease(release, client.client, this.limits());
      return failures.length === 0 ? undefined : describeFailures(failures);
    });
    const found = reasons.find((reason) => reason !== undefined);
    return found === undefined
      ? undefined
      : `nothing shrinks while a cluster is not ready: ${found}`;
  }

  private limits(): { clock: Clock } & ReleaseLimits {
    const { clock, concurrency, unreachableSeconds, interpreters } = this.options;
    return {
      clock,
      ...(concurrency !== undefined && { concurrency }),
      ...(unreachableSeconds !== undefined && { unreachableSeconds }),
      ...(interpreters !== undefined && { interpreters }),
    };
  }

  private async tryConnect(
    cluster: string,
  ): Promise<{ client: ClusterClient } | { failure: ReleaseFailure }> {
    try {
      return { client: await this.connect(cluster) };
    } catch (error) {
      return { failure: toFailure(error) };
    }
  }
}
