import type { Cluster } from '../../api/cluster.js';
import type { Rollout, RolloutWave, RolloutWindow } from '../../api/rollout.js';
import { equalData } from '../canonical.js';
import { compareBy, sorted } from '../compare.js';
import type { Diagnostic } from '../diagnostic.js';
import type { Gate, GateWindow, PlannedWave } from '../plan.js';
import { compileAffinity } from '../schedule/affinity.js';
import { factsOf } from '../schedule/cluster-facts.js';
import { durationSeconds } from './duration.js';
import { inStartOrder, type WaveMember } from './start-order.js';
import { largestRemainder } from './largest-remainder.js';
import { duplicateNames, emptyWave, excessivePercentages, unassigned } from './wave-diagnostics.js';

export interface FrozenWaves {
  /** In the order they run. None is empty; together they hold every cluster given, each once. */
  readonly waves: readonly PlannedWave[];
  readonly diagnostics: readonly Diagnostic[];
}

const DEFAULT_DEADLINE_SECONDS = 600;

/**
 * Decide which cluster changes in which wave, for good: membership does not follow later label changes.
 *
 * - No Rollout: one wave `all`. No clusters: no waves.
 * - A cluster that matches two waves belongs to the first. Clusters in a wave are sorted by its `order`, else by name.
 * - A wave without affinity and percentage takes all that are left.
 * - Consecutive waves by percentage (of the same affinity) share what is left at the first of them by largest remainder.
 * - A cluster in no wave goes to a last wave `rest`: WAVE_CLUSTER_UNASSIGNED.
 * - A wave without clusters is left out: WAVE_EMPTY. Two waves of one name, or percentages above 100: FIELD_INVALID.
 */
export function freezeWaves(
  rollout: Rollout | undefined,
  members: readonly WaveMember[],
): FrozenWaves {
  const all = sorted(
    members,
    compareBy((member) => member.name),
  );
  if (rollout === undefined) {
    return {
      waves: all.length === 0 ? [] : [plannedWave({ name: 'all' }, all, undefined)],
      diagnostics: [],
    };
  }
  const specs = rollout.spec.waves;
  const diagnostics = [...duplicateNames(rollout)];
  const waves: PlannedWave[] = [];
  let left: readonly WaveMember[] = all;
  for (let at = 0; at < specs.length;) {
    const run = percentageRun(specs, at);
    const taken =
      run === 0 ? [takeAll(specs, at, left)] : takeShares(specs.slice(at, at + run), left);
    if (run > 0) diagnostics.push(...excessivePercentages(rollout, at, run));
    for (const [offset, clusters] of taken.entries()) {
      const spec = specs[at + offset];
      if (spec === undefined) continue;
      if (clusters.length > 0) waves.push(plannedWave(spec, clusters, rollout));
      else diagnostics.push(emptyWave(rollout, spec, at + offset));
    }
    const gone = new Set(taken.flat());
    left = left.filter((member) => !gone.has(member));
    at += Math.max(run, 1);
  }
  if (left.length > 0) {
    waves.push(plannedWave({ name: freeName('rest', specs) }, left, rollout));
    diagnostics.push(
      unassigned(
        rollout,
        left.map((member) => member.name),
      ),
    );
  }
  return { waves, diagnostics };
}

/** How many consecutive waves from `at` share one percentage run; 0 when the wave has no percentage. */
function percentageRun(specs: readonly RolloutWave[], at: number): number {
  const first = specs[at];
  let end = at;
  while (
    specs[end]?.percentage !== undefined &&
    equalData(specs[end]?.clusterAffinity, first?.clusterAffinity)
  )
    end++;
  return end - at;
}

function takeAll(
  specs: readonly RolloutWave[],
  at: number,
  left: readonly WaveMember[],
): readonly WaveMember[] {
  return matching(specs[at], left);
}

function takeShares(
  run: readonly RolloutWave[],
  left: readonly WaveMember[],
): readonly (readonly WaveMember[])[] {
  const pool = matching(run[0], left);
  const percentages = run.map((wave) => wave.percentage ?? 0);
  const remainder = Math.max(0, 100 - sum(percentages));
  let start = 0;
  return largestRemainder(pool.length, [...percentages, remainder])
    .slice(0, run.length)
    .map((size) => pool.slice(start, (start += size)));
}

/** The members an affinity takes, by the rule of placements (scheduling reference §7.7). */
function matching(
  wave: RolloutWave | undefined,
  left: readonly WaveMember[],
): readonly WaveMember[] {
  if (wave?.clusterAffinity === undefined) return left;
  const matches = compileAffinity(wave.clusterAffinity);
  return left.filter(({ name, cluster = nameOnly(name) }) => matches(factsOf(cluster, 0)));
}

/** A cluster that left the fleet: nothing but its name is known. */
function nameOnly(name: string): Cluster {
  return {
    apiVersion: 'cluster.karmada.io/v1alpha1',
    kind: 'Cluster',
    metadata: { name },
    spec: { syncMode: 'Push' },
  };
}

function plannedWave(
  spec: RolloutWave,
  members: readonly WaveMember[],
  rollout: Rollout | undefined,
): PlannedWave {
  const onFailure = rollout?.spec.onFailure ?? 'pause';
  const gate: Gate = {
    soakSeconds: seconds(spec.soak, 0),
    deadlineSeconds: seconds(spec.deadline, DEFAULT_DEADLINE_SECONDS),
    maxFailures: share(spec.maxFailures ?? 0, members.length),
    approval: spec.approval ?? false,
    ...(spec.windows !== undefined && { windows: spec.windows.map(gateWindow) }),
    ...(onFailure !== 'pause' && { onFailure }),
  };
  return {
    name: spec.name,
    clusters: inStartOrder(spec.order, members).map((member) => member.name),
    maxConcurrent: Math.max(
      1,
      Math.min(members.length, share(spec.maxConcurrent ?? '100%', members.length)),
    ),
    gate,
  };
}

function gateWindow({ schedule, timeZone = 'UTC', duration }: RolloutWindow): GateWindow {
  return { schedule, timeZone, durationSeconds: seconds(duration, 0) };
}

function seconds(text: string | undefined, otherwise: number): number {
  return text === undefined ? otherwise : (durationSeconds(text) ?? otherwise);
}

/** A count, or a percentage of `total` rounded down: a budget is never exceeded by rounding. */
function share(value: number | string, total: number): number {
  if (typeof value === 'number') return value;
  return Math.floor((Number.parseInt(value, 10) * total) / 100);
}

function freeName(wanted: string, specs: readonly RolloutWave[]): string {
  const taken = new Set(specs.map((spec) => spec.name));
  let name = wanted;
  for (let number = 2; taken.has(name); number++) name = `${wanted}-${number}`;
  return name;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
