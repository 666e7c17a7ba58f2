import { canonicalJson } from './canonical.js';
import type { FleetSummary } from './plan.js';
import type { Snapshot } from './snapshot.js';

/** Count, age and a hash of the facts decisions rest on; bookkeeping such as resourceVersion does not count. */
export function summarizeFleet({ clusters, fleet, tools }: Snapshot): FleetSummary {
  const facts = clusters.map(({ metadata, spec, status }) => ({
    name: metadata.name,
    labels: metadata.labels,
    deleting: metadata.deletionTimestamp !== undefined,
    spec,
    apiEnablements: status?.apiEnablements,
    resourceSummary: status?.resourceSummary,
  }));
  return {
    clusters: clusters.length,
    ...(fleet.observedAt !== undefined && { observedAt: fleet.observedAt }),
    hash: tools.hash(canonicalJson(facts)).slice(0, 16),
  };
}
