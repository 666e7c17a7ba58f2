import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { KubeObject } from '../../api/object.js';
import { canonicalJson } from '../../engine/canonical.js';
import type { Release } from '../../engine/plan.js';
import { applicationMark } from '../../engine/plan.js';
import {
  KEPT_FOR,
  KEPT_TYPE,
  keptIndexRef,
  keptSecretRef,
  withEntry,
  type GoingBack,
  type KeptEntry,
  type KeptIndex,
  type KeptRelease,
  type WentBack,
} from '../../engine/rollout/index.js';
import { ProviderError, type ClusterClient } from '../cluster/client.js';
import { setIdOf } from './apply-set.js';

const compress = promisify(gzip);
const expand = promisify(gunzip);

/** Bytes of one Secret: base64 makes a third more of them, and an object may have 1 MiB. */
const CHUNK_BYTES = 700_000;
/** More than this is no rendered set any more; a cluster's store is not made for it. */
const MAX_CHUNKS = 8;

type Owner = Pick<Release, 'application' | 'environment'>;

/**
 * The list of kept revisions of an application on a cluster; empty when there is none.
 * @throws {@link ProviderError} `conflict` when the list's name is taken by something that is not ours.
 */
export async function readKeptIndex(client: ClusterClient, owner: Owner): Promise<KeptIndex> {
  const ref = keptIndexRef(applicationMark(owner));
  const index = await client.get(ref);
  if (index === undefined) return { entries: [] };
  if (index.metadata.labels?.[KEPT_FOR] !== setIdOf(owner)) {
    const { cluster } = client;
    const message = `${cluster}: ConfigMap ${ref.namespace}/${ref.name} exists and is no list of kept revisions`;
    throw new ProviderError('conflict', message, { cluster, resource: ref });
  }
  return parseIndex(index);
}

/** What an entry stands for; `undefined` when its Secrets are gone or damaged. */
export async function readKept(
  client: ClusterClient,
  owner: Owner,
  entry: KeptEntry,
): Promise<KeptRelease | undefined> {
  const application = applicationMark(owner);
  const numbers = Array.from({ length: entry.chunks }, (_, chunk) => chunk);
  const secrets = await Promise.all(
    numbers.map((chunk) => client.get(keptSecretRef(application, entry.revision, chunk))),
  );
  const parts = secrets.map((secret) => dataOf(secret)?.['release']);
  if (parts.length === 0 || parts.some((part) => part === undefined)) return undefined;
  try {
    const bytes = Buffer.concat(parts.map((part) => Buffer.from(part ?? '', 'base64')));
    const kept = JSON.parse((await expand(bytes)).toString('utf8')) as KeptRelease;
    return kept.schemaVersion === 1 ? kept : undefined;
  } catch {
    // Somebody edited it: as good as gone.
    return undefined;
  }
}

/**
 * Keep a release as a new revision: first its Secrets, then the list, then without the oldest. A run that is killed in
 * between leaves at most Secrets that the next one writes over.
 *
 * @returns why it is not kept, if it is too large
 * @throws {@link ProviderError}
 */
export async function writeKept(
  client: ClusterClient,
  owner: Owner,
  kept: KeptRelease,
  { hash, entries }: { readonly hash: string; readonly entries: readonly KeptEntry[] },
): Promise<string | undefined> {
  const application = applicationMark(owner);
  const parts = kept.manifests.length === 0 ? [] : await partsOf(kept);
  if (parts.length > MAX_CHUNKS)
    return `revision ${kept.revision} is too large to be kept (${parts.length} × ${CHUNK_BYTES / 1000} kB compressed, at most ${MAX_CHUNKS})`;
  const labels = { [KEPT_FOR]: setIdOf(owner) };
  for (const [chunk, part] of parts.entries()) {
    const {
      apiVersion,
      kind,
      name,
      namespace = '',
    } = keptSecretRef(application, kept.revision, chunk);
    const metadata = { name, namespace, labels };
    await client.apply({ apiVersion, kind, metadata, type: KEPT_TYPE, data: { release: part } });
  }
  const { revision, at, lockSerial, restores } = kept;
  const list = withEntry(entries, {
    revision,
    hash,
    at,
    lockSerial,
    chunks: parts.length,
    ...(restores !== undefined && { restores }),
  });
  await writeKeptIndex(client, owner, { entries: list.entries });
  for (const entry of list.dropped) await removeSecrets(client, application, entry);
  return undefined;
}

/**
 * Write the list alone: a rollback begins, or what was begun has ended otherwise.
 * @throws {@link ProviderError}
 */
export async function writeKeptIndex(
  client: ClusterClient,
  owner: Owner,
  { entries, goingBack, wentBack }: KeptIndex,
): Promise<void> {
  const labels = { [KEPT_FOR]: setIdOf(owner) };
  const { apiVersion, kind, name, namespace } = keptIndexRef(applicationMark(owner));
  const data = {
    revisions: canonicalJson(entries),
    ...(goingBack !== undefined && { goingBack: canonicalJson(goingBack) }),
    ...(wentBack !== undefined && { wentBack: canonicalJson(wentBack) }),
  };
  await client.apply({ apiVersion, kind, metadata: { name, namespace, labels }, data });
}

/** Forget all revisions: the application has been removed from the cluster. */
export async function removeKept(client: ClusterClient, owner: Owner): Promise<void> {
  const application = applicationMark(owner);
  const { entries } = await readKeptIndex(client, owner);
  for (const entry of entries) await removeSecrets(client, application, entry);
  if (entries.length > 0) await client.delete(keptIndexRef(application));
}

async function removeSecrets(
  client: ClusterClient,
  application: string,
  { revision, chunks }: KeptEntry,
): Promise<void> {
  for (let chunk = 0; chunk < chunks; chunk++)
    await client.delete(keptSecretRef(application, revision, chunk));
}

async function partsOf(kept: KeptRelease): Promise<readonly string[]> {
  const bytes = await compress(canonicalJson(kept));
  const count = Math.ceil(bytes.length / CHUNK_BYTES);
  return Array.from({ length: count }, (_, chunk) =>
    bytes.subarray(chunk * CHUNK_BYTES, (chunk + 1) * CHUNK_BYTES).toString('base64'),
  );
}

function parseIndex(index: KubeObject): KeptIndex {
  const { revisions = '[]', goingBack, wentBack } = dataOf(index) ?? {};
  try {
    return {
      entries: JSON.parse(revisions) as readonly KeptEntry[],
      ...(goingBack !== undefined && { goingBack: JSON.parse(goingBack) as GoingBack }),
      ...(wentBack !== undefined && { wentBack: JSON.parse(wentBack) as WentBack }),
    };
  } catch {
    // Somebody edited it: nothing is known any more, and nothing is rolled back by guess.
    return { entries: [] };
  }
}

function dataOf(object: KubeObject | undefined): Readonly<Record<string, string>> | undefined {
  return object?.['data'] as Readonly<Record<string, string>> | undefined;
}
