import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';

/** Folder rules of the style guide, checked on the import graph itself: lint does not see computed imports. */
const ROOT = resolve(__dirname, '..');

interface Import {
  readonly from: string;
  readonly to: string;
  readonly typeOnly: boolean;
}

function sources(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(folder, file));
}

const IMPORT =
  /(?:^|\n)\s*(import|export)\s+(type\s+)?(?:[^'"`;]*?\sfrom\s+)?['"]([^'"]+)['"]|(?:import|require)\(\s*['"]([^'"]+)['"]\s*\)/g;

function importsOf(file: string): Import[] {
  const text = readFileSync(join(ROOT, file), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
  return [...text.matchAll(IMPORT)].map((match) => {
    const specifier = match[3] ?? match[4] ?? '';
    const to = specifier.startsWith('.')
      ? relative(ROOT, resolve(ROOT, dirname(file), specifier)).replace(/\.js$/, '.ts')
      : specifier;
    return { from: file, to, typeOnly: match[2] !== undefined };
  });
}

const imports = [...sources('lib'), ...sources('bin')].flatMap(importsOf);
const violations = (isWrong: (i: Import) => boolean): string[] =>
  imports
    .filter(isWrong)
    .map((i) => `${i.from} → ${i.to}`)
    .sort();

describe('architecture', () => {
  test('the engine imports nothing but itself, and types from lib/api', () => {
    expect(
      violations(
        (i) =>
          i.from.startsWith('lib/engine/') &&
          !i.to.startsWith('lib/engine/') &&
          !(i.typeOnly && i.to.startsWith('lib/api/')),
      ),
    ).toEqual([]);
  });

  test('lib/api imports zod and nothing of ours', () => {
    expect(
      violations(
        (i) => i.from.startsWith('lib/api/') && i.to !== 'zod' && !i.to.startsWith('lib/api/'),
      ),
    ).toEqual([]);
  });

  test('constructs and providers do not import each other', () => {
    expect(
      violations((i) => i.from.startsWith('lib/constructs/') && i.to.startsWith('lib/providers/')),
    ).toEqual([]);
    expect(
      violations((i) => i.from.startsWith('lib/providers/') && i.to.startsWith('lib/constructs/')),
    ).toEqual([]);
  });

  test('nothing imports bin', () => {
    expect(violations((i) => !i.from.startsWith('bin/') && i.to.startsWith('bin/'))).toEqual([]);
  });

  test('there are no import cycles, not even type-only ones', () => {
    expect(firstCycle()).toBeUndefined();
  });

  test('the graph is really read', () => {
    expect(imports.length).toBeGreaterThan(200);
  });
});

function firstCycle(): string | undefined {
  const graph = new Map<string, string[]>();
  for (const { from, to } of imports) {
    if (to.endsWith('.ts')) graph.set(from, [...(graph.get(from) ?? []), to]);
  }
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): string | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file].join(' → ');
    if (done.has(file)) return undefined;
    for (const next of graph.get(file) ?? []) {
      const cycle = visit(next, [...path, file]);
      if (cycle !== undefined) return cycle;
    }
    done.add(file);
    return undefined;
  };
  for (const file of graph.keys()) {
    const cycle = visit(file, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}
