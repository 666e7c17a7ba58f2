import type { Diagnostic } from '../../engine/diagnostic.js';

/** Ways out that name a flag of the command line, and what takes its place in a program. The first that fits. */
const INSTEAD: readonly (readonly [RegExp, string])[] = [
  [
    /remove the application use `fleetwright destroy`/g,
    'remove the application use `pulumi destroy`',
  ],
  [/`fleetwright up --acknowledge ([^`]+)`/g, "`acknowledge: ['$1']` in the FleetRelease"],
  [/`--acknowledge ([^`]+)`/g, "`acknowledge: ['$1']`"],
  [/`--environment ([^`]+)`/g, "`environment: '$1'`"],
  [/with --fleet\b/g, 'in `fleet`'],
  // A program has no wish for one run alone.
  [/, leave it for now with `fleetwright up --keep-drift FIELD`, or/g, ' or'],
  [/Use `--target karmada`, or waves/g, 'Use waves'],
];

/** The way out as a Pulumi program has it: arguments in the place of flags. */
export function inPulumi<D extends Diagnostic>(diagnostic: D): D {
  const { hint, summary } = diagnostic;
  return {
    ...diagnostic,
    summary: sayInPulumi(summary),
    ...(hint !== undefined && { hint: sayInPulumi(hint) }),
  };
}

export function sayInPulumi(text: string): string {
  return INSTEAD.reduce((said, [flag, argument]) => said.replace(flag, argument), text);
}
