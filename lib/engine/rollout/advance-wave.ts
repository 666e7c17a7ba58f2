import { gateVerdict } from './gate.js';
import type { ClusterPhase, ClusterState, RolloutEffect, WaveState } from './state.js';

interface Circumstances {
  readonly now: number;
  readonly isPaused: boolean;
}

interface AdvancedWave {
  readonly wave: WaveState;
  readonly effects: readonly RolloutEffect[];
}

/** Take every transition of one wave that is possible now. Passed and failed waves stay as they are. */
export function advanceWave(wave: WaveState, at: Circumstances): AdvancedWave {
  const isAtWork = wave.deadlineAt !== undefined;
  if (!isAtWork) return tryStart(wave, at);
  const timed = atDeadline(wave, at);
  const started = startClusters(timed.wave, at);
  const decided = decide(started.wave, at);
  return {
    wave: decided.wave,
    effects: [...timed.effects, ...started.effects, ...decided.effects],
  };
}

/** Everything at work is told to stop; what was written stays. */
export function stopWave(wave: WaveState): AdvancedWave {
  if (wave.phase === 'passed' || wave.phase === 'failed' || wave.deadlineAt === undefined) {
    return { wave, effects: [] };
  }
  // Ready clusters are still watched, so they are told too.
  const atWork = inPhase(wave, 'applying', 'observing', 'ready');
  const unfinished = inPhase(wave, 'applying', 'observing');
  return {
    wave: {
      ...setPhase(wave, unfinished, { phase: 'stopped', reason: 'interrupted' }),
      phase: 'held',
      reason: 'interrupted',
    },
    effects: wave.reason === 'interrupted' ? [] : stops(atWork),
  };
}

function tryStart(wave: WaveState, at: Circumstances): AdvancedWave {
  if (at.isPaused) return { wave: { ...wave, phase: 'held', reason: 'paused' }, effects: [] };
  // A wave that has passed in an earlier run is only verified: nobody is asked twice.
  const isProven = Object.values(wave.clusters).every((cluster) => cluster.proven);
  if (wave.gate.approval && !wave.approved && !isProven) {
    return { wave: { ...wave, phase: 'held', reason: 'approval' }, effects: [] };
  }
  if (!isProven && !isOpen(wave, at.now))
    return { wave: { ...wave, phase: 'held', reason: 'window' }, effects: [] };
  const deadlineAt = at.now + wave.gate.deadlineSeconds * 1000;
  const started: WaveState = {
    ...withoutReason(wave),
    phase: 'applying',
    deadlineAt,
    endsAt: deadlineAt + 2 * wave.gate.soakSeconds * 1000,
  };
  return advanceWave(started, at);
}

function isOpen({ openings }: WaveState, now: number): boolean {
  return openings?.some(({ from, until }) => from <= now && now < until) ?? true;
}

/** Whoever is not ready at the deadline has failed. The soak does not count, nor does a pause. */
function atDeadline(wave: WaveState, { now, isPaused }: Circumstances): AdvancedWave {
  const { deadlineAt = 0, endsAt = 0 } = wave;
  if (isPaused || wave.phase === 'soaking') return { wave, effects: [] };
  if (now < Math.min(deadlineAt, endsAt)) return { wave, effects: [] };
  const started = inPhase(wave, 'applying', 'observing');
  const late = [...started, ...inPhase(wave, 'waiting')];
  return {
    wave: late.reduce((rest, name) => setPhase(rest, [name], lateness(rest, name)), wave),
    effects: stops(started),
  };
}

function lateness(wave: WaveState, name: string): Pick<ClusterState, 'phase' | 'reason'> {
  const cluster = wave.clusters[name];
  const what = cluster?.phase === 'waiting' ? 'not started' : 'not ready';
  const why = cluster?.reason === undefined ? '' : `: ${cluster.reason}`;
  return { phase: 'failed', reason: `${what} at the deadline of the wave${why}` };
}

function startClusters(wave: WaveState, { isPaused }: Circumstances): AdvancedWave {
  if (isPaused || verdictOf(wave) === 'failed') return { wave, effects: [] };
  const free = wave.maxConcurrent - inPhase(wave, 'applying', 'observing').length;
  const next = inPhase(wave, 'waiting').slice(0, Math.max(0, free));
  const deadlineAt = wave.deadlineAt ?? 0;
  return {
    wave: setPhase(wave, next, { phase: 'applying' }),
    effects: next.map((cluster) => ({ kind: 'apply', cluster, wave: wave.name, deadlineAt })),
  };
}

/** The phase that the clusters' phases amount to. */
function decide(wave: WaveState, at: Circumstances): AdvancedWave {
  const isBusy = inPhase(wave, 'applying', 'observing').length > 0;
  const verdict = verdictOf(wave);
  if (isBusy) return { wave: interruptSoak(wave, at), effects: [] };
  // The others of the wave have finished by now; only then does the gate fail.
  if (verdict === 'failed') return failWave(wave, overBudget(wave));
  if (verdict === 'waiting')
    return { wave: { ...wave, phase: 'held', reason: 'paused' }, effects: [] };
  return soak(wave, at);
}

function interruptSoak(wave: WaveState, { now }: Circumstances): WaveState {
  const { soakStartedAt, deadlineAt = 0, ...rest } = withoutReason(wave);
  const soaked = soakStartedAt === undefined ? 0 : now - soakStartedAt;
  const isWriting = inPhase(wave, 'applying', 'waiting').length > 0;
  return { ...rest, phase: isWriting ? 'applying' : 'observing', deadlineAt: deadlineAt + soaked };
}

function soak(wave: WaveState, { now }: Circumstances): AdvancedWave {
  const ready = inPhase(wave, 'ready');
  const unproven = ready.filter((name) => wave.clusters[name]?.proven === false);
  const soakMs = unproven.length === 0 ? 0 : wave.gate.soakSeconds * 1000;
  const startedAt = wave.soakStartedAt ?? now;
  if (now - startedAt >= soakMs) {
    const prove: RolloutEffect = { kind: 'prove', wave: wave.name, clusters: unproven };
    const { soakStartedAt: _over, ...rest } = withoutReason(wave);
    return {
      wave: { ...rest, phase: 'passed' },
      effects: [...(unproven.length > 0 ? [prove] : []), ...stops(ready)],
    };
  }
  if (startedAt + soakMs > (wave.endsAt ?? 0))
    return failWave(wave, 'never steady for the whole soak');
  return {
    wave: { ...withoutReason(wave), phase: 'soaking', soakStartedAt: startedAt },
    effects: [],
  };
}

function failWave(wave: WaveState, reason: string): AdvancedWave {
  const { soakStartedAt: _over, ...rest } = wave;
  return { wave: { ...rest, phase: 'failed', reason }, effects: stops(inPhase(wave, 'ready')) };
}

function overBudget({ clusters, gate }: WaveState): string {
  const failures = Object.values(clusters).filter((cluster) => cluster.phase === 'failed').length;
  return `${failures} of ${Object.keys(clusters).length} clusters failed, ${gate.maxFailures} may`;
}

function verdictOf(wave: WaveState): ReturnType<typeof gateVerdict> {
  return gateVerdict(
    wave.gate,
    Object.entries(wave.clusters).map(([cluster, { phase }]) => ({
      cluster,
      phase: phase === 'ready' || phase === 'failed' ? phase : 'unfinished',
    })),
  );
}

function inPhase(wave: WaveState, ...phases: readonly ClusterPhase[]): readonly string[] {
  return Object.keys(wave.clusters).filter((name) =>
    phases.some((phase) => wave.clusters[name]?.phase === phase),
  );
}

function setPhase(
  wave: WaveState,
  names: readonly string[],
  to: Pick<ClusterState, 'phase' | 'reason'>,
): WaveState {
  if (names.length === 0) return wave;
  const changed = names.map((name): [string, ClusterState] => [
    name,
    { ...to, proven: wave.clusters[name]?.proven ?? false },
  ]);
  return { ...wave, clusters: { ...wave.clusters, ...Object.fromEntries(changed) } };
}

function withoutReason(wave: WaveState): WaveState {
  const { reason: _reason, ...rest } = wave;
  return rest;
}

function stops(clusters: readonly string[]): readonly RolloutEffect[] {
  return clusters.map((cluster) => ({ kind: 'stop', cluster }));
}
