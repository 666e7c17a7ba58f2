/**
 * An interpreter cannot answer for this object: a script failed, or a field that the rule needs has the wrong type.
 * The only error that an {@link Interpreter} operation throws; whoever calls one turns it into a diagnostic.
 */
export class InterpretError extends Error {
  /** Survives two copies of this package in one process, where `instanceof` does not. */
  readonly __interpretError = true as const;

  constructor(message: string) {
    super(message);
    this.name = 'InterpretError';
  }

  static is(x: unknown): x is InterpretError {
    return typeof x === 'object' && x !== null && '__interpretError' in x;
  }
}
