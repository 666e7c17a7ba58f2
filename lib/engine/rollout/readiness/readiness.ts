import type { KubeObject } from '../../../api/object.js';

/**
 * How far one object is. `ready` is never true together with `failed`.
 * Whether the object carries the planned revision is the caller's question: this looks at one stored object only.
 */
export interface Readiness {
  readonly ready: boolean;
  /** It will not become ready without a change: what the controller says. */
  readonly failed?: string;
  /** With `failed`: the verdict is revised when pods come up after all, so it is final only for what was just written. */
  readonly mayRecover?: boolean;
  /** What is missing, for people, with the figures seen; empty when ready. */
  readonly waitingFor: string;
}

/** Pure, by kind: reads `metadata.generation`, `spec` and `status` of one object. */
export type ReadinessRule = (object: KubeObject) => Readiness;

export const READY: Readiness = { ready: true, waitingFor: '' };

export function waiting(waitingFor: string): Readiness {
  return { ready: false, waitingFor };
}

export function hasFailed(failed: string): Readiness {
  return { ready: false, failed, waitingFor: failed };
}

/** A condition of `status.conditions`, as Kubernetes writes them. */
export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly observedGeneration?: number;
}

export function conditionsOf(object: KubeObject): readonly Condition[] {
  const list = part(object, 'status')['conditions'];
  return Array.isArray(list) ? list.filter(isCondition) : [];
}

export function findCondition(object: KubeObject, type: string): Condition | undefined {
  return conditionsOf(object).find((condition) => condition.type === type);
}

/** `Reason: message`, as far as they are there. */
export function describeCondition({ type, reason, message }: Condition): string {
  return [reason ?? type, message].filter((text) => text !== undefined && text !== '').join(': ');
}

/** The controller has not yet seen the newest spec. `undefined` when it has. */
export function notObserved(object: KubeObject): Readiness | undefined {
  const generation = object.metadata.generation ?? 0;
  const observed = observedGeneration(object) ?? 0;
  return observed >= generation
    ? undefined
    : waiting(`generation ${generation} to be observed (${observed} is)`);
}

/** The generation that `status` is about; `undefined` where it does not say. Some controllers write it as text. */
export function observedGeneration(object: KubeObject): number | undefined {
  const observed = part(object, 'status')['observedGeneration'];
  if (typeof observed === 'string') return /^\d+$/.test(observed) ? Number(observed) : 0;
  return typeof observed === 'number' ? observed : undefined;
}

/** {@link notObserved} where the status says which generation it is about; kinds and versions that never say are believed. */
export function notYetObserved(object: KubeObject): Readiness | undefined {
  return observedGeneration(object) === undefined ? undefined : notObserved(object);
}

/** Whether a condition speaks of the newest generation; one that does not say is believed. */
export function isCurrent(condition: Condition, object: KubeObject): boolean {
  const generation = object.metadata.generation ?? 0;
  return count(condition.observedGeneration, generation) >= generation;
}

/** `spec` or `status` as a record; an absent or odd one is empty. */
export function part(
  object: KubeObject,
  name: 'spec' | 'status',
): Readonly<Record<string, unknown>> {
  return record(object[name]);
}

export function record(value: unknown): Readonly<Record<string, unknown>> {
  // A JSON object; anything else has no members to read.
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {};
}

/** A whole number; absent means `otherwise`, as Kubernetes omits zeros. */
export function count(value: unknown, otherwise = 0): number {
  return typeof value === 'number' ? value : otherwise;
}

/** `1 old replica to go`, `2 old replicas to go`. */
export function replicasToGo(number: number, which: 'old' | 'surplus'): string {
  return `${number} ${which} replica${number === 1 ? '' : 's'} to go`;
}

/** The first counter that is short of what it should be, as `waitingFor`; READY when all have arrived. */
export function reached(
  ...counters: readonly [what: string, seen: number, wanted: number][]
): Readiness {
  const short = counters.find(([, seen, wanted]) => seen < wanted);
  return short === undefined ? READY : waiting(`${short[0]} (${short[1]} of ${short[2]})`);
}

function isCondition(value: unknown): value is Condition {
  return typeof record(value)['type'] === 'string' && typeof record(value)['status'] === 'string';
}
