import { compareStrings, sorted } from '../compare.js';
import type { KubeObject } from '../../api/object.js';
import { parseNote, textsIn } from './note.js';

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
  const { rollout, waves } = parseNote(policy.metadata.annotations?.[APPROVED_WAVES]) ?? {};
  if (typeof rollout !== 'string' || !Array.isArray(waves)) return undefined;
  return { rollout, waves: textsIn(waves) };
}
