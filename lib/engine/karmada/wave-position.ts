import { compareStrings, sorted } from '../compare.js';
import type { PlannedWave } from '../plan.js';
import type { PolicyView } from './suspension.js';

/** A policy that places something of the plan, as it stands, with the clusters that the plan has there. */
export interface SteppedPolicy {
  readonly view: PolicyView;
  readonly clusters: readonly string[];
}

export interface WaveStand {
  readonly name: string;
  /** `done`: released, and rolled out as Karmada has decided. */
  readonly phase: 'held' | 'releasing' | 'released' | 'done';
  /** Clusters that the rollout holds, and those that it does not hold any more; both sorted. */
  readonly held: readonly string[];
  readonly released: readonly string[];
  /** What the wave asks for before it starts; only while it is held. */
  readonly waitsFor?: 'approval' | 'window';
}

export interface WavePosition {
  /** Identifies the change that is planned. */
  readonly id: string;
  /**
   * `none`: no rollout is under way. `held`: everything is held for this change, nothing is released. `waves`: some are.
   * `shrinking`: the waves are through, what leaves goes. `other`: clusters are held for another change than the one planned.
   */
  readonly step: 'none' | 'held' | 'waves' | 'shrinking' | 'other';
  /** In the plan's order; empty unless the step is `held` or `waves`. */
  readonly waves: readonly WaveStand[];
}

/**
 * Where the waves stand, from what policies remember: the same facts from which the next run continues.
 *
 * A policy that is not held for this change takes no part in it. `isPassed` says whether a cluster has all that Karmada has decided for it.
 */
export function wavePosition(
  waves: readonly PlannedWave[],
  policies: readonly SteppedPolicy[],
  rollout: string,
  isPassed: (cluster: string) => boolean,
): WavePosition {
  const rolloutOf = ({ view }: SteppedPolicy): string | undefined => view.memory?.rollout;
  if (policies.some((one) => rolloutOf(one) === `${rollout}/shrink`))
    return { id: rollout, step: 'shrinking', waves: [] };
  const ours = policies.filter((one) => rolloutOf(one) === rollout);
  const held = new Set(policies.flatMap(heldOn));
  if (ours.length === 0) return { id: rollout, step: held.size > 0 ? 'other' : 'none', waves: [] };
  const clusters = new Set(ours.flatMap((one) => one.clusters));
  const approved = approvedFor(ours, rollout);
  const stands = waves.flatMap((wave): WaveStand[] => {
    const own = sorted(new Set(wave.clusters.filter((name) => clusters.has(name))), compareStrings);
    return own.length === 0 ? [] : [standOf(wave, own, held, approved, isPassed)];
  });
  const isBegun = stands.some(({ phase }) => phase !== 'held');
  return { id: rollout, step: isBegun ? 'waves' : 'held', waves: stands };
}

function standOf(
  { name, gate }: PlannedWave,
  clusters: readonly string[],
  allHeld: ReadonlySet<string>,
  approved: ReadonlySet<string>,
  isPassed: (cluster: string) => boolean,
): WaveStand {
  const held = clusters.filter((cluster) => allHeld.has(cluster));
  const released = clusters.filter((cluster) => !allHeld.has(cluster));
  if (released.length > 0) {
    const isDone = held.length === 0 && released.every(isPassed);
    const phase = held.length > 0 ? 'releasing' : isDone ? 'done' : 'released';
    return { name, phase, held, released };
  }
  const isAsking = gate.approval && !approved.has(name);
  const waitsFor = isAsking ? 'approval' : gate.windows === undefined ? undefined : 'window';
  return { name, phase: 'held', held, released, ...(waitsFor !== undefined && { waitsFor }) };
}

/** Held by us, and still in the list: what somebody took off it is released. */
function heldOn({ view }: SteppedPolicy): readonly string[] {
  return (view.memory?.held ?? []).filter((cluster) => view.suspended.includes(cluster));
}

/** Waves that every policy of the change says a person lets pass. */
function approvedFor(policies: readonly SteppedPolicy[], rollout: string): ReadonlySet<string> {
  const lists = policies.map(({ view: { approval } }) =>
    approval?.rollout === rollout ? approval.waves : [],
  );
  const [first = [], ...others] = lists;
  return new Set(first.filter((wave) => others.every((list) => list.includes(wave))));
}
