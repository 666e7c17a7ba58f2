import { ProviderError } from '../cluster/client.js';
import { failsWhenSilent } from '../rollout/index.js';
import type { Session } from './session.js';
import { isUnknown, type ClusterAccess, type LockInputs } from './wire.js';

/**
 * Ask every cluster of a dry run whether it is there, all at once and before the first is asked more. Pulumi checks the
 * releases in the order of their waves: without this, each silent cluster would cost its patience after the others.
 */
export function askAll(
  { open, answers }: Session,
  accesses: NonNullable<LockInputs['__clusters']>,
): void {
  if (answers === undefined) return;
  for (const [cluster, text] of Object.entries(accesses)) {
    // In a preview, how a cluster is reached may not be known yet.
    if (isUnknown(text)) continue;
    const access = JSON.parse(text) as ClusterAccess;
    const asking = failsWhenSilent(cluster, async () => (await open(access)).raw('/version'));
    answers.set(
      cluster,
      asking.then(
        () => undefined,
        (error: unknown) => error,
      ),
    );
  }
}

/** @throws {@link ProviderError} if the cluster was asked and did not answer */
export async function refuseSilent({ answers }: Session, cluster: string): Promise<void> {
  const error = await answers?.get(cluster);
  if (ProviderError.is(error) && SILENT.has(error.failure)) throw error;
}

/** Whatever else a cluster says, the dry run will hear it again, with the object that it is about. */
const SILENT: ReadonlySet<string> = new Set(['timeout', 'unreachable']);
