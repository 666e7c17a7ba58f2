import { describeDiagnostics } from '../lib/engine/describe/index.js';
import type { Diagnostic } from '../lib/engine/diagnostic.js';
import type { Plan } from '../lib/engine/plan.js';
import type { OutputFlags } from './options.js';
import { Refusal } from './refusal.js';
import { canColour, type World } from './world.js';

/** Findings go to stderr as text; with `--json` they are in the document already and are not repeated. */
export function report(diagnostics: readonly Diagnostic[], world: World, flags: OutputFlags): void {
  if (flags.json === true || diagnostics.length === 0) return;
  world.stderr.write(
    `\n${describeDiagnostics(diagnostics, { color: canColour(world.stderr, world, flags) })}`,
  );
}

/**
 * Go on only with a plan that can be applied.
 * @throws {@link Refusal} with everything it says, when it cannot
 */
export function needApplicable(
  { applicable, diagnostics }: Plan,
  world: World,
  flags: OutputFlags,
): void {
  if (applicable) return;
  throw new Refusal(diagnostics, { color: canColour(world.stderr, world, flags) });
}
