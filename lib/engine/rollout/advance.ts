import { advanceWave, stopWave } from './advance-wave.js';
import type { RolloutEffect, RolloutState, SettleState, Stepped, WaveState } from './state.js';

/** Take every transition that is possible now: the running wave, then the next ones, then the settle step. */
export function advance(state: RolloutState): Stepped {
  if (!state.started) return { state, effects: [] };
  if (state.aborted) return abort(state);
  const effects: RolloutEffect[] = [];
  const waves = [...state.waves];
  for (const [index, before] of waves.entries()) {
    if (isBehind(before)) continue;
    const advanced = advanceWave(before, {
      now: state.now,
      isPaused: state.pausedAt !== undefined,
    });
    waves[index] = advanced.wave;
    effects.push(...advanced.effects);
    if (!isBehind(advanced.wave)) break;
  }
  const moved = { ...state, waves };
  return maySettle(moved) ? startSettling(moved, effects) : { state: moved, effects };
}

/** Whether the wave no longer keeps the next one from running. */
export function isBehind({ phase, gate }: WaveState): boolean {
  return phase === 'passed' || (phase === 'failed' && gate.onFailure === 'continue');
}

/** Shrinking waits until every cluster of every wave is done: before, the old replicas may still be needed. */
export function maySettle(state: RolloutState): boolean {
  const isPaused = state.pausedAt !== undefined;
  return !isPaused && !state.aborted && hasGrown(state);
}

/** Every wave passed without a single failed cluster. */
export function hasGrown(state: RolloutState): boolean {
  return state.waves.every(
    (wave) =>
      wave.phase === 'passed' &&
      Object.values(wave.clusters).every((cluster) => cluster.phase !== 'failed'),
  );
}

function startSettling(state: RolloutState, effects: readonly RolloutEffect[]): Stepped {
  const waiting = Object.keys(state.settle).filter(
    (cluster) => state.settle[cluster]?.phase === 'waiting',
  );
  const settling = waiting.map((cluster): [string, SettleState] => [
    cluster,
    { phase: 'settling' },
  ]);
  return {
    state: { ...state, settle: { ...state.settle, ...Object.fromEntries(settling) } },
    effects: [
      ...effects,
      ...waiting.map((cluster): RolloutEffect => ({ kind: 'settle', cluster })),
    ],
  };
}

function abort(state: RolloutState): Stepped {
  const stopped = state.waves.map(stopWave);
  const settling = Object.keys(state.settle).filter(
    (cluster) => state.settle[cluster]?.phase === 'settling',
  );
  const halted = settling.map((cluster): [string, SettleState] => [
    cluster,
    { phase: 'stopped', reason: 'interrupted' },
  ]);
  return {
    state: {
      ...state,
      waves: stopped.map(({ wave }) => wave),
      settle: { ...state.settle, ...Object.fromEntries(halted) },
    },
    effects: [
      ...stopped.flatMap(({ effects }) => effects),
      ...settling.map((cluster): RolloutEffect => ({ kind: 'stop', cluster })),
    ],
  };
}
