import type { Diagnostic } from './diagnostic.js';
import type { TaughtRule } from './interpret/index.js';
import type { ObjectRef } from './object.js';
import { describeRef, refKey } from './object.js';

/** A rule of the user's that could not answer for one object. */
export interface InterpreterFailure {
  readonly resource: ObjectRef;
  readonly message: string;
  readonly rule: TaughtRule;
}

/**
 * What to tell the user about rules that failed: one finding per rule, line and message, naming the first objects.
 * It is about the customization where there is one, so that it points into that file; else about the first object.
 */
export function findInterpreterFailures(
  failures: readonly InterpreterFailure[],
): readonly Diagnostic[] {
  const groups = new Map<string, [InterpreterFailure, ...InterpreterFailure[]]>();
  for (const failure of failures) {
    const key = JSON.stringify([failure.rule, failure.resource.kind, failure.message]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [failure]);
    else if (group.every(({ resource }) => refKey(resource) !== refKey(failure.resource)))
      group.push(failure);
  }
  return [...groups.values()].map(describe);
}

function describe(group: readonly [InterpreterFailure, ...InterpreterFailure[]]): Diagnostic {
  const [{ rule, message, resource }] = group;
  const { operation, customization, path, line } = rule;
  const names = group.slice(0, 3).map((failure) => describeRef(failure.resource));
  const more = group.length - names.length;
  const objects = `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  const at = line === undefined ? '' : `, line ${line} of the script`;
  const taught =
    customization === undefined ? 'a TypeScript interpreter' : describeRef(customization);
  return {
    code: 'INTERPRETER_FAILED',
    severity: 'error',
    summary: `${operation} of ${taught} fails for ${objects}${at}: ${message}.`,
    hint: 'Correct the rule, or the field it reads; `fleetwright interpret` runs one operation on one object.',
    resource: customization ?? resource,
    ...(path !== undefined && { path }),
  };
}
