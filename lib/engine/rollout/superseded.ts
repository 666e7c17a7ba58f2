import type { KubeObject } from '../../api/object.js';
import { compareStrings, sorted } from '../compare.js';
import { MARKS } from '../plan.js';
import { entriesOf } from './ownership.js';

/** Somebody wrote another revision over one of this run. */
export interface Superseded {
  /** Empty: the mark is gone. */
  readonly revision: string;
  /** For people: which revision, by whom, and when. */
  readonly message: string;
}

/**
 * Whether another rollout wrote over an object after this run had stored it (or found it stored) at its revision.
 *
 * Only a *newer* state counts: an older one is a watch that lags behind. Versions of one server are ordered (Kubernetes 1.35).
 * Retries of this run, and runs of the same plan, carry the same revision and supersede nothing.
 */
export function supersededBy(
  revision: string,
  stored: KubeObject,
  live: KubeObject,
): Superseded | undefined {
  const seen = live.metadata.annotations?.[MARKS.revision] ?? '';
  if (seen === revision || !isNewer(live.metadata.resourceVersion, stored.metadata.resourceVersion))
    return undefined;
  const { manager, time } = lastWriter(live);
  const by = `by "${manager}"${time === undefined ? '' : ` at ${time}`}`;
  return {
    revision: seen,
    message:
      seen === ''
        ? `the mark of revision ${revision} was taken away ${by}`
        : `revision ${seen} was written over this run's ${revision} ${by}`,
  };
}

/** Who wrote the revision mark, or else who wrote last. */
function lastWriter(live: KubeObject): { readonly manager: string; readonly time?: string } {
  const entries = entriesOf(live).filter(({ subresource }) => (subresource ?? '') === '');
  const owners = entries.filter(({ fieldsV1 }) =>
    JSON.stringify(fieldsV1 ?? {}).includes(`"f:${MARKS.revision}"`),
  );
  const candidates = sorted(owners.length > 0 ? owners : entries, (a, b) =>
    compareStrings(b.time ?? '', a.time ?? ''),
  );
  const [last] = candidates;
  return {
    manager: last?.manager ?? 'somebody',
    ...(last?.time !== undefined && { time: last.time }),
  };
}

/** Decimal numbers; anything else cannot be compared and counts as not newer. */
function isNewer(a = '', b = ''): boolean {
  const areNumbers = /^\d+$/.test(a) && /^\d+$/.test(b);
  return areNumbers && (a.length === b.length ? a > b : a.length > b.length);
}
