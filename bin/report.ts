import { describeDiagnostics } from '../lib/engine/describe/index.js';
import type { Diagnostic } from '../lib/engine/diagnostic.js';
import type { OutputFlags } from './options.js';
import { canColour, type World } from './world.js';

/** Findings go to stderr as text; with `--json` they are in the document already and are not repeated. */
export function report(diagnostics: readonly Diagnostic[], world: World, flags: OutputFlags): void {
  if (flags.json === true || diagnostics.length === 0) return;
  world.stderr.write(
    `\n${describeDiagnostics(diagnostics, { color: canColour(world.stderr, world, flags) })}`,
  );
}
