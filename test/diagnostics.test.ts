import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { CODES } from '../lib/engine/diagnostic.js';

const ROOT = resolve(__dirname, '..');
const codes = Object.keys(CODES);

test('codes are sorted', () => {
  expect(codes).toEqual([...codes].sort());
});

test.each(codes)('%s has a page with cause, example and way out', (code) => {
  const page = join(ROOT, 'docs/diagnostics', `${code}.md`);
  expect(existsSync(page)).toBe(true);
  expect(readFileSync(page, 'utf8').length).toBeGreaterThan(200);
});

test('no page describes a code that does not exist', () => {
  const pages = readdirSync(join(ROOT, 'docs/diagnostics')).map((file) =>
    file.replace(/\.md$/, ''),
  );
  expect(pages.filter((page) => page !== 'README' && !codes.includes(page))).toEqual([]);
});

const tests = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.(ts|txt|json)$/.test(file) && file !== 'diagnostics.test.ts')
  .map((file) => readFileSync(join(ROOT, 'test', file), 'utf8'))
  .join('\n');

test.each(codes)('%s is provoked by a test', (code) => {
  expect(tests).toContain(code);
});
