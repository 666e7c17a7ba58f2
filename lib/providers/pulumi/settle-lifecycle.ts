import { refKey } from '../../engine/object.js';
import type { ReleaseResult } from '../rollout/index.js';
import { seenOf } from './gate-lifecycle.js';
import { connectTo } from './go-back.js';
import { halfDone } from './half-done.js';
import type { Observed } from './observe-release.js';
import { fromWire, ownerOf, maskOf, unpack } from './release-wire.js';
import type { Session } from './session.js';
import { failureOf, manners, operationsOf } from './session.js';
import type { SettleInputs, SettleWork } from './wire.js';
import { SCHEMA_VERSION } from './wire.js';

export interface SettleOutputs {
  readonly schemaVersion: number;
  readonly kind: 'settle';
  /** Of what has been settled; `''` while nothing was, or not all. */
  readonly hash: string;
  /** Which applications of the releases it has settled; `''`: none. */
  readonly settled?: string;
  /** Hash of what was removed. */
  readonly removes?: string;
  /** JSON of cluster to {@link Observed}. */
  readonly observed: string;
  readonly __provider: string;
}

/** What was applied again may have grown again, so it settles again, though nothing in the plan changed. */
export function diffSettle(olds: SettleOutputs, news: SettleInputs): { changes: boolean } {
  if (news.held) return { changes: false };
  return {
    changes:
      olds.hash !== news.hash ||
      olds.settled !== seenOf(news.releases) ||
      (news.removes !== '' && olds.removes !== news.removes) ||
      olds.schemaVersion !== SCHEMA_VERSION,
  };
}

/**
 * The last step, on all clusters, once all of them are ready: apply the plan's own numbers, remove what the plan names, and
 * what an interrupted run left behind (members of the application's set that the plan does not have; never namespaces, CRDs
 * or volumes). When all is done, each cluster keeps what it has for a later rollback.
 *
 * @throws Error naming what is left; running it again continues, since all of it is read from the clusters.
 */
export async function settle(
  session: Session,
  news: SettleInputs,
  before: SettleOutputs | undefined,
): Promise<SettleOutputs> {
  const base = {
    schemaVersion: SCHEMA_VERSION,
    kind: 'settle',
    __provider: news.__provider,
  } as const;
  const { hash = '', settled = '', removes = '', observed: seen = '{}' } = before ?? {};
  if (news.held) return { ...base, hash, settled, removes, observed: seen };
  const works = unpack<SettleWork[]>(news.__work);
  const mask = maskOf(works);
  const fail = (what: string, failures: readonly string[]): Error => {
    const lines = [...failures].sort().map((failure) => `  ${failure}`);
    const reason = mask(`${what}\n${lines.join('\n')}\nRun \`pulumi up\` again to continue.`);
    return halfDone(news, reason, { ...base, hash: '', settled: '', removes: '', observed: seen });
  };
  const unready = (await Promise.all(works.map((work) => whyUnready(session, news, work)))).flat();
  if (unready.length > 0)
    throw fail('settling waits: nothing shrinks or goes while a cluster is not ready:', unready);
  const observed: Record<string, Observed> = {};
  const results = new Map<string, ReleaseResult>();
  const failures: string[] = [];
  await Promise.all(
    works.map(async (work) => {
      const settled = await settleCluster(session, news, work).catch(failureOf);
      if (typeof settled === 'string') return void failures.push(`${work.cluster}: ${settled}`);
      const { result } = settled;
      failures.push(...result.failures.map(({ message }) => `${work.cluster}: ${message}`));
      observed[work.cluster] = settled.observed;
      results.set(work.cluster, result);
    }),
  );
  if (failures.length > 0) throw fail('settling is not done:', failures);
  await keep(session, news, works, results);
  return {
    ...base,
    hash: news.hash,
    settled: seenOf(news.releases),
    removes: news.removes,
    observed: JSON.stringify(observed),
  };
}

/** Waves that passed long ago may have gone bad since; what is about to shrink may still be needed then. */
async function whyUnready(
  session: Session,
  news: SettleInputs,
  work: SettleWork,
): Promise<readonly string[]> {
  const client = await session.open(work).catch(failureOf);
  if (typeof client === 'string') return [`${work.cluster}: ${client}`];
  const { failures } = await operationsOf(session).verify(
    fromWire(news, work),
    client,
    manners(session),
  );
  return failures.map(({ message }) => `${work.cluster}: ${message}`);
}

async function settleCluster(
  session: Session,
  news: SettleInputs,
  work: SettleWork,
): Promise<{ readonly result: ReleaseResult; readonly observed: Observed }> {
  const operations = operationsOf(session);
  const planned = fromWire(news, work, work.deletions);
  const client = await session.open(work);
  const release = {
    ...planned,
    deletions: [...planned.deletions, ...(await operations.leftovers(planned, client))],
  };
  const result = await operations.settle(release, client, {
    ...manners(session),
    deadlineSeconds: news.deadlineSeconds,
    onProgress: (progress) => {
      if (progress.kind === 'deleted')
        session.link.status(news.__urn, `${work.cluster}: ${refKey(progress.resource)} deleted`);
    },
  });
  return { result, observed: await operations.observe(release, client) };
}

/** As the command line does, so that `fleetwright rollback` finds it. Holds nothing up. */
async function keep(
  session: Session,
  news: SettleInputs,
  works: readonly SettleWork[],
  results: ReadonlyMap<string, ReleaseResult>,
): Promise<void> {
  const { waves, lockSerial, now } = news.__keep;
  const plan = {
    ...ownerOf(news),
    now,
    lock: { serial: lockSerial },
    waves,
    releases: works.map((work) => fromWire(news, work)),
  };
  await operationsOf(session).keep(plan, results, connectTo(session, works), {
    note: (cluster, message) =>
      session.link.status(news.__urn, `${cluster}: ${message}`, { severity: 'warning' }),
  });
}
