import type { ObjectRef } from '../../api/object.js';

/** Karmada's names of what can be asked of an interpreter. */
export type Operation =
  | 'AggregateStatus'
  | 'InterpretComponent'
  | 'InterpretDependency'
  | 'InterpretHealth'
  | 'InterpretReplica'
  | 'InterpretStatus'
  | 'Retain'
  | 'ReviseReplica';

/** A rule that a user taught; with it a finding can point at the rule instead of at the object. */
export interface TaughtRule {
  readonly operation: Operation;
  /** The ResourceInterpreterCustomization with the rule; absent: a TypeScript interpreter. */
  readonly customization?: ObjectRef;
  /** Of the script in that document. */
  readonly path?: readonly string[];
  /** Line of the script, from 1. */
  readonly line?: number;
}

/**
 * An interpreter cannot answer for this object: a script failed, or a field that the rule needs has the wrong type.
 * The only error that an {@link Interpreter} operation throws; whoever calls one turns it into a diagnostic.
 */
export class InterpretError extends Error {
  /** Survives two copies of this package in one process, where `instanceof` does not. */
  readonly __interpretError = true as const;
  /** Set when the rule is the user's: then the rule is at fault, not the object. */
  readonly rule?: TaughtRule;

  /** `answer`: the rule did answer, and what it answered cannot be right whatever the object is. */
  readonly what: 'failure' | 'answer';

  constructor(message: string, rule?: TaughtRule, what: 'failure' | 'answer' = 'failure') {
    super(message);
    this.name = 'InterpretError';
    this.what = what;
    if (rule !== undefined) this.rule = rule;
  }

  static is(x: unknown): x is InterpretError {
    return typeof x === 'object' && x !== null && '__interpretError' in x;
  }
}
