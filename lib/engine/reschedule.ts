import { refKey } from './object.js';
import type { Snapshot } from './snapshot.js';

interface RebalancerSpec {
  readonly workloads?: readonly {
    readonly apiVersion: string;
    readonly kind: string;
    readonly namespace?: string;
    readonly name: string;
  }[];
}

/** Resource keys of the bindings that are to be decided afresh: by option, or by a WorkloadRebalancer document. */
export function forcedReschedules(snapshot: Snapshot): ReadonlySet<string> {
  const { reschedule } = snapshot.options;
  const keys = new Set<string>(reschedule === undefined || reschedule === 'all' ? [] : reschedule);
  if (reschedule === 'all') for (const key of snapshot.locked.keys()) keys.add(key);
  for (const { object } of snapshot.rebalancers) {
    const { workloads = [] } = (object['spec'] ?? {}) as RebalancerSpec;
    for (const { apiVersion, kind, namespace, name } of workloads) {
      keys.add(refKey({ apiVersion, kind, name, ...(namespace !== undefined && { namespace }) }));
    }
  }
  return keys;
}
