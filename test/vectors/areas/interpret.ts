import type { Interpreter } from '../../../lib/engine/interpret/index.js';
import { interpreterFor } from '../../../lib/engine/interpret/index.js';
import { prune } from '../../../lib/engine/render/prune.js';
import { parseQuantity } from '../../../lib/engine/schedule/quantity.js';
import type { Area, Check, Row } from '../area.js';
import { difference } from '../difference.js';

const NOW = '<now>';

/** Native kinds, one file an operation, plus pruning. */
export const area: Area = {
  checks: {
    replicas: check((row, { interpretReplica }) => {
      const { replicas, requirements } = required(interpretReplica)(row['object']);
      return { replicas, replicaRequirements: requirements };
    }, equalQuantities),
    revise: check((row, { reviseReplica }) => ({
      object: required(reviseReplica)(row['object'], row['replica']),
    })),
    // Pods went through a typed structure: quantities are rewritten and empty texts dropped.
    retain: check(
      (row, { retain }) => ({ object: required(retain)(row['object'], row['observed']) }),
      (got, want, path) =>
        path.includes('/resources/') || path.includes('/overhead/')
          ? equalAmounts(got, want)
          : Object.is(got, want) || path.includes('/imagePullSecrets/'),
    ),
    aggregate: check((row, { aggregateStatus }) => {
      const items = row['items'] ?? undefined;
      return { status: required(aggregateStatus)(row['object'], items, NOW)['status'] };
    }),
    dependencies: check((row, { interpretDependency }) => ({
      dependencies: [...required(interpretDependency)(row['object'])].sort(byText),
    })),
    reflect: check((row, { interpretStatus }) => ({
      status: required(interpretStatus)(row['object']),
    })),
    health: check((row, { interpretHealth }) => ({
      healthy: required(interpretHealth)(row['object']),
    })),
    prune: check((row) => ({ object: prune(row['object']) })),
  },
};

function check(
  answer: (row: Row, interpreter: Interpreter) => unknown,
  equal: (got: unknown, want: unknown, path: string) => boolean = Object.is,
): Check {
  return (row) => {
    let got: unknown;
    try {
      got = answer(row, interpreterFor(row['object']));
    } catch (error) {
      got = { error: (error as Error).message };
    }
    const failed = typeof got === 'object' && got !== null && 'error' in got;
    if (failed && row['want'].error !== undefined) return undefined;
    return difference(withoutEmpty(got), withoutEmpty(row['want']), equal);
  };
}

/** Typed objects leave empty leftovers behind (`resources: {}`), which mean nothing. */
export function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutEmpty(item) ?? null);
  if (typeof value !== 'object' || value === null) return value ?? undefined;
  const kept = Object.entries(value)
    .map(([key, member]) => [key, withoutEmpty(member)] as const)
    .filter(
      ([, member]) => member !== undefined && !(Array.isArray(member) && member.length === 0),
    );
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

function equalQuantities(got: unknown, want: unknown, path: string): boolean {
  if (!path.includes('/resourceRequest/')) return Object.is(got, want);
  return equalAmounts(got, want);
}

function equalAmounts(got: unknown, want: unknown): boolean {
  return parseQuantity(String(got))?.nano === parseQuantity(String(want))?.nano;
}

function required<T>(operation: T | undefined): T {
  if (operation === undefined) throw new Error('the kind does not have this operation');
  return operation;
}

function byText(a: unknown, b: unknown): number {
  const [x, y] = [sortedText(a), sortedText(b)];
  return x < y ? -1 : x > y ? 1 : 0;
}

function sortedText(value: unknown): string {
  return JSON.stringify(value, Object.keys(Object(value)).sort());
}
