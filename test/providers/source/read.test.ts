import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Diagnostic } from '../../../lib/engine/diagnostic.js';
import {
  locate,
  parseFleet,
  readDocuments,
  readFleet,
  readSources,
} from '../../../lib/providers/source/index.js';

let cwd = '';
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'fleetwright-source-'));
});

const put = (path: string, text: string): void => {
  mkdirSync(dirname(join(cwd, path)), { recursive: true });
  writeFileSync(join(cwd, path), text);
};
const aConfigMap = (name: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n`;
const namesOf = (paths: readonly string[], options: object = {}): unknown[] =>
  readSources(paths, { cwd, ...options }).documents.map((d) => d.object.metadata.name);

describe('bytes that are no text', () => {
  test.each([
    ['invalid UTF-8', Buffer.from([0x61, 0x3a, 0x20, 0xe9, 0xff, 0x0a])],
    ['a NUL', Buffer.from('a: "x\0y"\n')],
  ])('%s is refused, not replaced', (_name, bytes) => {
    writeFileSync(join(cwd, 'a.yaml'), bytes);

    expect(readSources(['a.yaml'], { cwd }).diagnostics).toMatchObject([
      { code: 'DOCUMENT_UNPARSABLE', file: 'a.yaml' },
    ]);
  });

  test.each([
    ['invalid UTF-8', Buffer.from([0x61, 0x3a, 0x20, 0xe9, 0xff, 0x0a]), 'DOCUMENT_UNPARSABLE'],
    ['a NUL', Buffer.from('a: "x\0y"\n'), 'DOCUMENT_UNPARSABLE'],
    ['more than 64 MiB', Buffer.alloc(64 * 1024 * 1024 + 1, '#'), 'SOURCE_MISSING'],
  ])('%s from standard input is refused too', (_name, stdin, code) => {
    expect(readSources(['-'], { cwd, stdin }).diagnostics).toMatchObject([
      { code, file: 'stdin', summary: expect.stringMatching(/^Standard input is /) },
    ]);
  });

  test.each([
    ['a file', (text: string) => void put('a.yaml', text)],
    ['standard input', () => undefined],
  ])(
    'a byte order mark is dropped from %s, at the start and before later documents',
    (_, place) => {
      const text = [
        `\ufeff${aConfigMap('a')}`,
        `---\n\ufeff${aConfigMap('b')}`,
        `\ufeff---\n${aConfigMap('c')}`,
        `\ufeff# a comment\n---\n${aConfigMap('d')}`,
      ].join('');
      place(text);

      expect(namesOf([_ === 'a file' ? 'a.yaml' : '-'], { stdin: Buffer.from(text) })).toEqual([
        'a',
        'b',
        'c',
        'd',
      ]);
    },
  );

  test('an alias to the value around it is refused with its place', () => {
    put('a.yaml', `${aConfigMap('a')}data: &a\n  x: *a\n`);

    expect(readSources(['a.yaml'], { cwd }).diagnostics).toMatchObject([
      { code: 'DOCUMENT_UNPARSABLE', file: 'a.yaml' },
    ]);
  });
});

describe('what is no file', () => {
  test('a pipe in a folder is refused by name, not waited for', () => {
    put('a.yaml', aConfigMap('a'));
    execFileSync('mkfifo', [join(cwd, 'b.yaml')]);

    const { documents, diagnostics } = readSources(['.'], { cwd });

    expect(documents.map((d) => d.object.metadata.name)).toEqual(['a']);
    expect(diagnostics).toMatchObject([
      { code: 'SOURCE_MISSING', severity: 'error', file: 'b.yaml' },
    ]);
  });

  test('a device is refused even where it is named', () => {
    expect(readSources(['/dev/zero'], { cwd }).diagnostics).toMatchObject([
      { code: 'SOURCE_MISSING', severity: 'error' },
    ]);
  });

  test('a pipe that is named is read', () => {
    const pipe = join(cwd, 'pipe');
    execFileSync('mkfifo', [pipe]);
    put('source.yaml', aConfigMap('piped'));
    spawn('sh', ['-c', 'cat "$1" > "$2"', 'sh', join(cwd, 'source.yaml'), pipe]);

    expect(namesOf([pipe])).toEqual(['piped']);
  });

  test('a pipe without an end is read up to the limit', () => {
    const pipe = join(cwd, 'pipe');
    execFileSync('mkfifo', [pipe]);
    spawn('sh', ['-c', 'exec cat /dev/zero > "$1"', 'sh', pipe]);

    expect(readSources([pipe], { cwd }).diagnostics).toMatchObject([
      { code: 'SOURCE_MISSING', summary: expect.stringContaining('larger than 64 MiB') },
    ]);
  });
});

/** Root may read everything: somebody else looks. */
function asNobody<T>(look: () => T): T {
  if (process.getuid?.() !== 0) return look();
  process.seteuid?.(65534);
  try {
    return look();
  } finally {
    process.seteuid?.(0);
  }
}

describe('paths', () => {
  test('a link that leads nowhere is named as that; the others are read', () => {
    put('a.yaml', aConfigMap('a'));
    symlinkSync(join(cwd, 'gone'), join(cwd, 'b.yaml'));

    const { documents, diagnostics } = readSources(['.'], { cwd });

    expect(documents).toHaveLength(1);
    expect(diagnostics).toMatchObject([
      {
        code: 'SOURCE_MISSING',
        file: 'b.yaml',
        summary: '"b.yaml" is a link to a file that does not exist.',
      },
    ]);
  });

  test('a sub-folder or file that may not be read is named; the others are read', () => {
    chmodSync(cwd, 0o755);
    put('a.yaml', aConfigMap('a'));
    put('closed/b.yaml', aConfigMap('b'));
    put('c.yaml', aConfigMap('c'));
    chmodSync(join(cwd, 'closed'), 0);
    chmodSync(join(cwd, 'c.yaml'), 0);

    const { documents, diagnostics } = asNobody(() => readSources(['.'], { cwd }));

    expect(documents.map((d) => d.object.metadata.name)).toEqual(['a']);
    expect(diagnostics).toMatchObject([
      { file: 'c.yaml', summary: '"c.yaml" cannot be read (EACCES).' },
      { file: 'closed', summary: '"closed" cannot be read (EACCES).' },
    ]);
  });

  test('a folder is read with its sub-folders, sorted; hidden entries, node_modules and other files are left out', () => {
    put('b.yaml', aConfigMap('b'));
    put('a/z.yml', aConfigMap('z'));
    put('a/j.json', '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"j"}}');
    put('.hidden/x.yaml', aConfigMap('hidden'));
    put('node_modules/x/x.yaml', aConfigMap('module'));
    put('README.md', 'no');

    expect(namesOf(['.'])).toEqual(['j', 'z', 'b']);
  });

  test('files excluded, files that synth wrote, and links to folders are not sources', () => {
    put('fleet.yaml', aConfigMap('fleet'));
    put('out/clusters/a/manifest.yaml', aConfigMap('generated'));
    put('out/.fleetwright/files', 'clusters/a/manifest.yaml\tshop\n');
    put('web.yaml', aConfigMap('web'));
    symlinkSync(cwd, join(cwd, 'loop'));

    expect(namesOf(['.'], { exclude: ['fleet.yaml'] })).toEqual(['web']);
  });

  test('a file given twice counts once; - is standard input', () => {
    put('a.yaml', aConfigMap('a'));

    expect(namesOf(['a.yaml', '.', '-'], { stdin: aConfigMap('piped') })).toEqual(['a', 'piped']);
  });

  test.each([
    ['nope.yaml', /does not exist/],
    ['empty', /no YAML/],
  ])('%s is SOURCE_MISSING', (path, summary) => {
    mkdirSync(join(cwd, 'empty'));

    const [found] = readSources([path], { cwd }).diagnostics;

    expect(found).toMatchObject({ code: 'SOURCE_MISSING', severity: 'error', file: path });
    expect(found?.summary).toMatch(summary);
  });
});

describe('programs', () => {
  test.each(['interpreter.ts', 'app.mjs', 'chart.js'])(
    '%s is one finding that says where interpreters go; the others are read',
    (file) => {
      put(file, 'export const a = { b: [1 };\n'.repeat(3));
      put('a.yaml', aConfigMap('a'));

      const { documents, diagnostics } = readSources([file, 'a.yaml'], { cwd });

      expect(documents).toHaveLength(1);
      expect(diagnostics).toMatchObject([
        {
          code: 'DOCUMENT_UNPARSABLE',
          severity: 'error',
          file,
          summary: `"${file}" is a program, no manifest: it is not run, and nothing is read from it.`,
        },
      ]);
      expect(diagnostics[0]?.hint).toContain('planApplication(input, interpreters)');
    },
  );

  test('in a folder are left alone', () => {
    put('a.yaml', aConfigMap('a'));
    put('interpreter.ts', 'export {};\n');

    expect(readSources(['.'], { cwd }).diagnostics).toEqual([]);
  });
});

describe('documents', () => {
  test('streams and Lists are expanded, each with its place', () => {
    const list = `${aConfigMap('a')}---\n# only a comment\n---\napiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: b\n`;
    const { documents, diagnostics } = readDocuments([{ file: 'x.yaml', text: list }]);

    expect(diagnostics).toEqual([]);
    expect(documents.map((d) => d.source)).toEqual([
      { file: 'x.yaml', document: 0, line: 1, column: 1 },
      { file: 'x.yaml', document: 1, line: 11, column: 3 },
    ]);
  });

  test.each([
    ['a text', 'hello', 'a Kubernetes object', 1],
    ['no apiVersion', 'kind: X\nmetadata: {name: a}\n', '"apiVersion"', 1],
    ['kind is a number', 'apiVersion: v1\nkind: 1\nmetadata: {name: a}\n', '"kind"', 2],
    ['no metadata', 'apiVersion: v1\nkind: X\n', '"metadata"', 1],
    [
      'name is a boolean',
      'apiVersion: v1\nkind: X\nmetadata:\n  name: yes\n',
      '"metadata.name"',
      4,
    ],
    ['generateName', 'apiVersion: v1\nkind: X\nmetadata:\n  generateName: a-\n', 'generateName', 3],
  ])('%s is DOCUMENT_INVALID', (_name, text, summary, line) => {
    const { documents, diagnostics } = readDocuments([{ file: 'x.yaml', text }]);

    expect(documents).toEqual([]);
    expect(diagnostics[0]).toMatchObject({ code: 'DOCUMENT_INVALID', file: 'x.yaml', line });
    expect(diagnostics[0]?.summary).toContain(summary);
  });

  test('broken YAML is DOCUMENT_UNPARSABLE with line and column; the other files are read', () => {
    const { documents, diagnostics } = readDocuments([
      { file: 'bad.yaml', text: 'a: 1\n  b: 2\n' },
      { file: 'good.yaml', text: aConfigMap('a') },
    ]);

    expect(documents).toHaveLength(1);
    expect(diagnostics[0]).toMatchObject({
      code: 'DOCUMENT_UNPARSABLE',
      file: 'bad.yaml',
      line: 1,
    });
  });
});

describe('places of findings', () => {
  const about = (name: string, extra: Partial<Diagnostic>): Diagnostic => ({
    code: 'FIELD_UNKNOWN',
    severity: 'error',
    summary: 's',
    resource: { apiVersion: 'v1', kind: 'ConfigMap', name },
    ...extra,
  });
  const { places } = readDocuments([
    { file: 'x.yaml', text: `${aConfigMap('a')}---\n${aConfigMap('b')}` },
    { file: 'y.yaml', text: aConfigMap('b') },
  ]);

  test.each([
    ['the field', about('b', { path: ['metadata', 'name'] }), 'x.yaml', 9, 3],
    [
      'of two equal documents the one whose line is given',
      about('b', { file: 'y.yaml', line: 1, path: ['kind'] }),
      'y.yaml',
      2,
      1,
    ],
    ['the nearest ancestor', about('a', { path: ['metadata', 'labels', 'x'] }), 'x.yaml', 3, 1],
  ])('%s', (_name, diagnostic, file, line, column) => {
    expect(locate([diagnostic], places)[0]).toMatchObject({ file, line, column });
  });

  test('a finding about nothing that was read stays as it is', () => {
    const unknown = about('zzz', {});
    expect(locate([unknown], places)).toEqual([unknown]);
  });
});

describe('the fleet', () => {
  const cluster = (name: string, at: string): string =>
    `apiVersion: cluster.karmada.io/v1alpha1\nkind: Cluster\nmetadata:\n  name: ${name}\n  annotations:\n    fleetwright.dev/observed-at: "${at}"\nspec:\n  syncMode: Push\n`;

  test('its age is that of the oldest cluster', () => {
    const { fleet } = parseFleet(
      `${cluster('a', '2026-01-02T00:00:00Z')}---\n${cluster('b', '2026-01-01T00:00:00Z')}`,
      'fleet.yaml',
    );

    expect(fleet?.clusters.map((c) => c.metadata.name)).toEqual(['a', 'b']);
    expect(fleet?.observedAt).toBe('2026-01-01T00:00:00Z');
  });

  test('a missing file is FLEET_MISSING', () => {
    expect(readFleet('fleet.yaml', { cwd }).diagnostics).toMatchObject([
      { code: 'FLEET_MISSING', file: 'fleet.yaml' },
    ]);
  });

  test('other kinds are refused', () => {
    expect(parseFleet(aConfigMap('a'), 'fleet.yaml')).toMatchObject({
      diagnostics: [{ code: 'DOCUMENT_INVALID', line: 1 }],
    });
  });
});
