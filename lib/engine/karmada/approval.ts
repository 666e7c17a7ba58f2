import { compareStrings, sorted } from '../compare.js';
import type { KubeObject } from '../../api/object.js';

/** On a policy: waves that a person lets pass, and the change that they were looked at with (ADR 0123). */
export const APPROVED_WAVES = 'fleetwright.dev/approved-waves';

export interface WaveApproval {
  /** The change: another one, were it one label, needs an approval of its own. */
  readonly rollout: string;
  /** Names, sorted. */
  readonly waves: readonly string[];
}

/** The approval with one more wave in it. What was approved for another change is forgotten. */
export function withApproval(
  known: WaveApproval | undefined,
  rollout: string,
  wave: string,
): WaveApproval {
  const before = known?.rollout === rollout ? known.waves : [];
  return { rollout, waves: sorted(new Set([...before, wave]), compareStrings) };
}

export function printApproval({ rollout, waves }: WaveApproval): string {
  return JSON.stringify({ rollout, waves });
}

/** `undefined` when there is none, or somebody edited it into something else: then nothing is approved. */
export function approvalOf(policy: KubeObject): WaveApproval | undefined {
  const text = policy.metadata.annotations?.[APPROVED_WAVES];
  if (text === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { rollout, waves } = value as Record<string, unknown>;
  if (typeof rollout !== 'string' || !Array.isArray(waves)) return undefined;
  return { rollout, waves: waves.filter((name): name is string => typeof name === 'string') };
}
