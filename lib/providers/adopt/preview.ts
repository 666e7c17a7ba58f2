import type { KubeObject, ObjectRef } from '../../api/object.js';
import { changesBetween, type PreviewedObject } from '../../engine/adopt/index.js';
import { refKey } from '../../engine/object.js';
import type { Manifest, Plan, Release } from '../../engine/plan.js';
import { managersOf, toApply } from '../../engine/rollout/index.js';
import type { ClusterClient, Connect } from '../cluster/client.js';
import { findAutoscaled, type IsAutoscaled } from '../rollout/autoscaled.js';
import { inParallel, readExisting, setIdOf, type ReleaseFailure } from '../rollout/index.js';
import { toFailure } from '../rollout/result.js';

export interface Preview {
  /** In the order of the plan: by release, then apply order. Namespaces that are there are left out. */
  readonly objects: readonly PreviewedObject[];
  readonly failures: readonly (ReleaseFailure & { readonly cluster: string })[];
}

const CONCURRENCY = 8;

/**
 * What applying a plan would change, as the API servers themselves say: a server-side dry run of every object, compared
 * with what is there. Writes nothing.
 */
export async function previewPlan(plan: Plan, connect: Connect): Promise<Preview> {
  const previews = await inParallel(plan.releases, 16, async (release): Promise<Preview> => {
    const { cluster } = release;
    try {
      return await previewRelease(release, await connect(cluster));
    } catch (error) {
      return { objects: [], failures: [{ cluster, ...toFailure(error) }] };
    }
  });
  return {
    objects: previews.flatMap(({ objects }) => objects),
    failures: previews.flatMap(({ failures }) => failures),
  };
}

async function previewRelease(release: Release, client: ClusterClient): Promise<Preview> {
  const refs = release.manifests.map(({ resource }) => resource);
  const existing = await readExisting(client, refs, CONCURRENCY);
  const isAutoscaled = await findAutoscaled(client, release.manifests);
  const setId = setIdOf(release);
  const failures: (ReleaseFailure & { readonly cluster: string })[] = [];
  const objects = await inParallel(release.manifests, CONCURRENCY, async (manifest) => {
    const live = existing.get(refKey(manifest.resource));
    if (live !== undefined && manifest.shared) return [];
    try {
      return [await previewObject(manifest, live, { client, setId, isAutoscaled })];
    } catch (error) {
      failures.push({ cluster: release.cluster, ...toFailure(error, manifest.resource) });
      return [];
    }
  });
  return { objects: objects.flat(), failures: failures.sort(byResource) };
}

async function previewObject(
  manifest: Manifest,
  live: KubeObject | undefined,
  context: {
    readonly client: ClusterClient;
    readonly setId: string;
    readonly isAutoscaled: IsAutoscaled;
  },
): Promise<PreviewedObject> {
  const { client, setId } = context;
  const { cluster } = client;
  const { resource } = manifest;
  if (live === undefined) return { cluster, resource, exists: false };
  const isAutoscaled = context.isAutoscaled(manifest.object);
  const { object } = toApply(manifest, live, { mode: 'settle', setId, isAutoscaled });
  const after = await client.apply(object, { dryRun: true, force: true });
  return {
    cluster,
    resource,
    exists: true,
    managers: managersOf(live),
    ...changesBetween(live, after),
  };
}

function byResource(
  a: { readonly resource?: ObjectRef },
  b: { readonly resource?: ObjectRef },
): number {
  const [x, y] = [a, b].map(({ resource }) => (resource === undefined ? '' : refKey(resource)));
  return (x ?? '') < (y ?? '') ? -1 : 1;
}
