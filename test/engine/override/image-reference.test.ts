import { expect, test } from '@jest/globals';
import {
  parseImage,
  printImage,
  withVersion,
} from '../../../lib/engine/override/image-reference.js';

const HEX = '0123456789abcdef'.repeat(4);

test.each([
  ['nginx', '', 'nginx', '', ''],
  ['acme/web', '', 'acme/web', '', ''],
  ['localhost/web', 'localhost', 'web', '', ''],
  ['quay.io/acme/web:v2', 'quay.io', 'acme/web', 'v2', ''],
  ['reg:5000/web', 'reg:5000', 'web', '', ''],
  [`acme/web@sha256:${HEX}`, '', 'acme/web', '', `sha256:${HEX}`],
  [`acme.io/web:v1@sha256:${HEX}`, 'acme.io', 'web', 'v1', ''],
])('%s', (image, registry, repository, tag, digest) => {
  expect(parseImage(image)).toEqual({ ok: true, value: { registry, repository, tag, digest } });
});

test.each([
  '',
  'Nginx',
  'quay.io/:v2',
  'a//b',
  '-slim',
  `a@sha256:${HEX.slice(1)}`,
  `a@md5:${HEX}`,
  `a@sha256:${HEX.toUpperCase()}`,
  `${'a'.repeat(256)}`,
])('%j is no image reference', (image) => {
  expect(parseImage(image).ok).toBe(false);
});

test.each(['nginx', 'quay.io/acme/web:v2', `acme/web@sha256:${HEX}`])(
  '%s prints as it was',
  (image) => {
    const parsed = parseImage(image);

    expect(parsed.ok && printImage(parsed.value)).toBe(image);
  },
);

test.each([
  ['v2', 'acme/web:v2'],
  [`sha256:${HEX}`, `acme/web@sha256:${HEX}`],
  ['not/a tag', 'acme/web:v1'],
])('version %s makes %s', (version, image) => {
  expect(
    printImage(
      withVersion({ registry: '', repository: 'acme/web', tag: 'v1', digest: '' }, version),
    ),
  ).toBe(image);
});
