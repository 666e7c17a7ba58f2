import { describe, expect, test } from '@jest/globals';
import {
  isClusterName,
  isDns1035Label,
  isDnsLabel,
  isDnsSubdomain,
  isIp,
  isLabelKey,
  isLabelValue,
  isPathSegment,
  isPortName,
} from '../../lib/api/format.js';
import { quantityNano } from '../../lib/api/quantity.js';

const long = (length: number): string => 'a'.repeat(length);

describe('text formats of Kubernetes', () => {
  test.each([
    {
      is: isDnsLabel,
      yes: ['a', '0', 'a-b', long(63)],
      no: ['', '-a', 'a-', 'A', 'a.b', long(64)],
    },
    { is: isDns1035Label, yes: ['a', 'a1', long(63)], no: ['1a', '', long(64)] },
    { is: isDnsSubdomain, yes: ['a.b', '1.2', long(253)], no: ['.a', 'a..b', 'a_b', long(254)] },
    { is: isClusterName, yes: [long(48)], no: [long(49), 'a.b'] },
    {
      is: isLabelKey,
      yes: ['a', 'A_b.c-D', 'example.com/a', long(63)],
      no: ['', '/a', 'a/', 'a/b/c', 'A/b', '-a', long(64), 'a b'],
    },
    { is: isLabelValue, yes: ['', 'A_b.c-D', long(63)], no: ['-a', 'a-', 'a/b', long(64)] },
    { is: isPathSegment, yes: ['a', '...', ''], no: ['.', '..', 'a/b', 'a%b'] },
    { is: isPortName, yes: ['http', 'a-1', long(15)], no: ['80', 'a--b', '-a', 'A', long(16)] },
    {
      is: isIp,
      yes: ['10.0.0.1', '255.255.255.255', '::1', 'fe80::1:2'],
      no: ['256.0.0.1', '1.2.3', 'a.b', 'a::g', ''],
    },
  ])('$is.name', ({ is, yes, no }) => {
    expect([...yes, ...no].filter(is)).toEqual(yes);
  });
});

test.each([
  ['1', 1_000_000_000n],
  [2, 2_000_000_000n],
  ['500m', 500_000_000n],
  ['-1.5', -1_500_000_000n],
  ['.5', 500_000_000n],
  ['5.', 5_000_000_000n],
  ['1Ki', 1024_000_000_000n],
  ['1.5Gi', 1_610_612_736_000_000_000n],
  ['1k', 1_000_000_000_000n],
  ['1e3', 1_000_000_000_000n],
  ['1E-3', 1_000_000n],
  ['1E', 10n ** 27n],
  ['1n', 1n],
  ['0.5n', 1n],
  ['', undefined],
  ['1 Gi', undefined],
  ['.', undefined],
])('the quantity %s in nano-units is %s', (text, nano) => {
  expect(quantityNano(text)).toBe(nano);
});
