import { unreachable } from '../result.js';
import { advance } from './advance.js';
import type { ClusterState, RolloutEvent, RolloutState, Stepped, WaveState } from './state.js';

/**
 * The wave state machine: one event in, the next state and what to do out.
 *
 * Pure and total. No effect starts work while paused, after an abort, or once more clusters of the running wave failed
 * than its gate allows; nothing of a later wave starts before the running one has passed (ADR 0070).
 */
export function step(state: RolloutState, event: RolloutEvent): Stepped {
  // A clock that jumps back stands still.
  const now = Math.max(state.now, event.at);
  return advance(record({ ...state, now }, event));
}

function record(state: RolloutState, event: RolloutEvent): RolloutState {
  switch (event.kind) {
    case 'tick':
      return state;
    case 'start':
      return { ...state, started: true };
    case 'pause':
      return state.pausedAt === undefined ? { ...state, pausedAt: state.now } : state;
    case 'resume':
      return resume(state);
    case 'abort':
      return { ...state, aborted: true };
    case 'approve':
      return changeWaves(state, (wave) =>
        wave.name === event.wave ? { ...wave, approved: true } : wave,
      );
    case 'applied':
      return changeCluster(state, event.cluster, ['applying'], (cluster) => ({
        ...cluster,
        phase: 'observing',
      }));
    case 'ready':
      return noteGrown(
        changeCluster(state, event.cluster, ['applying', 'observing'], () => ({
          phase: 'ready',
          proven: event.proven,
        })),
        event,
      );
    case 'unready':
      return changeCluster(state, event.cluster, ['ready'], () => ({
        phase: 'observing',
        reason: event.reason,
        proven: false,
      }));
    case 'failed':
      return changeCluster(state, event.cluster, ['applying', 'observing', 'ready'], (cluster) => ({
        ...cluster,
        phase: 'failed',
        reason: event.reason,
      }));
    case 'settled':
      return changeSettle(state, event.cluster, { phase: 'settled' });
    case 'settleFailed':
      return changeSettle(state, event.cluster, { phase: 'failed', reason: event.reason });
    default:
      return unreachable(event);
  }
}

/** Time spent paused counts against no deadline. */
function resume(state: RolloutState): RolloutState {
  const { pausedAt, ...running } = state;
  if (pausedAt === undefined) return state;
  const paused = state.now - pausedAt;
  return changeWaves(running, (wave) => ({
    ...wave,
    ...(wave.deadlineAt !== undefined && { deadlineAt: wave.deadlineAt + paused }),
    ...(wave.endsAt !== undefined && { endsAt: wave.endsAt + paused }),
  }));
}

/** Changes a cluster of a wave that is at work, if it is in one of the phases. */
function changeCluster(
  state: RolloutState,
  name: string,
  phases: readonly ClusterState['phase'][],
  change: (cluster: ClusterState) => ClusterState,
): RolloutState {
  return changeWaves(state, (wave) => {
    const cluster = wave.clusters[name];
    const isOver = wave.phase === 'passed' || wave.phase === 'failed';
    if (isOver || cluster === undefined || !phases.includes(cluster.phase)) return wave;
    return { ...wave, clusters: { ...wave.clusters, [name]: change(cluster) } };
  });
}

function noteGrown(
  state: RolloutState,
  { cluster, grown }: Extract<RolloutEvent, { readonly kind: 'ready' }>,
): RolloutState {
  if (!grown || cluster in state.settle) return state;
  return { ...state, settle: { ...state.settle, [cluster]: { phase: 'waiting' } } };
}

function changeSettle(
  state: RolloutState,
  cluster: string,
  to: RolloutState['settle'][string],
): RolloutState {
  if (state.settle[cluster]?.phase !== 'settling') return state;
  return { ...state, settle: { ...state.settle, [cluster]: to } };
}

function changeWaves(state: RolloutState, change: (wave: WaveState) => WaveState): RolloutState {
  return { ...state, waves: state.waves.map(change) };
}
