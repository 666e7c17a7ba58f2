import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { canonicalJson } from '../../lib/engine/canonical.js';
import type { Interpreter } from '../../lib/engine/interpret/index.js';
import { interpreterFor } from '../../lib/engine/interpret/index.js';
import type { KubeObject } from '../../lib/engine/object.js';
import { parseQuantity } from '../../lib/engine/schedule/quantity.js';
import { difference } from '../vectors/difference.js';

/** One YAML document of a file. */
interface Case {
  readonly name: string;
  readonly operation: string;
  readonly desiredObj?: KubeObject;
  readonly observedObj?: KubeObject;
  readonly statusItems?: readonly { readonly clusterName: string }[] | null;
  readonly inputReplicas?: number;
  readonly output: Readonly<Record<string, unknown>>;
}

export interface CaseFile {
  /** Path below the directory, with `/`. */
  readonly file: string;
  readonly passed: number;
  /** One line per failed case: its name and what differs. */
  readonly failures: readonly string[];
}

/**
 * Run every case below a directory, in whatever folders it lies; `custom` interpreters come before the built-in ones.
 *
 * @throws if the directory cannot be read or holds no case
 */
export function runCases(
  directory: string,
  custom: readonly Interpreter[] = [],
): readonly CaseFile[] {
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.yaml'))
    .sort();
  const results = files.map((file) =>
    runFile(join(directory, file), relative('', file).replaceAll('\\', '/'), custom),
  );
  if (results.every(({ passed, failures }) => passed + failures.length === 0))
    throw new Error('no cases in it');
  return results;
}

function runFile(path: string, file: string, custom: readonly Interpreter[]): CaseFile {
  // The parser that the cases were written for does not mind quoted texts that go on at the indentation of their key.
  const text = readFileSync(path, 'utf8').replace(/(: '(?:[^'\n]|'')*)\n\s*/g, '$1 ');
  const documents = parseAllDocuments(text);
  const broken = documents.find(({ errors }) => errors.length > 0);
  if (broken !== undefined) throw new Error(`${file}: ${broken.errors[0]?.message ?? ''}`);
  const cases = documents
    .map((document) => document.toJS() as Case | null)
    .filter((c): c is Case => c?.operation !== undefined);
  const failures: string[] = [];
  for (const one of cases) {
    const failure = runCase(one, custom);
    if (failure !== undefined) failures.push(`${one.name}: ${failure}`);
  }
  return { file, passed: cases.length - failures.length, failures };
}

function runCase(one: Case, custom: readonly Interpreter[]): string | undefined {
  const object = one.desiredObj ?? one.observedObj;
  if (object === undefined) return 'the case has no object';
  let got: Readonly<Record<string, unknown>>;
  try {
    got = answer(one, object, interpreterFor(object, custom));
  } catch (error) {
    return `threw ${(error as Error).message}`;
  }
  for (const [key, want] of Object.entries(one.output)) {
    const found =
      TYPED[key] === undefined
        ? exactDifference(got[key], want)
        : typedDifference(got[key], want, TYPED[key]);
    if (found !== undefined) return `${key}${found}`;
  }
  return undefined;
}

function answer(
  one: Case,
  object: KubeObject,
  interpreter: Interpreter,
): Readonly<Record<string, unknown>> {
  switch (one.operation) {
    case 'InterpretReplica': {
      const { replicas, requirements } = required(interpreter.interpretReplica)(object);
      return { replica: replicas, requires: requirements };
    }
    case 'InterpretComponent':
      return { components: required(interpreter.interpretComponent)(object) };
    case 'ReviseReplica':
      return { revised: required(interpreter.reviseReplica)(object, one.inputReplicas ?? 0) };
    case 'Retain':
      return {
        retained: required(interpreter.retain)(
          one.desiredObj as KubeObject,
          one.observedObj as KubeObject,
        ),
      };
    case 'InterpretStatus':
      return { status: required(interpreter.interpretStatus)(object) };
    case 'AggregateStatus':
      return {
        aggregatedStatus: required(interpreter.aggregateStatus)(
          object,
          one.statusItems ?? undefined,
          '2026-01-01T00:00:00Z',
        ),
      };
    case 'InterpretHealth':
      return { healthy: required(interpreter.interpretHealth)(object) };
    case 'InterpretDependency':
      return { dependencies: required(interpreter.interpretDependency)(object) };
    default:
      throw new Error(`operation ${one.operation} is not known`);
  }
}

function required<T>(operation: T | undefined): T {
  if (operation === undefined) throw new Error('the kind does not have this operation');
  return operation;
}

/** Outputs compared as typed values, with the fields that their lists are sorted by. */
const TYPED: Readonly<Record<string, readonly string[]>> = {
  requires: [],
  components: ['name'],
  dependencies: ['apiVersion', 'kind', 'namespace', 'name'],
};

function typedDifference(
  got: unknown,
  want: unknown,
  order: readonly string[],
): string | undefined {
  return difference(typed(got, order), typed(want, order), equalQuantities);
}

function typed(value: unknown, order: readonly string[]): unknown {
  if (!Array.isArray(value)) return value ?? undefined;
  const keyOf = (item: unknown): string =>
    JSON.stringify(order.map((field) => (item as Record<string, unknown>)[field] ?? ''));
  return [...(value as unknown[])].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

function equalQuantities(got: unknown, want: unknown, path: string): boolean {
  if (!path.includes('/resourceRequest/')) return Object.is(got, want);
  const [a, b] = [got, want].map((text) => parseQuantity(String(text))?.nano);
  return a !== undefined && a === b;
}

function exactDifference(got: unknown, want: unknown): string | undefined {
  const excluded = excludedPaths(want);
  const [a, b] = [got, want].map((value) => without(value, excluded));
  if (canonicalJson(a ?? null) === canonicalJson(b ?? null)) return undefined;
  return difference(a, b) ?? ': an empty value stands on one side only';
}

function excludedPaths(value: unknown, path = ''): ReadonlySet<string> {
  if (value === '{{EXCLUDE}}') return new Set([path]);
  if (typeof value !== 'object' || value === null) return new Set();
  return new Set(
    Object.entries(value).flatMap(([key, member]) => [...excludedPaths(member, `${path}/${key}`)]),
  );
}

function without(value: unknown, excluded: ReadonlySet<string>, path = ''): unknown {
  if (excluded.size === 0 || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item, i) => without(item, excluded, `${path}/${i}`));
  const kept = Object.entries(value).filter(([key]) => !excluded.has(`${path}/${key}`));
  return Object.fromEntries(
    kept.map(([key, member]) => [key, without(member, excluded, `${path}/${key}`)]),
  );
}
