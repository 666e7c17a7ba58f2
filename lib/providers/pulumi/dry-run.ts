import { dryRunRelease } from '../rollout/index.js';
import { fromWire } from './release-wire.js';
import type { Session } from './session.js';
import { refuseSilent } from './silent-clusters.js';
import type { ReleaseInputs } from './wire.js';

/** What the cluster's API server thinks of the manifests, as lines for people. A silent cluster is a warning within seconds. */
export async function dryRun(
  session: Session,
  news: ReleaseInputs,
): Promise<{ readonly failures: readonly string[]; readonly warnings: readonly string[] }> {
  const { cluster } = news;
  const found = await dryRunRelease(fromWire(news, news), async () => {
    await refuseSilent(session, cluster);
    return session.open(news);
  });
  const lines = (severity: 'error' | 'warning'): readonly string[] =>
    found
      .filter((finding) => finding.severity === severity)
      .map(({ message }) =>
        message.startsWith(`${cluster}: `) ? message : `${cluster}: ${message}`,
      )
      .sort();
  return { failures: lines('error'), warnings: lines('warning') };
}
