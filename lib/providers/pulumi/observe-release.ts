import { interpreterFor } from '../../engine/interpret/index.js';
import type { KubeObject } from '../../engine/object.js';
import { refKey } from '../../engine/object.js';
import type { Release } from '../../engine/plan.js';
import { MARKS } from '../../engine/plan.js';
import { ProviderError, type ClusterClient } from '../cluster/client.js';
import { readExisting } from '../rollout/read-existing.js';
import { wireKey } from './release-wire.js';

/** Objects by wire key, cut down to what the aggregated status is made of; never a live object in the state. */
export type Observed = Readonly<Record<string, KubeObject>>;

/** A status beyond this is cut down to its observedGeneration: custom resources can report anything. */
const MAX_STATUS_CHARACTERS = 4000;

/** What the cluster shows of a release's objects now. A cluster that does not answer shows nothing. */
export async function observeRelease(release: Release, client: ClusterClient): Promise<Observed> {
  const refs = release.manifests.filter(({ shared }) => !shared).map(({ resource }) => resource);
  const existing = await readExisting(client, refs, 8).catch((error: unknown) => {
    if (ProviderError.is(error)) return new Map<string, KubeObject>();
    throw error;
  });
  const observed: Record<string, KubeObject> = {};
  for (const ref of refs) {
    const live = existing.get(refKey(ref));
    if (live !== undefined) observed[wireKey(ref)] = reduce(live);
  }
  return observed;
}

function reduce(live: KubeObject): KubeObject {
  const { apiVersion, kind, metadata } = live;
  const status = small(interpreterFor(live).interpretStatus?.(live));
  const generation = metadata.annotations?.[MARKS.generation];
  return {
    apiVersion,
    kind,
    metadata: {
      ...(metadata.name !== undefined && { name: metadata.name }),
      ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
      ...(metadata.generation !== undefined && { generation: metadata.generation }),
      ...(generation !== undefined && { annotations: { [MARKS.generation]: generation } }),
    },
    ...(status !== undefined && { status }),
  };
}

function small(status: unknown): unknown {
  if (typeof status !== 'object' || status === null) return undefined;
  if (JSON.stringify(status).length <= MAX_STATUS_CHARACTERS) return status;
  const { observedGeneration } = status as { observedGeneration?: unknown };
  return observedGeneration === undefined ? {} : { observedGeneration };
}
