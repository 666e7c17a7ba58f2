import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { runCases } from './interpreter-cases/run.js';

const results = runCases(join(__dirname, 'interpreter-cases/data'));

test('all cases were run', () => {
  expect(results).toHaveLength(123);
  expect(results.reduce((sum, { passed, failures }) => sum + passed + failures.length, 0)).toBe(
    564,
  );
});

test.each(results.map(({ file, failures }) => [file, failures]))('%s', (_file, failures) => {
  expect(failures).toEqual([]);
});
