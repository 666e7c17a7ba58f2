/**
 * What Fleetwright must know of each kind to plan, render and watch it: replicas, dependencies, status, health.
 * One file a kind; this file lists them and says which answer wins. It knows nothing of policies or clusters.
 *
 * @module
 */
import { fieldAt } from './field.js';
import type { InterpretedKind, Interpreter } from './interpreter.js';
import { NATIVE_INTERPRETERS } from './native/index.js';
import { uniqueReferences } from './pod/references.js';
import { THIRD_PARTY_INTERPRETERS } from './thirdparty/index.js';

export { aggregateStatus, itemOf } from './aggregate-status.js';
export type { MemberState, StatusRequest, TemplateStatus } from './aggregate-status.js';
export {
  checkComponents,
  checkHealth,
  checkObject,
  checkReferences,
  checkReplicas,
  checkStatus,
  identityDifferences,
  wrongAnswer,
} from './answer.js';
export { defineInterpreter } from './define.js';
export type { InterpreterDefinition } from './define.js';
export { InterpretError } from './interpret-error.js';
export type { Operation, TaughtRule } from './interpret-error.js';
export type {
  AggregatedStatusItem,
  DependentReference,
  Health,
  InterpretedKind,
  Interpreter,
} from './interpreter.js';

/** Built-in interpreters, most important first. */
const BUILT_IN: readonly Interpreter[] = [...THIRD_PARTY_INTERPRETERS, ...NATIVE_INTERPRETERS];

/**
 * The interpreter for one kind: for each operation the first that has it, the user's before the built-in ones.
 *
 * Kind and version must match exactly. Every kind can report a status (the whole `.status` where nobody says more); other
 * operations are missing where nobody has them. An error of the winning one is final: nothing is tried after it.
 * Dependencies alone are additive among the user's interpreters: all of them run, the union is sorted.
 * Source: lifecycle reference §2.2, §2.3.
 */
export function interpreterFor(
  kind: InterpretedKind,
  custom: readonly Interpreter[] = [],
): Interpreter {
  const users = custom.filter((interpreter) => isFor(interpreter, kind));
  const builtIn = BUILT_IN_BY_KIND.get(keyOf(kind));
  if (users.length === 0 && builtIn !== undefined) return builtIn;

  const chain = [...users, ...(builtIn === undefined ? [WHOLE_STATUS] : [builtIn])];
  return {
    ...firstOfEach(chain),
    ...additiveDependencies(users),
    kinds: [{ apiVersion: kind.apiVersion, kind: kind.kind }],
  };
}

/** Whether the user taught this operation of a kind. */
export function isTaught(
  kind: InterpretedKind,
  operation: Exclude<keyof Interpreter, 'kinds'>,
  custom: readonly Interpreter[] = [],
): boolean {
  return custom.some((own) => own[operation] !== undefined && isFor(own, kind));
}

/** Reports `.status` as it is. */
const WHOLE_STATUS: Interpreter = {
  kinds: [],
  interpretStatus: (object) => fieldAt(object, 'status'),
};

const BUILT_IN_BY_KIND: ReadonlyMap<string, Interpreter> = new Map(
  BUILT_IN.flatMap((interpreter) =>
    interpreter.kinds.map((kind): [string, Interpreter] => [
      keyOf(kind),
      {
        ...firstOfEach([...BUILT_IN.filter((other) => isFor(other, kind)), WHOLE_STATUS]),
        kinds: [kind],
      },
    ]),
  ),
);

function keyOf({ apiVersion, kind }: InterpretedKind): string {
  return `${apiVersion}/${kind}`;
}

function isFor(interpreter: Interpreter, { apiVersion, kind }: InterpretedKind): boolean {
  return interpreter.kinds.some((own) => own.apiVersion === apiVersion && own.kind === kind);
}

/** Later ones first, so that an earlier one's operation overwrites theirs. */
function firstOfEach(chain: readonly Interpreter[]): Interpreter {
  return Object.assign({}, ...[...chain].reverse()) as Interpreter;
}

function additiveDependencies(
  users: readonly Interpreter[],
): Pick<Interpreter, 'interpretDependency'> {
  const scripts = users.flatMap(({ interpretDependency }) => interpretDependency ?? []);
  if (scripts.length < 2) return {};
  return {
    interpretDependency: (object) => uniqueReferences(scripts.flatMap((script) => script(object))),
  };
}
