import { refKey, refOf } from '../../engine/object.js';
import { isPrecious } from '../../engine/order.js';
import type { Deletion, Release } from '../../engine/plan.js';
import type { ClusterClient } from '../cluster/client.js';
import { readSet } from '../rollout/apply-set.js';
import { settleRelease } from '../rollout/index.js';
import { listMembers } from '../rollout/members.js';
import { observeRelease, type Observed } from './observe-release.js';
import { fromWire, unpack } from './release-wire.js';
import type { Session } from './session.js';
import { failureOf, manners } from './session.js';
import type { SettleInputs, SettleWork } from './wire.js';
import { SCHEMA_VERSION } from './wire.js';

export interface SettleOutputs {
  readonly schemaVersion: number;
  readonly kind: 'settle';
  /** Of what has been settled; `''` while nothing was. */
  readonly hash: string;
  /** JSON of cluster to {@link Observed}. */
  readonly observed: string;
  readonly __provider: string;
}

export function diffSettle(olds: SettleOutputs, news: SettleInputs): { changes: boolean } {
  return {
    changes: !news.held && (olds.hash !== news.hash || olds.schemaVersion !== SCHEMA_VERSION),
  };
}

/**
 * The last step, on all clusters: apply the plan's own numbers, remove what the plan names, and what an interrupted run
 * left behind (members of the application's set that the plan does not have; never namespaces, CRDs or volumes).
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
  if (news.held) return { ...base, hash: before?.hash ?? '', observed: before?.observed ?? '{}' };
  const observed: Record<string, Observed> = {};
  const failures: string[] = [];
  await Promise.all(
    unpack<SettleWork[]>(news.__work).map(async (wire) => {
      const result = await settleCluster(session, news, wire).catch(failureOf);
      // A dead cluster does not keep the others from settling.
      if (typeof result === 'string') failures.push(`${wire.cluster}: ${result}`);
      else {
        failures.push(...result.failures);
        observed[wire.cluster] = result.observed;
      }
    }),
  );
  if (failures.length > 0) {
    throw new Error(
      `settling is not done:\n${failures
        .sort()
        .map((f) => `  ${f}`)
        .join('\n')}\nRun \`pulumi up\` again to continue.`,
    );
  }
  return { ...base, hash: news.hash, observed: JSON.stringify(observed) };
}

async function settleCluster(
  session: Session,
  news: SettleInputs,
  wire: SettleWork,
): Promise<{ readonly failures: readonly string[]; readonly observed: Observed }> {
  const planned = fromWire(news, wire, wire.deletions);
  const client = await session.open(wire);
  const release = {
    ...planned,
    deletions: [...planned.deletions, ...(await leftovers(planned, client))],
  };
  const { failures } = await settleRelease(release, client, {
    ...manners(session),
    deadlineSeconds: news.deadlineSeconds,
    onProgress: (progress) => {
      if (progress.kind === 'deleted')
        session.link.status(news.__urn, `${wire.cluster}: ${refKey(progress.resource)} deleted`);
    },
  });
  return {
    failures: failures.map((failure) => `${wire.cluster}: ${failure.message}`),
    observed: await observeRelease(release, client),
  };
}

async function leftovers(release: Release, client: ClusterClient): Promise<Deletion[]> {
  const known = new Set(
    [...release.manifests, ...release.deletions].map(({ resource }) => refKey(resource)),
  );
  const members = await listMembers(client, await readSet(client, release), 8);
  return members
    .map(refOf)
    .filter((ref) => !known.has(refKey(ref)) && !isPrecious(ref))
    .map((resource) => ({ resource, reason: 'left behind by an interrupted run' }));
}
