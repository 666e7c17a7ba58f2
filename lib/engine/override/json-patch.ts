import type { Edited } from './fault.js';
import { editEach, edited, faulty } from './fault.js';

/** One RFC 6902 operation; only the three that overriders have. */
export interface PatchOperation {
  readonly op: 'add' | 'remove' | 'replace';
  /** JSON pointer. */
  readonly path: string;
  /** Absent means null. */
  readonly value?: unknown;
}

/**
 * Apply operations in order; each sees the result of those before, the first fault fails all. The input is not touched,
 * what is not edited is shared.
 *
 * Strict as the library Karmada uses: `replace` and `remove` need the path, `add` needs the parent, `-` appends,
 * negative indices count from the end (`add` at -1 appends). What stands before the first slash of a path is ignored.
 * Source: lifecycle reference §7.2; our own code since the engine has no dependencies (ADR 0040).
 */
export function applyPatch(
  document: unknown,
  operations: readonly PatchOperation[],
): Edited<unknown> {
  return editEach(document, operations, applyOperation);
}

/** Member names of a JSON pointer, decoded. */
export function pointerTokens(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** One member name, encoded for a JSON pointer. */
export function pointerToken(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Position in a list that a pointer token names, negative ones counted from the end; `undefined` for other texts. */
export function indexOf(token: string, length: number): number | undefined {
  if (!/^[+-]?\d+$/.test(token)) return undefined;
  const index = Number(token);
  return index < 0 ? index + length : index;
}

function applyOperation(document: unknown, operation: PatchOperation): Edited<unknown> {
  if (operation.path === '') {
    return operation.op === 'remove'
      ? faulty('missing', '', 'the whole document cannot be removed')
      : edited(operation.value ?? null);
  }
  const tokens = pointerTokens(operation.path);
  if (tokens.length === 0)
    return faulty('missing', operation.path, 'a JSON pointer begins with a slash');
  return editAt(document, tokens, operation);
}

function editAt(
  node: unknown,
  tokens: readonly string[],
  operation: PatchOperation,
): Edited<unknown> {
  const [token, ...rest] = tokens;
  if (token === undefined || typeof node !== 'object' || node === null) return nowhere(operation);
  if (rest.length === 0) {
    return Array.isArray(node)
      ? editItem(node, token, operation)
      : editMember(node, token, operation);
  }
  const key = Array.isArray(node) ? indexOf(token, node.length) : token;
  if (key === undefined || !Object.hasOwn(node, key)) return nowhere(operation);
  const child = editAt((node as Record<string | number, unknown>)[key], rest, operation);
  if (!child.ok) return child;
  if (!Array.isArray(node)) return edited({ ...node, [key]: child.value });
  return edited(node.with(key as number, child.value));
}

function editMember(node: object, key: string, operation: PatchOperation): Edited<unknown> {
  if (operation.op !== 'add' && !Object.hasOwn(node, key)) return nowhere(operation);
  if (operation.op !== 'remove') return edited({ ...node, [key]: operation.value ?? null });
  const { [key]: _, ...rest } = node as Record<string, unknown>;
  return edited(rest);
}

function editItem(
  list: readonly unknown[],
  token: string,
  operation: PatchOperation,
): Edited<unknown> {
  const isAdd = operation.op === 'add';
  if (isAdd && token === '-') return edited([...list, operation.value ?? null]);
  const index = indexOf(token, isAdd ? list.length + 1 : list.length);
  if (index === undefined || index < 0 || index >= list.length + (isAdd ? 1 : 0))
    return nowhere(operation);
  const inserted = operation.op === 'remove' ? [] : [operation.value ?? null];
  return edited(list.toSpliced(index, isAdd ? 0 : 1, ...inserted));
}

function nowhere(operation: PatchOperation): Edited<unknown> {
  return faulty(
    'missing',
    operation.path,
    `${operation.op} needs ${operation.op === 'add' ? 'the parent of ' : ''}a path that exists`,
  );
}
