import { describeDiagnostics } from '../lib/engine/describe/index.js';
import type { Diagnostic } from '../lib/engine/diagnostic.js';

/** A command stops because of what was found; `main` prints it and exits with 1. */
export class Refusal extends Error {
  readonly __refusal = true as const;
  readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostics: readonly Diagnostic[], options: { readonly color?: boolean } = {}) {
    super(describeDiagnostics(diagnostics, options).trimEnd());
    this.name = 'Refusal';
    this.diagnostics = diagnostics;
  }

  static is(x: unknown): x is Refusal {
    return typeof x === 'object' && x !== null && '__refusal' in x;
  }
}
