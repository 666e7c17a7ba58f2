import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';

import { applyTo, recordUpdate, WHOLE } from '../../../lib/providers/sandbox/merge/apply.js';
import {
  fieldSet,
  intersection,
  pathsOf,
  type FieldSet,
} from '../../../lib/providers/sandbox/merge/field-set.js';
import type { JsonObject } from '../../../lib/providers/sandbox/merge/json.js';
import { managersOf, type ManagerId } from '../../../lib/providers/sandbox/merge/managed-fields.js';
import { fieldsOf } from '../../../lib/providers/sandbox/merge/typed.js';
import { builtinSchema, ANY } from '../../../lib/providers/sandbox/schema/schema.js';
import { SUBJECTS } from '../../contract/sandbox-steps.js';

const SCHEMA = builtinSchema('apps/v1', 'Deployment') ?? ANY;
const config = SUBJECTS.Deployment.body.map((body): JsonObject =>
  deepFreeze({ apiVersion: 'apps/v1', kind: 'Deployment', ...body }),
);
const NOTHING: JsonObject = { apiVersion: 'apps/v1', kind: 'Deployment' };

function by(manager: string): ManagerId {
  return { manager, operation: 'Apply', apiVersion: 'apps/v1', subresource: '' };
}

function apply(
  live: JsonObject | undefined,
  applied: JsonObject,
  manager: string,
  force = false,
): JsonObject | undefined {
  const outcome = applyTo({
    live,
    applied,
    schema: SCHEMA,
    manager: by(manager),
    force,
    now: NOW,
    scope: WHOLE,
  });
  return outcome.ok ? deepFreeze(outcome.object) : undefined;
}
const NOW = '2026-01-01T00:00:00Z';

/** Paths of a configuration below `spec`. */
function fields(object: JsonObject | undefined): FieldSet {
  const spec = fieldsOf(object, SCHEMA).children.get('f:spec');
  return fieldSet(false, spec === undefined ? [] : [['f:spec', spec]]);
}

describe('server-side apply', () => {
  test('applying the same twice changes nothing, not even who owns what', () => {
    fc.assert(
      fc.property(config, config, (first, second) => {
        const live = apply(apply(undefined, first, 'a'), second, 'b', true);

        expect(apply(live, second, 'b')).toEqual(live);
      }),
    );
  });

  test("what one manager applied survives another's apply, unless it is forced away", () => {
    fc.assert(
      fc.property(config, config, (first, second) => {
        const before = apply(undefined, first, 'a');
        const after = apply(before, second, 'b');
        if (after === undefined) return;

        const mine = pathsOf(fields(first));
        expect(pathsOf(intersection(fields(after), fields(first)))).toEqual(mine);
      }),
    );
  });

  test('a manager that applies nothing any more removes what nobody else owns, and only that', () => {
    fc.assert(
      fc.property(config, config, (first, second) => {
        const both = apply(apply(undefined, first, 'a'), second, 'b', true);

        const left = apply(both, NOTHING, 'a');

        expect(pathsOf(fields(left))).toEqual(pathsOf(fields(second)));
      }),
    );
  });

  test('fields that one manager owns and another sets differently are the conflicts, each named once', () => {
    fc.assert(
      fc.property(config, config, (first, second) => {
        const live = apply(undefined, first, 'a');
        const outcome = applyTo({
          live,
          applied: second,
          schema: SCHEMA,
          manager: by('b'),
          force: false,
          now: NOW,
          scope: WHOLE,
        });
        if (outcome.ok) return;

        const paths = outcome.conflicts.map(({ path }) => path.join(' '));
        expect(new Set(paths).size).toBe(paths.length);
        const owned = new Set(
          managersOf(live)
            .flatMap(({ fields: set }) => pathsOf(set))
            .map((path) => path.join(' ')),
        );
        expect(paths.every((path) => owned.has(path))).toBe(true);
      }),
    );
  });

  test('with force the last one has it all', () => {
    fc.assert(
      fc.property(config, config, (first, second) => {
        const live = apply(apply(undefined, first, 'a'), second, 'b', true);

        expect(apply(live, second, 'b', false)).toEqual(live);
        expect(managersOf(live).some(({ manager }) => manager === 'b')).toBe(true);
      }),
    );
  });

  test('an update takes the fields it changes from whoever applied them', () => {
    const live = apply(undefined, { ...NOTHING, spec: { replicas: 1, paused: true } }, 'a');
    const manager = { ...by('editor'), operation: 'Update' } as const;

    const after = recordUpdate(
      live,
      { ...live, spec: { replicas: 3, paused: true } },
      SCHEMA,
      manager,
      NOW,
      WHOLE,
    );

    expect(managersOf(after).map(({ manager: name, fields: set }) => [name, pathsOf(set)])).toEqual(
      [
        ['a', [['f:spec', 'f:paused']]],
        ['editor', [['f:spec', 'f:replicas']]],
      ],
    );
    expect(apply(after, { ...NOTHING, spec: { replicas: 1 } }, 'a')).toBeUndefined();
  });
});

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.values(value).forEach(deepFreeze);
    Object.freeze(value);
  }
  return value;
}
