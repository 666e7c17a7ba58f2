import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import ts from 'typescript';

/**
 * The public surface, by name, compared with a committed report: a change of it shows in review. Classes and what people
 * pass to them (`…Props`, `…Args`) with their members; documents and plans have schemas of their own.
 * `UPDATE_API_REPORT=1 npx jest test/api.test.ts` writes the report anew.
 */
const ROOT = resolve(__dirname, '..');
const REPORT = join(ROOT, 'test/api-report.txt');

const ENTRY_POINTS = {
  fleetwright: 'lib/index.ts',
  'fleetwright/constructs': 'lib/constructs/index.ts',
  'fleetwright/engine': 'lib/engine/index.ts',
  'fleetwright/pulumi': 'lib/providers/pulumi/index.ts',
  'fleetwright/pulumi/provider': 'lib/providers/pulumi/provider.ts',
} as const;

function report(): string {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile) as {
    config: object;
  };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  const files = Object.values(ENTRY_POINTS).map((file) => join(ROOT, file));
  const program = ts.createProgram(files, { ...options, noEmit: true });
  const checker = program.getTypeChecker();
  return Object.entries(ENTRY_POINTS)
    .map(([name, file]) => {
      const source = program.getSourceFile(join(ROOT, file));
      if (source === undefined) throw new Error(`${file} is not part of the program`);
      const module = checker.getSymbolAtLocation(source);
      if (module === undefined) throw new Error(`${file} exports nothing`);
      const lines = checker
        .getExportsOfModule(module)
        .filter((symbol) => !isInternal(symbol))
        .map((symbol) => describeExport(checker, symbol))
        .sort();
      return [`# ${name}`, ...lines, ''].join('\n');
    })
    .join('\n');
}

function isInternal(symbol: ts.Symbol): boolean {
  return symbol.getJsDocTags().some(({ name }) => name === 'internal');
}

/** `class FleetApp: isFleetApp (static), toDocuments`, `interface WebProps: image, replicas?`, `function plan(input, tools)`. */
function describeExport(checker: ts.TypeChecker, symbol: ts.Symbol): string {
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const { name } = symbol;
  if (target.flags & ts.SymbolFlags.Class) {
    const own = [...(target.members?.values() ?? [])].filter(isPublicMember).map((m) => m.name);
    const statics = [...(target.exports?.values() ?? [])]
      .filter((m) => m.name !== 'prototype' && isPublicMember(m))
      .map((m) => `${m.name} (static)`);
    return listing(`class ${name}`, [...own, ...statics]);
  }
  if (target.flags & ts.SymbolFlags.Function) {
    const [signature] = checker.getTypeOfSymbol(target).getCallSignatures();
    return `function ${name}(${(signature?.parameters ?? []).map((p) => p.name).join(', ')})`;
  }
  if (target.flags & ts.SymbolFlags.Interface)
    return listing(`interface ${name}`, membersOf(checker, name, target));
  if (target.flags & ts.SymbolFlags.TypeAlias)
    return listing(`type ${name}`, membersOf(checker, name, target));
  return `const ${name}`;
}

function listing(head: string, members: readonly string[]): string {
  return members.length === 0 ? head : `${head}: ${[...members].sort().join(', ')}`;
}

function membersOf(checker: ts.TypeChecker, name: string, symbol: ts.Symbol): string[] {
  if (!/(Props|Args)$/.test(name)) return [];
  return checker
    .getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbol))
    .map((p) => (p.flags & ts.SymbolFlags.Optional ? `${p.name}?` : p.name));
}

function isPublicMember(symbol: ts.Symbol): boolean {
  if (symbol.name.startsWith('__')) return false;
  const [declaration] = symbol.declarations ?? [];
  if (declaration === undefined) return false;
  const flags = ts.getCombinedModifierFlags(declaration as ts.Declaration);
  return (flags & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) === 0;
}

test('the public surface is what the report says', () => {
  const found = report();
  if (process.env['UPDATE_API_REPORT'] !== undefined) writeFileSync(REPORT, found);

  expect(found).toBe(readFileSync(REPORT, 'utf8'));
});

test('the entry points are those of package.json', () => {
  const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    exports: Record<string, { types: string } | string>;
  };
  const named = Object.entries(exports)
    .filter(([key]) => key !== './package.json')
    .map(([key, target]) => [
      key.replace(/^\./, 'fleetwright'),
      (target as { types: string }).types.replace('./dist/', '').replace('.d.ts', '.ts'),
    ]);

  expect(Object.fromEntries(named)).toEqual(ENTRY_POINTS);
});
