import { isObject, listAt, type JsonObject } from '../merge/json.js';
import { timestamp } from '../time.js';
import type { World } from '../world.js';

export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason?: string;
  readonly message?: string;
}

export function conditionOf(status: JsonObject, type: string): JsonObject | undefined {
  return listAt(status, 'conditions')
    .filter(isObject)
    .find((each) => each['type'] === type);
}

/**
 * The conditions with one set. Its `lastTransitionTime` moves only when the status changes, `lastUpdateTime` (if the
 * kind has one) when anything does.
 */
export function withCondition(
  world: World,
  status: JsonObject,
  condition: Condition,
  hasUpdateTime = false,
): JsonObject {
  const now = timestamp(world.time);
  const before = conditionOf(status, condition.type);
  const same = before?.['status'] === condition.status;
  const unchanged =
    same && before['reason'] === condition.reason && before['message'] === condition.message;
  if (unchanged) return status;
  const next = {
    ...condition,
    ...(hasUpdateTime && { lastUpdateTime: now }),
    lastTransitionTime: same ? before['lastTransitionTime'] : now,
  };
  const others = listAt(status, 'conditions').filter((each) => each !== before);
  return {
    ...status,
    conditions:
      before === undefined
        ? [...others, next]
        : listAt(status, 'conditions').map((each) => (each === before ? next : each)),
  };
}
