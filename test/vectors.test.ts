import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { difference } from './vectors/difference.js';
import { findVectors, runVectors, type FileResult } from './vectors/run.js';

const DATA = join(__dirname, 'vectors', 'data');

describe('a sample of Karmada’s recorded answers', () => {
  let results: FileResult[] = [];
  beforeAll(async () => {
    results = await runVectors(DATA);
  }, 120_000);

  const files = [...findVectors(DATA)].flatMap(([area, names]) =>
    names.map((file) => ({ area, file })),
  );

  test.each(files.filter(({ file }) => file !== 'fleets'))('$area/$file', ({ area, file }) => {
    const result = results.find((one) => one.area === area && one.file === file);

    expect(result?.problem).toBeUndefined();
    expect(result?.mismatches).toEqual([]);
    expect(result?.passed).toBeGreaterThan(0);
  });
});

describe('the runner', () => {
  const directory = mkdtempSync(join(tmpdir(), 'vectors-'));
  afterAll(() => rmSync(directory, { recursive: true }));

  test('counts the rows of an unknown area as failed', async () => {
    mkdirSync(join(directory, 'unheard-of'));
    writeFileSync(
      join(directory, 'unheard-of', 'x.jsonl.gz'),
      gzipSync('{"id":"a"}\n{"id":"b"}\n'),
    );

    const [result] = await runVectors(directory);

    expect(result).toMatchObject({ passed: 0, failed: 2, problem: 'no runner' });
  });

  test('counts a damaged file as failed', async () => {
    const damaged = mkdtempSync(join(directory, 'damaged-'));
    mkdirSync(join(damaged, 'claim'));
    const whole = gzipSync(`${'{"id":"a"}\n'.repeat(50)}`);
    writeFileSync(join(damaged, 'claim', 'events.jsonl.gz'), whole.subarray(0, whole.length - 12));

    const [result] = await runVectors(damaged);

    expect(result?.problem).toMatch(/^unreadable: /);
    expect(result?.failed).toBeGreaterThan(0);
  });

  test('counts an area whose companions are missing as failed, and goes on', async () => {
    const lone = mkdtempSync(join(directory, 'lone-'));
    for (const area of ['schedule', 'unheard-of']) {
      mkdirSync(join(lone, area));
      writeFileSync(join(lone, area, 'cases.jsonl.gz'), gzipSync('{"id":"a"}\n'));
    }

    const results = await runVectors(lone);

    expect(results.map(({ area, failed, problem }) => [area, failed, problem])).toEqual([
      ['schedule', 1, expect.stringMatching(/^runner does not start: ENOENT/)],
      ['unheard-of', 1, 'no runner'],
    ]);
  });

  test('refuses a directory without vectors', async () => {
    await expect(runVectors(join(directory, 'none'))).rejects.toThrow('ENOENT');
    await expect(runVectors(__dirname)).rejects.toThrow('no <area>/<file>.jsonl.gz in it');
  });
});

describe('difference', () => {
  test.each([
    { name: 'key order', got: { a: 1, b: 2 }, want: { b: 2, a: 1 }, found: undefined },
    { name: 'absent and empty', got: { a: [] }, want: { b: {} }, found: undefined },
    { name: 'a leaf', got: { a: { b: 1 } }, want: { a: { b: 2 } }, found: '/a/b: got 1, want 2' },
    { name: 'list order', got: [1, 2], want: [2, 1], found: '/0: got 1, want 2' },
    { name: 'zero is not absent', got: { a: 0 }, want: {}, found: '/a: got 0, want nothing' },
  ])('$name', ({ got, want, found }) => {
    expect(difference(got, want)).toBe(found);
  });
});
