import type { KubeObject, ObjectRef } from '../../api/object.js';
import type { Diagnostic } from '../../engine/diagnostic.js';
import {
  cannotGrow,
  describePolicy,
  diagnoseDependencies,
  refOfPolicy,
} from '../../engine/karmada/index.js';
import { refKey, refOf } from '../../engine/object.js';
import type { Plan } from '../../engine/plan.js';
import { wavesToRollBack, type TouchedWave } from '../../engine/rollout/index.js';
import { ProviderError, type ClusterClient } from '../cluster/client.js';
import { STEADY_CLOCK, type Clock } from '../rollout/clock.js';
import type { RolloutProgress, WithoutTime } from '../rollout/events.js';
import { patientClient } from '../rollout/patient-client.js';
import type { RollbackReport } from '../rollout/report.js';
import { toFailure } from '../rollout/result.js';
import { changeOf } from './change.js';
import { giveBackAll } from './give-back.js';
import { KarmadaWaves } from './karmada-waves.js';
import { keptFindings } from './kept-clusters.js';
import { Mirror } from './mirror.js';
import { wallOf, type KarmadaReport, type KarmadaRolloutOptions } from './options.js';
import { prepare, type Prepared } from './prepare.js';
import { removeTemplates } from './remove-templates.js';
import { suspensions, toReport } from './report.js';
import { runAtOnce } from './run-at-once.js';
import { Stepper } from './stepper.js';
import { planBack, wayBackOf, type WayBack } from './way-back.js';
import { withoutSuspension } from './writes.js';

/**
 * Roll a plan out through a Karmada control plane: suspend, wait until every Work says so, write, compare what Karmada decided,
 * release wave by wave, shrink last, and give the field back (ADR 0120).
 *
 * `documents` are the user's, as planned from. Continues what an earlier run left, from what the policies say. One client, the
 * control plane's; closing it is the caller's. Never throws for what the control plane or its clusters do.
 */
export async function runKarmadaRollout(
  plan: Plan,
  documents: readonly KubeObject[],
  client: ClusterClient,
  options: KarmadaRolloutOptions = {},
): Promise<KarmadaReport> {
  const { signal = new AbortController().signal, unreachableSeconds = 30 } = options;
  const clock = options.clock ?? STEADY_CLOCK;
  const silenceMs = unreachableSeconds * 1000;
  const patient = patientClient(client, { clock, silenceMs, signal });
  const mirror = new Mirror(patient);
  const run = new Run(plan, patient, mirror, options);
  try {
    await mirror.start();
    return await run.withRollback(documents);
  } catch (error) {
    if (!ProviderError.is(error)) throw error;
    const { code, resource, message } = toFailure(error);
    return run.end({
      code,
      severity: 'error',
      summary: message,
      ...(resource !== undefined && { resource }),
      hint: 'What was suspended stays so; run the same command again to continue.',
    });
  } finally {
    mirror.stop();
  }
}

class Run {
  private readonly plan: Plan;
  private readonly client: ClusterClient;
  private readonly mirror: Mirror;
  private readonly options: KarmadaRolloutOptions;
  private readonly clock: Clock;
  private readonly startedAt: number;
  private readonly diagnostics: Diagnostic[] = [];
  private readonly waves: KarmadaWaves;
  private prepared: Prepared | undefined;
  private wayBack: WayBack | undefined;
  private removals: readonly ObjectRef[] = [];

  constructor(plan: Plan, client: ClusterClient, mirror: Mirror, options: KarmadaRolloutOptions) {
    this.plan = plan;
    this.client = client;
    this.mirror = mirror;
    this.options = options;
    this.clock = options.clock ?? STEADY_CLOCK;
    this.startedAt = this.clock.now();
    this.waves = new KarmadaWaves(plan, mirror, this.clock, options, (event) => this.tell(event));
  }

  async withRollback(documents: readonly KubeObject[]): Promise<KarmadaReport> {
    const report = await this.toEnd(documents);
    const touched = wavesToRollBack(this.waves.state);
    if (touched.length === 0 || this.options.signal?.aborted === true) return report;
    return { ...report, rollback: await this.rollBack(touched) };
  }

  private async rollBack(touched: readonly TouchedWave[]): Promise<RollbackReport> {
    const way = this.wayBack;
    if (way === undefined) return { obstacles: ['nothing was written'] };
    if (way.obstacles.length > 0) return { obstacles: way.obstacles };
    const plan = planBack(this.plan, way, touched);
    this.tell({ kind: 'rollback', waves: plan.waves.map(({ name }) => name) });
    const startedAt = Math.round(this.clock.now() - this.startedAt);
    const back = new Run(plan, this.client, this.mirror, {
      ...this.options,
      approve: 'all',
      onEvent: (event) => this.options.onEvent?.({ ...event, atMs: event.atMs + startedAt }),
    });
    back.removals = way.created;
    return { report: await back.toEnd(way.documents), obstacles: [] };
  }

  private async toEnd(documents: readonly KubeObject[]): Promise<KarmadaReport> {
    // 1. What differs, and what has to grow before it shrinks.
    const change = await changeOf(this.plan, documents, this.client);
    this.diagnostics.push(...diagnoseDependencies(this.plan, change.documents.policies));
    const prepared = await prepare(change, this.client, this.mirror, {
      takeOver: this.options.takeOver === true,
      concurrency: this.options.concurrency ?? 16,
      removals: this.removals,
    });
    this.prepared = prepared;
    this.wayBack = wayBackOf(change, prepared, this.mirror);
    const [first] = prepared.impossible;
    if (first !== undefined) return this.end(cannotGrow(first.policy, first.reason));

    // 2. Hold, write, compare, and release wave by wave.
    const stopped = await this.waves.run(this.stepper(prepared.grow), prepared);
    if (stopped !== undefined) return this.end(stopped);
    if (this.waves.outcome !== 'done') return this.end();

    // 3. Who is kept suspended by somebody else still needs what would shrink.
    if (this.waves.kept.size > 0) {
      this.diagnostics.push(...keptFindings(this.waves.kept));
      if (prepared.shrink === undefined) await giveBackAll(prepared, this.client, this.mirror);
      return this.end();
    }

    // 4. Shrink, with everything held once more, so that nothing is dispatched half decided.
    if (prepared.shrink !== undefined) {
      const late = await this.shrink(prepared);
      if (late !== undefined) return this.end(late);
    }

    // 5. The field is nobody's business any more.
    for (const resource of await removeTemplates(this.plan, prepared, this.client)) {
      const { cluster } = this.client;
      this.tell({ kind: 'object', cluster, progress: { kind: 'deleted', resource } });
    }
    await giveBackAll(prepared, this.client, this.mirror);
    return this.end();
  }

  end(problem?: Diagnostic): KarmadaReport {
    if (problem !== undefined) this.diagnostics.unshift(problem);
    const report = toReport({
      plan: this.plan,
      waves: this.waves,
      diagnostics: this.diagnostics,
      durationMs: this.clock.now() - this.startedAt,
      ...(problem !== undefined && { problem }),
      suspended: suspensions(this.plan, this.mirror),
      isAborted: this.options.signal?.aborted === true,
      toWall: (at) => at + wallOf(this.options) - this.clock.now(),
    });
    this.tell({ kind: 'outcome', outcome: report.outcome });
    return report;
  }

  private stepper(pass: Prepared['grow']): Stepper {
    const policies = this.prepared?.policies ?? new Map<string, KubeObject>();
    const { takeOver = false } = this.options;
    return new Stepper(pass, policies, this.client, this.mirror, takeOver);
  }

  /** The same steps once more, with the documents themselves, and everything released as soon as Karmada has decided. */
  private async shrink({ shrink, documents }: Prepared): Promise<Diagnostic | undefined> {
    if (shrink === undefined) return undefined;
    const leaving = shrinkingClusters(this.plan);
    for (const cluster of leaving) this.tell({ kind: 'settle', cluster, phase: 'settling' });
    const policies = new Set(shrink.policies.map(({ policy }) => describePolicy(policy)));
    const touched = new Set(shrink.bindings.map(({ resource }) => refKey(resource)));
    const writes = [
      ...documents.policies
        .filter((object) => policies.has(describePolicy(refOfPolicy(object))))
        .map(withoutSuspension),
      ...documents.templates.filter((object) => touched.has(refKey(refOf(object)))),
    ];
    const stepper = this.stepper({
      goal: shrink,
      writes,
      removals: [],
      generations: new Map(),
      contents: new Map(),
    });
    for (const { clusters } of shrink.policies)
      for (const cluster of clusters) stepper.mayRelease.add(cluster);
    const late = await runAtOnce(stepper, this.mirror, this.clock, this.options);
    const phase = late === undefined ? 'settled' : 'failed';
    for (const cluster of leaving)
      this.tell({ kind: 'settle', cluster, phase, ...(late && { reason: late.summary }) });
    this.waves.settled(leaving, late?.summary);
    return late;
  }

  private tell(event: WithoutTime<RolloutProgress>): void {
    this.options.onEvent?.({ ...event, atMs: Math.round(this.clock.now() - this.startedAt) });
  }
}

/** Clusters that lose something at the end, sorted by name. */
function shrinkingClusters(plan: Plan): readonly string[] {
  const names = plan.bindings.flatMap((binding) => [
    ...binding.left.map(({ cluster }) => cluster),
    ...binding.assignments
      .filter(({ replicas = 0, previous = 0 }) => replicas < previous)
      .map(({ cluster }) => cluster),
  ]);
  return [...new Set(names)].sort();
}
