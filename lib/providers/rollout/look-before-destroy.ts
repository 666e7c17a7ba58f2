import type { KubeObject, ObjectRef } from '../../api/object.js';
import { compareBy, sorted } from '../../engine/compare.js';
import { describeRef, flagName, refKey, refOf } from '../../engine/object.js';
import { isPrecious } from '../../engine/order.js';
import type { Release } from '../../engine/plan.js';
import { PRESERVE_MARK } from '../../engine/rollout/index.js';
import type { ClusterClient, Connect } from '../cluster/client.js';
import { readSet } from './apply-set.js';
import { STEADY_CLOCK } from './clock.js';
import { listMembers } from './members.js';
import { patientClient } from './patient-client.js';
import { inParallel } from './pool.js';
import { protectionOn, type AskProtection } from './protection.js';
import { toFailure, type ReleaseFailure } from './result.js';

/** What may go and what stays when an application is removed. */
export interface RemovalWishes {
  /** CRDs, namespaces and volumes that may go: `Kind/name` or `Kind/namespace/name`. All others of these kinds stay. */
  readonly acknowledge?: readonly string[];
  /** Leave these where they are and let go of them (`preserveResourcesOnDeletion`), by resource key. */
  readonly preserve?: ReadonlySet<string>;
}

/** What removing an application will meet on one cluster. Plain data. */
export interface DestroyLook {
  readonly cluster: string;
  /** What will go, sorted by resource key. */
  readonly removes: readonly ObjectRef[];
  /** What stays on purpose, and why. */
  readonly keeps: readonly { readonly resource: ObjectRef; readonly reason: string }[];
  /** What would make it fail half-way: protected objects, a cluster that cannot be read. */
  readonly obstacles: readonly ReleaseFailure[];
}

const CLUSTERS_AT_ONCE = 32;
const REQUESTS_AT_ONCE = 16;

/**
 * Look at all objects on all clusters before any is removed, so that nothing is half gone when something cannot go. Reads
 * only; never throws for what clusters do. Sorted by cluster.
 *
 * What is being deleted already is no obstacle: a run that was killed is continued.
 */
export async function lookBeforeDestroy(
  owner: Pick<Release, 'application' | 'environment'>,
  clusters: readonly string[],
  connect: Connect,
  options: RemovalWishes & {
    readonly unreachableSeconds?: number;
    readonly signal?: AbortSignal;
  } = {},
): Promise<readonly DestroyLook[]> {
  const { unreachableSeconds = 10, signal = new AbortController().signal } = options;
  const looks = await inParallel(clusters, CLUSTERS_AT_ONCE, async (cluster) => {
    try {
      const silenceMs = unreachableSeconds * 1000;
      const manners = { clock: STEADY_CLOCK, silenceMs, signal };
      return await lookAt(owner, patientClient(await connect(cluster), manners), cluster, options);
    } catch (error) {
      return { cluster, removes: [], keeps: [], obstacles: [toFailure(error)] };
    }
  });
  return sorted(
    looks,
    compareBy(({ cluster }) => cluster),
  );
}

async function lookAt(
  owner: Pick<Release, 'application' | 'environment'>,
  client: ClusterClient,
  cluster: string,
  options: RemovalWishes,
): Promise<DestroyLook> {
  const members = await listMembers(client, await readSet(client, owner), REQUESTS_AT_ONCE);
  const keeps = members.flatMap((object) => {
    const reason = reasonToKeep(object, options);
    return reason === undefined ? [] : [{ resource: refOf(object), reason }];
  });
  const doomed = members.filter((object) => reasonToKeep(object, options) === undefined);
  const obstacles = await protectedAmong(doomed, cluster, protectionOn(client));
  return { cluster, removes: doomed.map(refOf), keeps, obstacles };
}

/** Why an object of the set stays although the application goes; `undefined`: it goes. */
export function reasonToKeep(
  object: KubeObject,
  { acknowledge = [], preserve }: RemovalWishes,
): string | undefined {
  const resource = refOf(object);
  const isPreserved = object.metadata.annotations?.[PRESERVE_MARK] !== undefined;
  if (isPreserved || preserve?.has(refKey(resource)) === true) return 'preserveResourcesOnDeletion';
  if (!isPrecious(resource)) return undefined;
  const named = flagName(resource);
  return acknowledge.includes(named)
    ? undefined
    : `${describeRef(resource)} holds data: acknowledge ${named} to remove it`;
}

/** One DELETE_REFUSED for each of these objects that must not be deleted, in their order. */
export async function protectedAmong(
  objects: readonly KubeObject[],
  cluster: string,
  protection: AskProtection,
): Promise<readonly ReleaseFailure[]> {
  const found = await inParallel(objects, REQUESTS_AT_ONCE, async (object) => {
    if (object.metadata.deletionTimestamp !== undefined) return [];
    const why = await protection(object);
    if (why === undefined) return [];
    const resource = refOf(object);
    const message = `${describeRef(resource)} on ${cluster} stays: ${why}`;
    return [{ code: 'DELETE_REFUSED' as const, resource, message }];
  });
  return found.flat();
}
