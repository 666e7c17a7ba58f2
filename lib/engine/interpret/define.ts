import type { KubeObject } from '../../api/object.js';
import type { Component, ReplicaRequirements } from '../../api/resource-binding.js';
import {
  checkComponents,
  checkHealth,
  checkObject,
  checkPlain,
  checkReferences,
  checkReplicas,
  checkStatus,
} from './answer.js';
import { isFields } from './field.js';
import type { Operation } from './interpret-error.js';
import { InterpretError } from './interpret-error.js';
import type {
  AggregatedStatusItem,
  DependentReference,
  InterpretedKind,
  Interpreter,
} from './interpreter.js';

/** What a kind means, as TypeScript functions; each replaces the built-in rule of the same operation. */
export interface InterpreterDefinition<O extends object = KubeObject> {
  /** The kinds it is for, by exact version. */
  readonly kinds: readonly [InterpretedKind, ...InterpretedKind[]];
  /** How many replicas the object asks for, a whole number; with what each of them needs. */
  readonly interpretReplica?: (
    object: O,
  ) => number | { readonly replicas: number; readonly requirements?: ReplicaRequirements };
  /** Parts with replicas of their own; asked instead of `interpretReplica` where multi-component scheduling is on. */
  readonly interpretComponent?: (object: O) => readonly Component[];
  /** The object with that many replicas. */
  readonly reviseReplica?: (object: O, replicas: number) => O;
  /** What to apply, with the values that belong to the member cluster. */
  readonly retain?: (desired: O, observed: O) => O;
  /** What of the object on a cluster is worth reporting; `undefined`: nothing. */
  readonly interpretStatus?: (object: O) => unknown;
  /** The template with the status of all clusters; `items` sorted by cluster, absent where there is no list at all. */
  readonly aggregateStatus?: (
    object: O,
    items: readonly AggregatedStatusItem[] | undefined,
    now?: string,
  ) => O;
  readonly interpretHealth?: (object: O) => boolean;
  /** What must go to the same clusters. */
  readonly interpretDependency?: (object: O) => readonly DependentReference[];
}

/**
 * Teach a kind in TypeScript: the same as a ResourceInterpreterCustomization with Lua scripts, but typed.
 *
 * The functions must be pure: no clock, no files, no state. Each call gets a copy of the object and may change it. What they
 * return is checked as Karmada checks what scripts return; a wrong answer, and whatever a function throws, becomes an
 * {@link InterpretError} and with it a finding of the plan.
 *
 * @example
 * const cache = defineInterpreter<CacheCluster>({
 *   kinds: [{ apiVersion: 'cache.example.com/v1', kind: 'CacheCluster' }],
 *   interpretReplica: ({ spec }) => spec.nodes,
 *   reviseReplica: (object, nodes) => ({ ...object, spec: { ...object.spec, nodes } }),
 *   interpretHealth: ({ spec, status }) => status?.readyNodes === spec.nodes,
 * });
 */
export function defineInterpreter<O extends object = KubeObject>(
  definition: InterpreterDefinition<O>,
): Interpreter {
  const { kinds } = definition;
  // Objects of the kinds have the shape that the definition says they have: that is what the user declares with O.
  const d = definition as unknown as InterpreterDefinition;
  const { interpretReplica, interpretComponent, reviseReplica, retain } = d;
  const { interpretStatus, aggregateStatus, interpretHealth, interpretDependency } = d;
  return {
    kinds: kinds.map(({ apiVersion, kind }) => ({ apiVersion, kind })),
    ...(interpretReplica && {
      interpretReplica: (object) =>
        ask('InterpretReplica', () => {
          const answer = plain(interpretReplica(structuredClone(object)));
          return isFields(answer)
            ? checkReplicas(answer['replicas'], answer['requirements'])
            : checkReplicas(answer, undefined);
        }),
    }),
    ...(interpretComponent && {
      interpretComponent: (object) =>
        ask('InterpretComponent', () =>
          checkComponents(plain(interpretComponent(structuredClone(object)))),
        ),
    }),
    ...(reviseReplica && {
      reviseReplica: (object, replicas) =>
        ask('ReviseReplica', () =>
          checkObject(plain(reviseReplica(structuredClone(object), replicas)), object),
        ),
    }),
    ...(retain && {
      retain: (desired, observed) =>
        ask('Retain', () =>
          checkObject(plain(retain(structuredClone(desired), structuredClone(observed))), desired),
        ),
    }),
    ...(interpretStatus && {
      interpretStatus: (object) =>
        ask('InterpretStatus', () => checkStatus(plain(interpretStatus(structuredClone(object))))),
    }),
    ...(aggregateStatus && {
      aggregateStatus: (object, items, now) =>
        ask('AggregateStatus', () =>
          checkObject(
            plain(aggregateStatus(structuredClone(object), structuredClone(items), now)),
            object,
          ),
        ),
    }),
    ...(interpretHealth && {
      interpretHealth: (object) =>
        ask('InterpretHealth', () => checkHealth(interpretHealth(structuredClone(object)))),
    }),
    ...(interpretDependency && {
      interpretDependency: (object) =>
        ask('InterpretDependency', () =>
          checkReferences(plain(interpretDependency(structuredClone(object)))),
        ),
    }),
  };
}

function ask<T>(operation: Operation, answer: () => T): T {
  try {
    return answer();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const what = InterpretError.is(error) ? error.what : 'failure';
    throw new InterpretError(message, { operation }, what);
  }
}

function plain(answer: unknown): unknown {
  checkPlain(answer);
  return answer;
}
