import { fieldsOf, listAt, textAt } from '../../field.js';
import { InterpretError } from '../../interpret-error.js';
import type { AggregatedStatusItem } from '../../interpreter.js';
import { reporting } from '../../aggregate/counters.js';

/**
 * The members' conditions as one list: each message is prefixed with its cluster; conditions of the same type, status and
 * reason become one with all messages (lifecycle reference §5.2, CONDMERGE).
 *
 * @throws {@link InterpretError} for a condition without a message
 */
export function mergeConditions(items: readonly AggregatedStatusItem[]): readonly unknown[] {
  const merged = new Map<string, Record<string, unknown>>();
  for (const { clusterName, status } of reporting(items)) {
    for (const condition of listAt(status, 'conditions')) {
      const { message } = fieldsOf(condition);
      if (typeof message !== 'string')
        throw new InterpretError(`a condition of ${clusterName} has no message`);
      const key = JSON.stringify(
        ['type', 'status', 'reason'].map((field) => textAt(condition, field)),
      );
      const text = `${clusterName}=${message}`;
      const known = merged.get(key);
      if (known === undefined) merged.set(key, { ...fieldsOf(condition), message: text });
      else known['message'] = `${String(known['message'])}, ${text}`;
    }
  }
  return [...merged.values()];
}

/** Whether a status has a condition of a type with status True, and one of the reasons where any are given. */
export function isConditionTrue(
  status: unknown,
  type: string,
  ...reasons: readonly string[]
): boolean {
  return listAt(status, 'conditions').some(
    (condition) =>
      textAt(condition, 'type') === type &&
      textAt(condition, 'status') === 'True' &&
      (reasons.length === 0 || reasons.includes(textAt(condition, 'reason'))),
  );
}
