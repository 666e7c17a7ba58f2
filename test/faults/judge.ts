import { MARKS } from '../../lib/engine/plan.js';
import type { AuditEvent, Rig } from '../rig/rig.js';

/** What the rollout under trial should have done, as far as the servers can tell. */
export interface Trial {
  readonly namespace: string;
  /** Clusters in the order of the waves. */
  readonly waves: readonly (readonly string[])[];
  /** Revision of Deployment `web` that the plan gives each cluster. */
  readonly revisions: Readonly<Record<string, string>>;
  /** Ready pods that there must be at any time, over all clusters. */
  readonly floor: number;
  /** Ready pods by cluster when the trial begins. */
  readonly before: Readonly<Record<string, number>>;
}

/** A point in every audit log. */
export type Mark = Readonly<Record<string, number>>;

export function markOf(rig: Rig): Mark {
  return Object.fromEntries(rig.clusters.map((name) => [name, rig.auditLog(name).length]));
}

/** What the API servers saw since a mark. */
export interface Judgement {
  /** Broken laws, one sentence each. */
  readonly complaints: readonly string[];
  /** Writes that had been carried out before in just the same words. */
  readonly duplicates: number;
  /** Writes to the application's namespace by cluster. */
  readonly writes: Readonly<Record<string, number>>;
}

/**
 * Read the servers' own logs, and nothing else:
 *
 * 1. Nothing of a wave is written before every cluster of the waves before reported `web` rolled out at the planned revision.
 * 2. Nothing is deleted before all clusters did.
 * 3. The ready pods of all clusters together never fall below the floor.
 * 4. Only planned revisions are written.
 */
export function judge(rig: Rig, since: Mark, trial: Trial): Judgement {
  const logs = new Map(
    rig.clusters.map((name) => [name, rig.auditLog(name).slice(since[name])] as const),
  );
  const rolledOut = new Map(
    [...logs].map(([cluster, log]) => [cluster, firstRolledOut(log, cluster, trial)] as const),
  );
  const complaints: string[] = [];
  const writes: Record<string, number> = {};
  let duplicates = 0;
  for (const [at, clusters] of trial.waves.entries()) {
    const earlier = trial.waves.slice(0, at).flat();
    for (const cluster of clusters) {
      const own = (logs.get(cluster) ?? []).filter((event) => isOurWrite(event, trial));
      writes[cluster] = own.length;
      duplicates += countDuplicates(own);
      for (const event of own) {
        const before = event.verb === 'delete' ? trial.waves.flat() : earlier;
        const late = before.filter((one) => !isBefore(rolledOut.get(one), event));
        if (late.length > 0)
          complaints.push(`${describe(event)} on ${cluster}: ${late.join(', ')} not rolled out`);
        const revision = revisionOf(event);
        if (isWeb(event) && revision !== undefined && revision !== trial.revisions[cluster])
          complaints.push(`${describe(event)} on ${cluster}: revision ${revision} is not planned`);
      }
    }
  }
  complaints.push(...thinMoments(logs, trial));
  return { complaints, duplicates, writes };
}

function isOurWrite({ verb, user, objectRef, responseStatus }: AuditEvent, trial: Trial): boolean {
  return (
    user.username === 'rig-admin' &&
    ['create', 'update', 'patch', 'delete'].includes(verb) &&
    objectRef?.namespace === trial.namespace &&
    objectRef.subresource === undefined &&
    (responseStatus?.code ?? 500) < 300
  );
}

const isWeb = ({ objectRef }: AuditEvent): boolean =>
  objectRef?.resource === 'deployments' && objectRef.name === 'web';

function revisionOf({ requestObject }: AuditEvent): string | undefined {
  return requestObject?.metadata?.annotations?.[MARKS.revision];
}

/** When the server received the first report that all pods of this revision are up. */
function firstRolledOut(
  log: readonly AuditEvent[],
  cluster: string,
  trial: Trial,
): string | undefined {
  const found = log.find((event) => {
    const { metadata, spec, status } = event.requestObject ?? {};
    return (
      isStatusOfWeb(event, trial) &&
      revisionOf(event) === trial.revisions[cluster] &&
      status?.observedGeneration === metadata?.generation &&
      [status?.replicas, status?.updatedReplicas, status?.availableReplicas].every(
        (count) => count === spec?.replicas,
      )
    );
  });
  return found?.requestReceivedTimestamp;
}

function isStatusOfWeb(event: AuditEvent, { namespace }: Trial): boolean {
  return (
    isWeb(event) &&
    event.objectRef?.namespace === namespace &&
    event.objectRef.subresource === 'status' &&
    (event.responseStatus?.code ?? 500) < 300
  );
}

const isBefore = (time: string | undefined, event: AuditEvent): boolean =>
  time !== undefined && time < event.requestReceivedTimestamp;

/** Writes in a row of one object in the same words. */
function countDuplicates(writes: readonly AuditEvent[]): number {
  const last = new Map<string, string>();
  let duplicates = 0;
  for (const event of writes) {
    const key = `${event.objectRef?.resource ?? ''}/${event.objectRef?.name ?? ''}`;
    const said = `${event.verb} ${JSON.stringify(event.requestObject ?? {})}`;
    if (event.verb !== 'delete' && last.get(key) === said) duplicates += 1;
    last.set(key, said);
  }
  return duplicates;
}

/** Moments at which all clusters together reported fewer ready pods than there must be. */
function thinMoments(
  logs: ReadonlyMap<string, readonly AuditEvent[]>,
  trial: Trial,
): readonly string[] {
  const reports = [...logs]
    .flatMap(([cluster, log]) =>
      log.filter((event) => isStatusOfWeb(event, trial)).map((event) => ({ cluster, event })),
    )
    .sort((a, b) => (a.event.requestReceivedTimestamp < b.event.requestReceivedTimestamp ? -1 : 1));
  const ready: Record<string, number> = { ...trial.before };
  return reports.flatMap(({ cluster, event }) => {
    ready[cluster] = event.requestObject?.status?.readyReplicas ?? 0;
    const total = Object.values(ready).reduce((sum, count) => sum + count, 0);
    return total < trial.floor
      ? [`${event.requestReceivedTimestamp}: only ${total} pods ready after ${cluster} reported`]
      : [];
  });
}

function describe({ verb, objectRef, requestReceivedTimestamp: at }: AuditEvent): string {
  return `${at} ${verb} ${objectRef?.resource ?? ''} ${objectRef?.name ?? ''}`;
}
