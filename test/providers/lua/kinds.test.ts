import { join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import type { Interpreter } from '../../../lib/engine/interpret/index.js';
import { interpretersFrom } from '../../../lib/providers/lua/index.js';
import { readSources } from '../../../lib/providers/source/index.js';
import { runCases } from '../../interpreter-cases/run.js';

const DATA = resolve(__dirname, '../../interpreter-cases/data');

/** Karmada's own cases of three kinds, answered by Lua scripts of ours: the bridge must not be seen in the answers. */
test.each([
  ['clone-set', 'apps.kruise.io/v1alpha1/CloneSet', 6],
  ['sidecar-set', 'apps.kruise.io/v1alpha1/SidecarSet', 4],
  ['cluster-policy', 'kyverno.io/v1/ClusterPolicy', 3],
])('%s in Lua answers as the built-in interpreter', (name, directory, operations) => {
  const { documents } = readSources([join(__dirname, 'kinds', `${name}.yaml`)], { cwd: '/' });
  const { interpreters, diagnostics } = interpretersFrom(documents, '2026-01-01T00:00:00Z');
  const asked = new Set<string>();

  const files = runCases(
    join(DATA, directory),
    interpreters.map((interpreter) => noting(interpreter, asked)),
  );

  expect(diagnostics).toEqual([]);
  expect(files.flatMap(({ failures }) => failures)).toEqual([]);
  expect(asked.size).toBe(operations);
});

/** The same interpreter, noting what it is asked: the cases must really reach it. */
function noting(interpreter: Interpreter, asked: Set<string>): Interpreter {
  const entries = Object.entries(interpreter).map(([name, operation]) => {
    if (typeof operation !== 'function') return [name, operation];
    const ask = (...args: unknown[]): unknown => {
      asked.add(name);
      return (operation as (...args: unknown[]) => unknown)(...args);
    };
    return [name, ask];
  });
  return Object.fromEntries(entries) as unknown as Interpreter;
}
