import { describeRef } from '../../engine/object.js';
import type { Manifest } from '../../engine/plan.js';
import { ProviderError, type ClusterClient } from '../cluster/client.js';
import { inParallel } from '../rollout/pool.js';
import { fromWire } from './release-wire.js';
import type { Session } from './session.js';
import type { ReleaseInputs } from './wire.js';

/** A dead cluster must not hold up a preview. */
const DEADLINE_MS = 8000;

/**
 * What the cluster's API server thinks of the manifests, without storing anything. Refusals and conflicts are failures;
 * a cluster that does not answer, and objects whose namespace or CRD is not there yet, are warnings.
 */
export async function dryRun(
  session: Session,
  news: ReleaseInputs,
): Promise<{ readonly failures: readonly string[]; readonly warnings: readonly string[] }> {
  const failures: string[] = [];
  const warnings: string[] = [];
  const release = fromWire(news, news);
  const judge = async (client: ClusterClient, manifest: Manifest): Promise<void> => {
    try {
      await client.apply(manifest.object, {
        dryRun: true,
        force: manifest.conflictResolution === 'Overwrite',
      });
    } catch (error) {
      if (!ProviderError.is(error)) throw error;
      const line = `${news.cluster}: ${describeRef(manifest.resource)}: ${error.message}`;
      if (
        error.failure === 'invalid' ||
        error.failure === 'conflict' ||
        error.failure === 'forbidden'
      )
        failures.push(line);
      else warnings.push(line);
    }
  };
  const all = (async (): Promise<void> => {
    const client = await session.open(news);
    // One request tells whether the cluster is there at all.
    await client.raw('/version');
    await inParallel(release.manifests, 8, (manifest) => judge(client, manifest));
  })().catch((error: unknown) => {
    if (!ProviderError.is(error)) throw error;
    warnings.push(`${news.cluster}: ${error.message}`);
  });
  const timeout = new Promise<'late'>((resolve) =>
    setTimeout(resolve, DEADLINE_MS, 'late').unref(),
  );
  if ((await Promise.race([all, timeout])) === 'late')
    warnings.push(
      `${news.cluster}: no answer within ${DEADLINE_MS / 1000} s; its manifests were not checked`,
    );
  return { failures: failures.sort(), warnings: warnings.sort() };
}
