import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Plan } from '../../../lib/engine/plan.js';
import { renderFiles, type RenderOptions, writeFiles } from '../../../lib/providers/git/index.js';
import { parseDocuments } from '../../../lib/providers/source/index.js';
import { aConfigMap, aManifest, aPlan, aRelease } from './plan.js';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'fleetwright-git-'));
});

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const put = (path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};
const tree = (): string[] =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort();

function render(plan: Plan, options: Partial<RenderOptions> = {}): ReturnType<typeof renderFiles> {
  const existing = (path: string): string | undefined =>
    existsSync(join(root, path)) ? read(path) : undefined;
  return renderFiles(plan, { layout: 'plain', existing, ...options });
}

/** Render and write; returns what happened, or the codes of the refusal. */
function synth(plan: Plan, options: Partial<RenderOptions> = {}, owner = 'shop'): unknown {
  const rendered = render(plan, options);
  const result = rendered.ok ? writeFiles(root, owner, rendered.value) : rendered;
  return result.ok ? result.value : result.diagnostics.map((d) => d.code);
}

describe('the set of files', () => {
  test('is written once, then left alone', () => {
    const plan = aPlan([aRelease('eu-1', 'a', [aConfigMap('x'), aConfigMap('y')])]);

    expect(synth(plan)).toEqual({
      written: ['clusters/eu-1/shop/manifest.yaml'],
      removed: [],
      unchanged: 0,
    });
    expect(synth(plan)).toEqual({ written: [], removed: [], unchanged: 1 });

    expect(tree()).toEqual(['.fleetwright/files', 'clusters/eu-1/shop/manifest.yaml']);
    expect(parseDocuments(read('clusters/eu-1/shop/manifest.yaml'))).toHaveLength(2);
  });

  test('loses stale files of its own, with empty folders, and touches nothing else', () => {
    put('clusters/eu-1/notes.md', 'mine');
    put('clusters/us-1/other/manifest.yaml', 'kind: Other\n');
    synth(
      aPlan([aRelease('eu-1', 'a', [aConfigMap('x')]), aRelease('us-1', 'a', [aConfigMap('x')])]),
    );

    expect(synth(aPlan([aRelease('us-1', 'a', [aConfigMap('x')])]))).toEqual({
      written: [],
      removed: ['clusters/eu-1/shop/manifest.yaml'],
      unchanged: 1,
    });

    expect(tree()).toEqual([
      '.fleetwright/files',
      'clusters/eu-1/notes.md',
      'clusters/us-1/other/manifest.yaml',
      'clusters/us-1/shop/manifest.yaml',
    ]);
  });

  test('of two applications live side by side', () => {
    synth(aPlan([aRelease('eu-1', 'a', [aConfigMap('x')])]));
    const bank = {
      ...aPlan([aRelease('eu-1', 'a', [aConfigMap('x')], { application: 'bank' })]),
      application: 'bank',
    };

    synth(bank, {}, 'bank');
    synth({ ...aPlan([]), application: 'bank' }, {}, 'bank');

    expect(tree()).toEqual(['.fleetwright/files', 'clusters/eu-1/shop/manifest.yaml']);
  });

  test('does not overwrite what is not its own, and then writes nothing at all', () => {
    put('clusters/us-1/shop/manifest.yaml', 'kind: Other\n');

    expect(
      synth(
        aPlan([aRelease('eu-1', 'a', [aConfigMap('x')]), aRelease('us-1', 'a', [aConfigMap('x')])]),
      ),
    ).toEqual(['FILE_FOREIGN']);
    expect(tree()).toEqual(['clusters/us-1/shop/manifest.yaml']);
  });

  test('is put back when a file cannot be written', () => {
    synth(aPlan([aRelease('eu-1', 'a', [aConfigMap('x')])]));
    const before = read('clusters/eu-1/shop/manifest.yaml');
    put('clusters/us-1', 'a file where a folder is needed');

    expect(() =>
      synth(
        aPlan([
          aRelease('eu-1', 'a', [aConfigMap('changed')]),
          aRelease('us-1', 'a', [aConfigMap('x')]),
        ]),
      ),
    ).toThrow();

    expect(read('clusters/eu-1/shop/manifest.yaml')).toBe(before);
    expect(tree()).toEqual([
      '.fleetwright/files',
      'clusters/eu-1/shop/manifest.yaml',
      'clusters/us-1',
    ]);
  });

  test.each(['../eu-1', 'a/b', '.', '', 'a\\b', '.hidden', 'a..b'])(
    'refuses cluster name %j',
    (name) => {
      expect(synth(aPlan([aRelease(name, 'a', [aConfigMap('x')])]))).toEqual(['FILE_NAME_REFUSED']);
      expect(tree()).toEqual([]);
    },
  );

  test('does not follow a link out of the folder', () => {
    const outside = mkdtempSync(join(tmpdir(), 'fleetwright-outside-'));
    mkdirSync(join(root, 'clusters'));
    symlinkSync(outside, join(root, 'clusters', 'eu-1'));

    expect(synth(aPlan([aRelease('eu-1', 'a', [aConfigMap('x')])]))).toEqual(['FILE_NAME_REFUSED']);
    expect(readdirSync(outside)).toEqual([]);
  });

  test('a hostile ownership list removes nothing outside', () => {
    const outside = join(root, '..', `victim-${process.pid}`);
    writeFileSync(outside, 'keep');
    put(
      'repo/.fleetwright/files',
      `../victim-${process.pid}\tshop\n../../victim-${process.pid}\tshop\n/etc/hostname\tshop\n`,
    );
    root = join(root, 'repo');

    synth(aPlan([]));

    expect(readFileSync(outside, 'utf8')).toBe('keep');
  });
});

describe('waves held back', () => {
  const before = aPlan([
    aRelease('eu-1', 'a', [aConfigMap('old'), aConfigMap('x')]),
    aRelease('us-1', 'b', [aConfigMap('x')]),
  ]);
  const deletion = {
    resource: { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'shop', name: 'old' },
    reason: 'removed',
  };
  const grown = aConfigMap('x', { size: 'large' });
  const eu = aRelease('eu-1', 'a', [], {
    manifests: [aManifest(aConfigMap('x', { size: 'small' }), { growing: grown })],
    deletions: [deletion],
  });
  const after = aPlan([eu, aRelease('us-1', 'b', [aConfigMap('x', { v: '2' })])]);

  test('keep their files; written ones grow but do not shrink', () => {
    synth(before);
    const us = read('clusters/us-1/shop/manifest.yaml');

    expect(synth(after, { throughWave: 'a' })).toMatchObject({
      written: ['clusters/eu-1/shop/manifest.yaml'],
      removed: [],
    });

    expect(read('clusters/us-1/shop/manifest.yaml')).toBe(us);
    expect(read('clusters/eu-1/shop/manifest.yaml')).toContain('name: old');
    expect(read('clusters/eu-1/shop/manifest.yaml')).toContain('size: large');
  });

  test('with the last wave everything settles', () => {
    synth(before);
    synth(after, { throughWave: 'a' });

    synth(after, { throughWave: 'b' });

    expect(read('clusters/eu-1/shop/manifest.yaml')).not.toContain('name: old');
    expect(read('clusters/eu-1/shop/manifest.yaml')).toContain('size: small');
    expect(read('clusters/us-1/shop/manifest.yaml')).toContain('v: "2"');
  });

  test('an unknown wave is refused', () => {
    expect(synth(after, { throughWave: 'z' })).toEqual(['PROJECT_INVALID']);
  });
});

describe('Secrets', () => {
  const secret = (fields: object): Plan =>
    aPlan([
      aRelease('eu-1', 'a', [
        { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's', namespace: 'shop' }, ...fields },
      ]),
    ]);

  test.each([
    ['data', { data: { a: 'c2VjcmV0' } }],
    ['stringData', { stringData: { a: 'secret' } }],
    ['a SOPS block but values in clear', { sops: { mac: 'x' }, stringData: { a: 'secret' } }],
  ])('with %s are refused', (_name, fields) => {
    const result = render(secret(fields));

    expect(result).toMatchObject({ ok: false, diagnostics: [{ code: 'SECRET_IN_CLEAR' }] });
    expect(JSON.stringify(result)).not.toMatch(/c2VjcmV0|"secret"/);
  });

  test.each([
    ['without values', {}],
    [
      'encrypted by SOPS',
      { sops: { mac: 'x' }, data: { a: 'ENC[AES256_GCM,data:abc,iv:def,tag:ghi,type:str]' } },
    ],
  ])('%s are written', (_name, fields) => {
    expect(synth(secret(fields))).toMatchObject({ written: ['clusters/eu-1/shop/manifest.yaml'] });
  });

  test('SealedSecret and ExternalSecret are written', () => {
    const sealed = {
      apiVersion: 'bitnami.com/v1alpha1',
      kind: 'SealedSecret',
      metadata: { name: 's' },
      spec: { encryptedData: { a: 'x' } },
    };
    expect(synth(aPlan([aRelease('eu-1', 'a', [sealed])]))).toMatchObject({ removed: [] });
  });
});

describe('layouts', () => {
  const plan = aPlan([
    aRelease('eu-1', 'canary', [aConfigMap('x')]),
    aRelease('us-1', 'rest', [aConfigMap('x')]),
  ]);

  test.each(['argocd', 'flux', 'fleet', 'configsync'] as const)(
    '%s adds what its tool needs',
    (layout) => {
      const result = render(plan, { layout, repo: 'https://git.example.com/shop.git' });

      if (!result.ok) throw new Error(JSON.stringify(result.diagnostics));
      const extra = [...result.value.files].filter(([path]) => !path.endsWith('manifest.yaml'));
      expect(extra.map(([path, text]) => `# ${path}\n${text}`).join('')).toMatchSnapshot();
    },
  );

  test.each(['argocd', 'configsync'] as const)(
    '%s needs the address of the repository',
    (layout) => {
      expect(synth(plan, { layout })).toEqual(['PROJECT_INVALID']);
    },
  );
});

test('what a killed run left staged goes with the next run, what is fresh stays', () => {
  for (const name of ['staging-stale', 'staging-fresh']) put(`.fleetwright/${name}/new-0`, 'half');
  const anHourAgo = Date.now() / 1000 - 3600;
  utimesSync(join(root, '.fleetwright/staging-stale'), anHourAgo, anHourAgo);

  synth(aPlan([aRelease('eu-1', 'a', [aConfigMap('x')])]));

  expect(tree()).toEqual([
    '.fleetwright/files',
    '.fleetwright/staging-fresh/new-0',
    'clusters/eu-1/shop/manifest.yaml',
  ]);
});
