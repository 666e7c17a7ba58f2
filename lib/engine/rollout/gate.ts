import type { Gate } from '../plan.js';

/** What a gate knows of one cluster of its wave. */
export interface GateMember {
  readonly cluster: string;
  readonly phase: 'unfinished' | 'ready' | 'failed';
}

export type GateVerdict = 'open' | 'waiting' | 'failed';

/**
 * Whether the wave may be left, as far as its clusters go: the soak comes on top.
 *
 * `failed` as soon as more clusters failed than `maxFailures` allows; `open` when none is unfinished; a wave without
 * clusters is open.
 */
export function gateVerdict(gate: Gate, members: readonly GateMember[]): GateVerdict {
  const failures = members.filter((member) => member.phase === 'failed').length;
  if (failures > gate.maxFailures) return 'failed';
  return members.some((member) => member.phase === 'unfinished') ? 'waiting' : 'open';
}
