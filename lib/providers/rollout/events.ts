import type {
  ClusterPhase,
  RolloutOutcome,
  RolloutState,
  SettlePhase,
  WavePhase,
} from '../../engine/rollout/index.js';
import type { ReleaseProgress } from './result.js';

/** What happens during a rollout, for live views and `--events-json`. Plain data; `atMs` counts from the start of the run. */
export type RolloutProgress = { readonly atMs: number } & (
  | {
      readonly kind: 'wave';
      readonly wave: string;
      readonly phase: WavePhase;
      readonly reason?: string;
    }
  | {
      readonly kind: 'cluster';
      readonly wave: string;
      readonly cluster: string;
      readonly phase: ClusterPhase;
      readonly reason?: string;
    }
  | { readonly kind: 'object'; readonly cluster: string; readonly progress: ReleaseProgress }
  | {
      readonly kind: 'settle';
      readonly cluster: string;
      readonly phase: SettlePhase;
      readonly reason?: string;
    }
  /** Something went wrong that holds nothing up. */
  | { readonly kind: 'note'; readonly cluster: string; readonly message: string }
  /**
   * The run has failed, and its clusters go back to this revision (through a control plane: to what was there before the
   * run); what follows is about the way back.
   */
  | { readonly kind: 'rollback'; readonly revision?: number; readonly waves: readonly string[] }
  | { readonly kind: 'outcome'; readonly outcome: RolloutOutcome }
);

type PhaseChange = Extract<RolloutProgress, { kind: 'wave' | 'cluster' | 'settle' }>;
/** The variants of a union without their time. */
export type WithoutTime<T> = T extends unknown ? Omit<T, 'at' | 'atMs'> : never;

/** What is different between two states, waves before their clusters, in their order. */
export function phaseChanges(
  before: RolloutState,
  after: RolloutState,
): readonly WithoutTime<PhaseChange>[] {
  const changes: WithoutTime<PhaseChange>[] = [];
  for (const [index, wave] of after.waves.entries()) {
    const old = before.waves[index];
    if (old === wave) continue;
    if (old?.phase !== wave.phase || old.reason !== wave.reason)
      changes.push({ kind: 'wave', wave: wave.name, ...phaseOf(wave) });
    for (const [cluster, state] of Object.entries(wave.clusters)) {
      if (old?.clusters[cluster]?.phase === state.phase) continue;
      changes.push({ kind: 'cluster', wave: wave.name, cluster, ...phaseOf(state) });
    }
  }
  for (const [cluster, state] of Object.entries(after.settle)) {
    if (before.settle[cluster]?.phase === state.phase || state.phase === 'waiting') continue;
    changes.push({ kind: 'settle', cluster, ...phaseOf(state) });
  }
  return changes;
}

function phaseOf<P>({ phase, reason }: { readonly phase: P; readonly reason?: string }): {
  phase: P;
  reason?: string;
} {
  return { phase, ...(reason !== undefined && { reason }) };
}
