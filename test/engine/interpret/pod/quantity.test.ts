import { describe, expect, test } from '@jest/globals';
import { quantityNano } from '../../../../lib/api/quantity.js';
import { parseQuantity } from '../../../../lib/engine/interpret/pod/quantity.js';
import { parseQuantity as parseExact } from '../../../../lib/engine/schedule/index.js';

const MOST = 9_223_372_036_854_775_807n;

describe('quantities that would take for ever to write out', () => {
  test.each([
    ['1e999999999', MOST],
    ['-1e999999999', -MOST],
    ['1e-999999999', 1n],
    ['-1e-999999999', -1n],
    ['0e999999999', 0n],
    ['0e-999999999', 0n],
    [`${'9'.repeat(5000)}Ei`, MOST],
    [`0.${'0'.repeat(5000)}1`, 1n],
  ])('%.20s', (text, units) => {
    expect(parseQuantity(text, 0)).toBe(units);
    const nano = parseExact(text)?.nano ?? 0n;
    expect(units === 1n || units === -1n || units === 0n ? nano : nano / 1_000_000_000n).toBe(
      units,
    );
    expect(typeof quantityNano(text)).toBe('bigint');
  });

  test('ordinary ones are exact', () => {
    expect(parseQuantity('0.1', 3)).toBe(100n);
    expect(parseQuantity('1e-4', 3)).toBe(1n);
    expect(parseQuantity('12e3', 0)).toBe(12_000n);
    expect(parseExact('1e18')?.units).toBe(1e18);
    expect(parseExact('0.000000001')?.nano).toBe(1n);
    expect(quantityNano('1.5Gi')).toBe(1_610_612_736_000_000_000n);
  });
});
