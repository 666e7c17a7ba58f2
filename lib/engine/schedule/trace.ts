import type { CandidateNumbers, DivisionStep, Explanation } from './explanation.js';
import type { Group } from './select/choose-groups.js';

/** Collects an explanation while a binding is decided; absent when nobody asked. */
export interface Trace {
  readonly candidates: (numbers: readonly CandidateNumbers[]) => void;
  readonly regions: (scored: readonly Group[], chosen: readonly Group[]) => void;
  readonly selected: (names: readonly string[]) => void;
  readonly division: (step: DivisionStep) => void;
  readonly explanation: () => Explanation;
}

export function createTrace(): Trace {
  let candidates: readonly CandidateNumbers[] = [];
  let regions: Explanation['regions'];
  let selected: readonly string[] = [];
  const division: DivisionStep[] = [];
  return {
    candidates: (numbers) => {
      candidates = numbers;
    },
    regions: (scored, chosen) => {
      const plain = scored.map(({ name, value, weight }) => ({ name, value, weight }));
      regions = { scored: plain, chosen: chosen.map(({ name }) => name) };
    },
    selected: (names) => {
      selected = names;
    },
    division: (step) => division.push(step),
    explanation: () => ({ candidates, ...(regions && { regions }), selected, division }),
  };
}
