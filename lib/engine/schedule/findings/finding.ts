import type { Placement } from '../../../api/placement.js';
import type { Diagnostic } from '../../diagnostic.js';
import type { Profile } from '../../input.js';
import type { FleetIndex } from '../fleet-index.js';
import type { Gates } from '../gates.js';

/** What a rule about placements reads. */
export interface FindingInput {
  readonly placement: Placement;
  readonly fleet: FleetIndex;
  readonly gates: Pick<Gates, 'WorkloadAffinity'>;
  readonly profile: Profile;
}

/** One rule about a placement. Paths begin at the policy's root. */
export type FindingRule = (input: FindingInput) => readonly Diagnostic[];

const ROOT = ['spec', 'placement'] as const;

export function pathOf(...parts: readonly (string | number)[]): (string | number)[] {
  return [...ROOT, ...parts];
}

/** An error where it can only be a mistake; a Karmada control plane takes it without a word, so there a warning. */
export function mistake(profile: Profile): 'error' | 'warning' {
  return profile === 'karmada' ? 'warning' : 'error';
}
