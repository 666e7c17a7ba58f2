import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  chooseGroups,
  type Group,
  type GroupBounds,
} from '../../../lib/engine/schedule/select/choose-groups.js';

const RUNS = { numRuns: Number(process.env['FLEETWRIGHT_PROPERTY_RUNS'] ?? 500) };

const text = (a: Group, b: Group) => (a.name < b.name ? -1 : 1);

/** The rule word for word (scheduling reference §10.7): record every path, sort, then look for leading parts. */
function recordAll(
  groups: readonly Group[],
  { min, max, target }: GroupBounds,
): string[] | undefined {
  const ordered = [...groups].sort(
    (a, b) => a.value - b.value || b.weight - a.weight || text(a, b),
  );
  const recorded: Group[][] = [];
  const visit = (next: number, path: Group[]): void => {
    const value = path.reduce((sum, group) => sum + group.value, 0);
    if (value >= target && path.length >= min && path.length <= max) {
      recorded.push(path);
      return;
    }
    if (path.length >= max) return;
    const end = ordered.length === min ? Math.min(next + 1, ordered.length) : ordered.length;
    for (let i = next; i < end; i += 1) visit(i + 1, [...path, ordered[i] as Group]);
  };
  visit(0, []);
  const paths = recorded.map((path, id) => ({
    id,
    weight: path.reduce((sum, group) => sum + group.weight, 0),
    value: path.reduce((sum, group) => sum + group.value, 0),
    names: [...path].sort((a, b) => b.weight - a.weight || text(a, b)).map(({ name }) => name),
  }));
  paths.sort((a, b) => b.weight - a.weight || b.value - a.value || a.id - b.id);
  let final = paths[0]?.names;
  for (const { names } of paths.slice(1)) {
    if (
      final !== undefined &&
      names.length < final.length &&
      names.every((name, i) => name === final?.[i])
    )
      final = names;
  }
  return final;
}

const groups = fc
  .array(
    fc.record({
      value: fc.integer({ min: 1, max: 4 }),
      weight: fc.oneof(fc.constantFrom(0, 1000, 2000), fc.integer({ min: 0, max: 5000 })),
    }),
    { minLength: 1, maxLength: 9 },
  )
  .map((list) => list.map((group, i): Group => ({ name: `r${(i * 7) % 10}`, ...group })));
const bounds = fc
  .tuple(
    fc.integer({ min: 1, max: 5 }),
    fc.integer({ min: 0, max: 5 }),
    fc.integer({ min: 0, max: 12 }),
  )
  .map(([min, more, target]): GroupBounds => ({ min, max: min + more, target }));

describe('chooseGroups', () => {
  test('chooses what recording every path would choose', () => {
    fc.assert(
      fc.property(groups, bounds, (list, limits) => {
        expect(chooseGroups(list, limits)?.map(({ name }) => name)).toEqual(
          recordAll(list, limits),
        );
      }),
      RUNS,
    );
  });

  test('does not depend on the order of the groups', () => {
    fc.assert(
      fc.property(groups, bounds, (list, limits) => {
        expect(chooseGroups([...list].reverse(), limits)).toEqual(chooseGroups(list, limits));
      }),
      RUNS,
    );
  });

  test('finds the answer among a hundred regions, where there are more combinations than can be recorded', () => {
    const many = Array.from({ length: 100 }, (_, i): Group => ({
      name: `r${i}`,
      value: 1 + (i % 5),
      weight: (i * 37) % 1000,
    }));

    const chosen = chooseGroups(many, { min: 10, max: 20, target: 40 });

    expect(chosen?.reduce((sum, { value }) => sum + value, 0)).toBeGreaterThanOrEqual(40);
  });
});
