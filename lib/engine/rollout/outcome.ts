import { hasGrown, isBehind } from './advance.js';
import type { RolloutState, WaveState } from './state.js';

/**
 * `held`: nothing is at work and a person must act (`approve`, `resume`). `failed`: over, and something is left to do.
 * `running` implies that work is going on or that {@link nextWakeAt} is defined.
 */
export type RolloutOutcome = 'running' | 'held' | 'done' | 'failed' | 'aborted';

export function outcomeOf(state: RolloutState): RolloutOutcome {
  if (state.aborted) return 'aborted';
  if (!state.started) return 'running';
  const settle = Object.values(state.settle);
  if (settle.some(({ phase }) => phase === 'settling')) return 'running';
  const current = state.waves.find((wave) => !isBehind(wave));
  if (current?.phase === 'failed') return 'failed';
  if (current?.phase === 'held') return 'held';
  if (current !== undefined) return 'running';
  if (!hasGrown(state)) return 'failed';
  if (settle.some(({ phase }) => phase === 'waiting')) return 'held';
  return settle.some(({ phase }) => phase === 'failed') ? 'failed' : 'done';
}

/** When to send a `tick` although nothing happened; `undefined`: no need. Ask again after every step. */
export function nextWakeAt(state: RolloutState): number | undefined {
  if (!state.started || state.aborted) return undefined;
  const times = state.waves.flatMap((wave): number[] => {
    if (wave.phase === 'soaking') return [(wave.soakStartedAt ?? 0) + wave.gate.soakSeconds * 1000];
    const isAtWork = wave.phase === 'applying' || wave.phase === 'observing';
    return isAtWork && state.pausedAt === undefined ? [wave.deadlineAt ?? 0] : [];
  });
  return times.length === 0 ? undefined : Math.min(...times);
}

/** One wave of a run as far as it was touched. */
export interface TouchedWave extends Pick<WaveState, 'name' | 'maxConcurrent' | 'gate'> {
  readonly clusters: readonly string[];
}

/**
 * What has to go back when a run is over: every wave up to the one that failed, in the order in which they ran, with the
 * clusters on which work was started. Empty unless the run has failed in a wave whose gate says `rollback`.
 */
export function wavesToRollBack(state: RolloutState): readonly TouchedWave[] {
  if (outcomeOf(state) !== 'failed') return [];
  const at = state.waves.findIndex((wave) => !isBehind(wave));
  if (state.waves[at]?.gate.onFailure !== 'rollback') return [];
  return state.waves.slice(0, at + 1).map(({ name, maxConcurrent, gate, clusters }) => ({
    name,
    maxConcurrent,
    gate,
    clusters: Object.keys(clusters).filter((cluster) => clusters[cluster]?.phase !== 'waiting'),
  }));
}
