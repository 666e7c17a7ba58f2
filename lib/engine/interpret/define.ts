import type { KubeObject } from '../../api/object.js';
import type { Component, ReplicaRequirements } from '../../api/resource-binding.js';
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
        ask('InterpretReplica', () => checkReplicas(interpretReplica(structuredClone(object)))),
    }),
    ...(interpretComponent && {
      interpretComponent: (object) =>
        ask('InterpretComponent', () =>
          checkList<Component>(interpretComponent(structuredClone(object))),
        ),
    }),
    ...(reviseReplica && {
      reviseReplica: (object, replicas) =>
        ask('ReviseReplica', () =>
          checkObject(reviseReplica(structuredClone(object), replicas), object),
        ),
    }),
    ...(retain && {
      retain: (desired, observed) =>
        ask('Retain', () =>
          checkObject(retain(structuredClone(desired), structuredClone(observed)), desired),
        ),
    }),
    ...(interpretStatus && {
      interpretStatus: (object) =>
        ask('InterpretStatus', () => interpretStatus(structuredClone(object))),
    }),
    ...(aggregateStatus && {
      aggregateStatus: (object, items, now) =>
        ask('AggregateStatus', () =>
          checkObject(aggregateStatus(structuredClone(object), structuredClone(items), now), {}),
        ),
    }),
    ...(interpretHealth && {
      interpretHealth: (object) =>
        ask('InterpretHealth', () => checkHealth(interpretHealth(structuredClone(object)))),
    }),
    ...(interpretDependency && {
      interpretDependency: (object) =>
        ask('InterpretDependency', () =>
          checkReferences(interpretDependency(structuredClone(object))),
        ),
    }),
  };
}

function ask<T>(operation: Operation, answer: () => T): T {
  try {
    return answer();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new InterpretError(message, { operation });
  }
}

/** Whole and not negative, as a scheduler needs it. */
function checkReplicas(
  answer: ReturnType<NonNullable<InterpreterDefinition['interpretReplica']>>,
): ReturnType<NonNullable<Interpreter['interpretReplica']>> {
  const result = typeof answer === 'object' ? answer : { replicas: answer };
  if (!Number.isSafeInteger(result.replicas) || result.replicas < 0) {
    throw new InterpretError(`replicas must be a whole number, found ${String(result.replicas)}`);
  }
  return result;
}

function checkHealth(healthy: unknown): boolean {
  if (typeof healthy !== 'boolean')
    throw new InterpretError(`health must be true or false, found ${typeof healthy}`);
  return healthy;
}

function checkList<T>(list: readonly T[]): readonly T[] {
  if (!Array.isArray(list)) throw new InterpretError(`a list is needed, found ${typeof list}`);
  return list;
}

/** Each has an apiVersion, a kind, and a name or a label selector (lifecycle reference §10.1). */
export function checkReferences(
  references: readonly DependentReference[],
): readonly DependentReference[] {
  for (const { apiVersion, kind, name = '', labelSelector } of checkList(references)) {
    if (!apiVersion || !kind || (name === '' && labelSelector === undefined)) {
      throw new InterpretError(
        'a reference needs apiVersion, kind, and either name or labelSelector',
      );
    }
  }
  return references;
}

/** An object; where `before` has an identity it must be kept. */
function checkObject(object: KubeObject, before: Partial<KubeObject>): KubeObject {
  if (typeof object !== 'object' || object === null || Array.isArray(object))
    throw new InterpretError('an object is needed');
  const { apiVersion, kind, metadata } = before;
  const isSame =
    object.apiVersion === apiVersion &&
    object.kind === kind &&
    object.metadata?.name === metadata?.name &&
    object.metadata?.namespace === metadata?.namespace;
  if (apiVersion !== undefined && !isSame)
    throw new InterpretError('apiVersion, kind, name and namespace must stay as they are');
  return object;
}
