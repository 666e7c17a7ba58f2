import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { writeFiles } from '../../../lib/providers/git/index.js';
import { makeFolder, WriteFailed, writeFileAtomic } from '../../../lib/providers/lock/index.js';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'fleetwright-folder-'));
});

const failureOf = (act: () => unknown): unknown => {
  try {
    act();
  } catch (error) {
    return WriteFailed.is(error) ? error.diagnostic : error;
  }
  return 'none';
};

describe('a folder', () => {
  test('is made with those above it, and is fine when it is there', () => {
    makeFolder(join(root, 'a/b/c'));
    makeFolder(join(root, 'a/b/c'));
    mkdirSync(join(root, 'x'));
    makeFolder(join(root, 'x', 'y'));

    expect(existsSync(join(root, 'a/b/c'))).toBe(true);
    expect(existsSync(join(root, 'x/y'))).toBe(true);
  });

  test('is not made in the place of a file', () => {
    writeFileSync(join(root, 'file'), '');

    expect(failureOf(() => makeFolder(join(root, 'file')))).toMatchObject({ code: 'EEXIST' });
    expect(failureOf(() => writeFileAtomic(join(root, 'file/below/lock'), ''))).toMatchObject({
      code: 'FILE_NOT_WRITTEN',
      summary: expect.stringContaining('a file is where a folder should be'),
    });
  });

  // /proc says that the folder above is missing: Node's own recursive mkdir never returns.
  (process.platform === 'linux' ? test : test.skip)(
    'that a file system cannot hold is FILE_NOT_WRITTEN, with place and remedy',
    () => {
      const place = '/proc/no-such-folder/deeper';
      const refusal = {
        code: 'FILE_NOT_WRITTEN',
        summary: expect.stringMatching(/^\/proc\/no-such-folder.* cannot be written: .*ENOENT/),
        hint: expect.stringContaining('--lock or --out'),
      };

      expect(failureOf(() => writeFileAtomic(`${place}/fleet.lock.yaml`, ''))).toMatchObject(
        refusal,
      );
      expect(
        failureOf(() => writeFiles(place, 'shop', { files: new Map([['a.yaml', '']]), held: [] })),
      ).toMatchObject(refusal);
    },
  );

  test('is made in this way everywhere in the product', () => {
    const sources = ['lib', 'bin'].flatMap((folder) =>
      readdirSync(resolve(__dirname, '../../..', folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
        .map((entry) => join(entry.parentPath, entry.name)),
    );

    const recursive = sources.filter((file) =>
      /mkdir(?:Sync)?\([^;]*?recursive/.test(readFileSync(file, 'utf8')),
    );

    expect(sources.length).toBeGreaterThan(300);
    expect(recursive).toEqual([]);
  });
});
