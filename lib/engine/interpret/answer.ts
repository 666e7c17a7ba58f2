import type { KubeObject } from '../../api/object.js';
import type { Component, ReplicaRequirements } from '../../api/resource-binding.js';
import { isFields, textAt } from './field.js';
import { InterpretError } from './interpret-error.js';
import type { DependentReference, Interpreter } from './interpreter.js';

/**
 * What a rule that a user taught may answer, one function an operation. Each gives the answer back if it can be right, and
 * throws an {@link InterpretError} that says what was found if it cannot, whatever the object is. Source: lifecycle
 * reference §4.2; ADR 0132.
 */

/** Karmada counts in 32 bits. */
const MOST_REPLICAS = 2 ** 31 - 1;

/** The error for an answer that cannot be right. */
export function wrongAnswer(message: string): InterpretError {
  return new InterpretError(message, undefined, 'answer');
}

/** A number of replicas, and what each needs (`undefined`: nothing is known). */
export function checkReplicas(
  replicas: unknown,
  requirements: unknown,
): ReturnType<NonNullable<Interpreter['interpretReplica']>> {
  const count = checkCount(replicas, 'replicas');
  return requirements === undefined
    ? { replicas: count }
    : { replicas: count, requirements: checkRequirements(requirements, 'requirements') };
}

export function checkComponents(answer: unknown): readonly Component[] {
  return listOf(answer).map((component, position): Component => {
    const at = `component ${position + 1}`;
    if (!isFields(component))
      throw wrongAnswer(`${at} must be an object, found ${name(component)}`);
    if (textAt(component, 'name') === '') throw wrongAnswer(`${at} needs a name`);
    checkCount(component['replicas'], `replicas of ${at}`);
    if (component['replicaRequirements'] !== undefined)
      checkRequirements(component['replicaRequirements'], `replicaRequirements of ${at}`);
    return component as unknown as Component;
  });
}

/** Each has an apiVersion, a kind, and a name or a label selector (lifecycle reference §10.1). */
export function checkReferences(answer: unknown): readonly DependentReference[] {
  return listOf(answer).map((reference, position): DependentReference => {
    const at = `reference ${position + 1}`;
    if (!isFields(reference))
      throw wrongAnswer(`${at} must be an object, found ${name(reference)}`);
    for (const field of ['apiVersion', 'kind', 'namespace', 'name']) {
      const value = reference[field];
      if (value !== undefined && typeof value !== 'string')
        throw wrongAnswer(`${field} of ${at} must be a text, found ${name(value)}`);
    }
    const has = (field: string): boolean => textAt(reference, field) !== '';
    if (
      !has('apiVersion') ||
      !has('kind') ||
      (!has('name') && !isFields(reference['labelSelector']))
    )
      throw wrongAnswer(`${at} needs apiVersion, kind, and either name or labelSelector`);
    return reference as unknown as DependentReference;
  });
}

export function checkHealth(answer: unknown): boolean {
  if (typeof answer !== 'boolean')
    throw wrongAnswer(`health must be true or false, found ${name(answer)}`);
  return answer;
}

/** `undefined`: nothing to report. */
export function checkStatus(answer: unknown): unknown {
  if (answer !== undefined && !isFields(answer))
    throw wrongAnswer(`a status must be an object, found ${name(answer)}`);
  return answer;
}

/** The object that the rule was asked about, changed: apiVersion, kind, name and namespace are as before. */
export function checkObject(answer: unknown, before: KubeObject): KubeObject {
  if (!isFields(answer)) throw wrongAnswer(`an object is needed, found ${name(answer)}`);
  const differences = identityDifferences(before, answer);
  if (differences.length > 0)
    throw wrongAnswer(
      `it returns another object: ${differences.map(({ message }) => message).join(', ')}`,
    );
  return answer as unknown as KubeObject;
}

/** In what an object is another than it was: apiVersion, kind, name, namespace; empty for the same object. */
export function identityDifferences(
  before: unknown,
  after: unknown,
): readonly { readonly path: readonly string[]; readonly message: string }[] {
  return IDENTITY.flatMap((path) => {
    const [was, is] = [textAt(before, ...path), textAt(after, ...path)];
    if (is === was) return [];
    const message = `${path.join('.')} is ${is === '' ? 'missing' : `"${is}"`} where it was ${was === '' ? 'absent' : `"${was}"`}`;
    return [{ path, message }];
  });
}

/** Data that JSON can hold, since it ends in files and on clusters; members that are `undefined` are absent. */
export function checkPlain(value: unknown, path = 'the answer'): void {
  if (value === undefined || value === null) return;
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return;
    case 'number':
      if (!Number.isFinite(value)) throw wrongAnswer(`${path} is the number ${value}`);
      return;
    case 'object':
      break;
    default:
      throw wrongAnswer(`${path} is ${name(value)}, which is no data`);
  }
  if (Array.isArray(value)) {
    value.forEach((item, position) => {
      if (item === undefined) throw wrongAnswer(`${path}[${position}] is undefined`);
      checkPlain(item, `${path}[${position}]`);
    });
    return;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  // Objects of another realm have another Object.prototype, which has no prototype itself.
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null)
    throw wrongAnswer(`${path} is an instance of a class, which is no data`);
  for (const [key, member] of Object.entries(value)) checkPlain(member, `${path}.${key}`);
}

const IDENTITY: readonly (readonly string[])[] = [
  ['apiVersion'],
  ['kind'],
  ['metadata', 'name'],
  ['metadata', 'namespace'],
];

function checkCount(count: unknown, what: string): number {
  if (typeof count !== 'number' || !Number.isInteger(count) || count < 0 || count > MOST_REPLICAS)
    throw wrongAnswer(
      `${what} must be a whole number from 0 to ${MOST_REPLICAS}, found ${typeof count === 'number' ? count : name(count)}`,
    );
  return count;
}

function checkRequirements(requirements: unknown, what: string): ReplicaRequirements {
  if (!isFields(requirements))
    throw wrongAnswer(`${what} must be an object, found ${name(requirements)}`);
  const { resourceRequest: requests = {} } = requirements;
  if (!isFields(requests))
    throw wrongAnswer(`resourceRequest of ${what} must be an object, found ${name(requests)}`);
  for (const [resource, quantity] of Object.entries(requests)) {
    if (typeof quantity !== 'string' && typeof quantity !== 'number')
      throw wrongAnswer(`${resource} in ${what} must be a quantity, found ${name(quantity)}`);
  }
  return requirements as unknown as ReplicaRequirements;
}

function listOf(answer: unknown): readonly unknown[] {
  if (!Array.isArray(answer)) throw wrongAnswer(`a list is needed, found ${name(answer)}`);
  return answer;
}

function name(value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  return NAMES[typeof value] ?? `a ${typeof value}`;
}

const NAMES: Readonly<Record<string, string>> = { object: 'an object', string: 'a text' };
