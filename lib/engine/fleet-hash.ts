import { canonicalJson } from './canonical.js';
import type { FleetSummary } from './plan.js';
import type { Snapshot } from './snapshot.js';

/** Count, age and a hash of the facts decisions rest on; bookkeeping such as resourceVersion does not count. */
export function summarizeFleet(snapshot: Snapshot): FleetSummary {
  const { clusters, fleet } = snapshot;
  let hash: string | undefined;
  return {
    clusters: clusters.length,
    ...(fleet.observedAt !== undefined && { observedAt: fleet.observedAt }),
    // A property like any other to those who read it, and to JSON; made when first asked for.
    get hash() {
      return (hash ??= hashFacts(snapshot));
    },
  };
}

function hashFacts({ clusters, tools }: Snapshot): string {
  const facts = clusters.map(({ metadata, spec, status }) => ({
    name: metadata.name,
    labels: metadata.labels,
    deleting: metadata.deletionTimestamp !== undefined,
    spec,
    apiEnablements: status?.apiEnablements,
    resourceSummary: status?.resourceSummary,
  }));
  return tools.hash(canonicalJson(facts)).slice(0, 16);
}
