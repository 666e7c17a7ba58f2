import type { Interpretation } from './claim/binding-for.js';
import type { DependentReference, Interpreter } from './interpret/index.js';
import type { TaughtRule } from './interpret/index.js';
import { InterpretError, interpreterFor } from './interpret/index.js';
import type { KubeObject } from './object.js';

/** An answer about a template, or why it cannot be given. */
export type Interpreted<T> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false;
      readonly message: string;
      /** Set when the rule is the user's. */
      readonly rule?: TaughtRule;
    };

/** Replicas, requirements and components of a template, by its kind's interpreter. */
export function interpretTemplate(
  template: KubeObject,
  custom: readonly Interpreter[] | undefined,
): Interpreted<Interpretation> {
  return attempt(() => {
    const interpreter = interpreterFor(template, custom);
    const replica = interpreter.interpretReplica?.(template);
    const components = interpreter.interpretComponent?.(template);
    return {
      ...(replica !== undefined && { replicas: replica.replicas }),
      ...(replica?.requirements !== undefined && { requirements: replica.requirements }),
      ...(components !== undefined && { components }),
    };
  });
}

/** What a template refers to. */
export function interpretDependencies(
  template: KubeObject,
  custom: readonly Interpreter[] | undefined,
): Interpreted<readonly DependentReference[]> {
  return attempt(() => interpreterFor(template, custom).interpretDependency?.(template) ?? []);
}

/** A malformed template is the user's mistake: interpreters say so with InterpretError, or trip over its shape. */
function attempt<T>(ask: () => T): Interpreted<T> {
  try {
    return { ok: true, value: ask() };
  } catch (error) {
    if (InterpretError.is(error)) {
      const { message, rule } = error;
      return { ok: false, message, ...(rule !== undefined && { rule }) };
    }
    if (error instanceof TypeError) return { ok: false, message: error.message };
    throw error;
  }
}
