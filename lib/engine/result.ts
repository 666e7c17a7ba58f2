import type { Diagnostic } from './diagnostic.js';

/** The outcome of a step that the user's input can make impossible. */
export type Result<T> =
  | { readonly ok: true; readonly value: T; readonly warnings: readonly Diagnostic[] }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

export function ok<T>(value: T, warnings: readonly Diagnostic[] = []): Result<T> {
  return { ok: true, value, warnings };
}

export function failed<T>(diagnostics: readonly Diagnostic[]): Result<T> {
  return { ok: false, diagnostics };
}

/** A bug in the planner. Users should never see one; if they do, the message asks for a report. */
export class InvariantError extends Error {
  /** Survives two copies of this package in one process, where `instanceof` does not. */
  readonly __invariantError = true as const;

  constructor(message: string, facts: object) {
    super(`${message} ${JSON.stringify(facts)} (this is a bug, please report it)`);
    this.name = 'InvariantError';
  }

  static is(x: unknown): x is InvariantError {
    return typeof x === 'object' && x !== null && '__invariantError' in x;
  }
}

/** Closes a `switch`: a new variant becomes a compile error here. */
export function unreachable(x: never): never {
  throw new InvariantError('unhandled case', { case: x });
}
