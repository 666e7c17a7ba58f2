import type { ResourceBindingSpec } from '../../api/resource-binding.js';
import { isWorkload } from '../workload.js';
import type { FleetIndex } from './fleet-index.js';
import type { Peers } from './peers.js';
import type { CompiledPlacement } from './placement.js';

/** What the filters and scorers are asked about: one binding, at one affinity term. */
export interface Subject {
  readonly spec: ResourceBindingSpec;
  readonly placement: CompiledPlacement;
  /** Name of the `clusterAffinities` term being tried; empty without terms. */
  readonly affinityName: string;
  /** Karmada's "is a workload": replicas, requirements or components. */
  readonly isWorkload: boolean;
  /** Replicas by cluster name in the target list; being in it with 0 counts as bound. */
  readonly bound: ReadonlyMap<string, number>;
  /** 1 where a cluster serves the template's kind. */
  readonly serves: Uint8Array;
  /** Absent: workload affinity is off. */
  readonly peers?: Peers;
}

const NOTHING: ReadonlyMap<string, number> = new Map();

export function subjectOf(
  fleet: FleetIndex,
  spec: ResourceBindingSpec,
  options: { readonly affinityName: string; readonly peers?: Peers | undefined },
): Subject {
  const { peers, affinityName } = options;
  let bound: Subject['bound'] | undefined;
  return {
    spec,
    placement: fleet.compile(spec.placement ?? {}),
    affinityName,
    isWorkload: isWorkload(spec),
    // Most bindings that stay as they are never ask.
    get bound() {
      return (bound ??= boundOf(spec));
    },
    serves: fleet.serves(spec.resource.apiVersion, spec.resource.kind),
    ...(peers !== undefined && { peers }),
  };
}

/** The first entry of a name counts. */
function boundOf({ clusters }: ResourceBindingSpec): ReadonlyMap<string, number> {
  if (clusters === undefined || clusters.length === 0) return NOTHING;
  const bound = new Map<string, number>();
  for (const { name, replicas = 0 } of clusters) if (!bound.has(name)) bound.set(name, replicas);
  return bound;
}
