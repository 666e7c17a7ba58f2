import { expect, test } from '@jest/globals';
import type { GateWindow } from '../../../lib/engine/plan.js';
import { nextOpening, openingsOf } from '../../../lib/providers/rollout/openings.js';
import { aWave } from './releases.js';

const nights: GateWindow = {
  schedule: '0 22 * * 1-5',
  timeZone: 'Europe/Berlin',
  durationSeconds: 4 * 3600,
};

function nextAt(now: string, ...windows: readonly GateWindow[]): string {
  const at = Date.parse(now);
  const openings = openingsOf([aWave('w', ['a'], { windows })], at)['w'] ?? [];
  const next = nextOpening(openings, at);
  if (next !== undefined) return new Date(next).toISOString();
  return openings.some(({ from, until }) => from <= at && at < until) ? 'open' : 'never';
}

test.each([
  ['before it', '2026-01-15T20:59:59Z', '2026-01-15T21:00:00.000Z'],
  ['at its first moment', '2026-01-15T21:00:00Z', 'open'],
  ['after midnight', '2026-01-16T00:59:59Z', 'open'],
  ['at its end', '2026-01-16T01:00:00Z', '2026-01-16T21:00:00.000Z'],
  ['over a weekend', '2026-01-17T12:00:00Z', '2026-01-19T21:00:00.000Z'],
  ['in summer, by the local clock', '2026-07-15T12:00:00Z', '2026-07-15T20:00:00.000Z'],
])('a window of nights, asked %s', (_name, now, expected) => {
  expect(nextAt(now, nights)).toBe(expected);
});

test('the earliest of several windows counts; one that comes once a year is not within a week', () => {
  const noon: GateWindow = { schedule: '0 12 * * *', timeZone: 'UTC', durationSeconds: 60 };
  const yearly: GateWindow = { schedule: '0 0 1 1 *', timeZone: 'UTC', durationSeconds: 60 };

  expect(nextAt('2026-01-15T11:00:00Z', nights, noon)).toBe('2026-01-15T12:00:00.000Z');
  expect(nextAt('2026-06-15T11:00:00Z', yearly)).toBe('never');
});

test('waves without windows are not among them', () => {
  expect(openingsOf([aWave('w', ['a'])], 0)).toEqual({});
});
