import type { Profile } from '../input.js';

/**
 * Every feature gate and flag that changes a decision; Karmada's gates by their names, its flags and our own in camel case.
 * Source: scheduling reference §2.
 */
export interface Gates {
  /** Resource models count in estimates (§9.4). */
  readonly CustomizedClusterResourceModeling: boolean;
  /** NoExecute taints evict, together with `noExecuteTaintEviction` (§18.2). */
  readonly Failover: boolean;
  readonly FederatedQuotaEnforcement: boolean;
  readonly GracefulEviction: boolean;
  /** Workloads of several pod templates are placed as complete sets (§15). */
  readonly MultiplePodTemplatesScheduling: boolean;
  /** `schedulePriority` orders the queue (§17). */
  readonly PriorityBasedScheduling: boolean;
  readonly PropagateDeps: boolean;
  /** `preemption: Always` takes templates from weaker policies (§3.6). */
  readonly PropagationPolicyPreemption: boolean;
  readonly ResourceQuotaEstimate: boolean;
  /** Workloads decided together count each other's capacity (§9.6). */
  readonly SchedulingOvercommitProtection: boolean;
  readonly StatefulFailoverInjection: boolean;
  /** Workload affinity and anti-affinity (§7.6). */
  readonly WorkloadAffinity: boolean;
  /** `--enable-empty-workload-propagation`: selected clusters without replicas stay in the result. */
  readonly emptyWorkloadPropagation: boolean;
  /** `--enable-no-execute-taint-eviction`. */
  readonly noExecuteTaintEviction: boolean;
  /**
   * Beyond Karmada: the free capacity of a cluster whose condition Ready is not True is unknown, so it takes no more
   * replicas where capacity counts. What it has stays.
   */
  readonly unreadyTakesNoMore: boolean;
  /** Ours: a cluster whose summary is missing has unknown room, which counts as enough; Karmada takes it for full. */
  readonly unknownRoomIsEnough: boolean;
  /** Ours: division leaves as many regions and clusters with replicas as `minGroups` asks for, where replicas and room allow it. */
  readonly keepsMinGroups: boolean;
}

/** A stock control plane: Karmada's defaults. */
const KARMADA: Gates = {
  CustomizedClusterResourceModeling: true,
  Failover: false,
  FederatedQuotaEnforcement: false,
  GracefulEviction: true,
  MultiplePodTemplatesScheduling: false,
  PriorityBasedScheduling: true,
  PropagateDeps: true,
  PropagationPolicyPreemption: false,
  ResourceQuotaEstimate: false,
  SchedulingOvercommitProtection: false,
  StatefulFailoverInjection: false,
  WorkloadAffinity: false,
  emptyWorkloadPropagation: false,
  noExecuteTaintEviction: false,
  unreadyTakesNoMore: false,
  unknownRoomIsEnough: false,
  keepsMinGroups: false,
};

const PROFILES = {
  karmada: KARMADA,
  // What makes sense when everything is known at deploy time.
  default: {
    ...KARMADA,
    Failover: true,
    MultiplePodTemplatesScheduling: true,
    PropagationPolicyPreemption: true,
    SchedulingOvercommitProtection: true,
    WorkloadAffinity: true,
    noExecuteTaintEviction: true,
    unreadyTakesNoMore: true,
    unknownRoomIsEnough: true,
    keepsMinGroups: true,
  },
} as const satisfies Record<Profile, Gates>;

/** The gates of a profile with single ones overridden; names that do not exist are left out. */
export function gatesFor(
  profile: Profile,
  overrides: Readonly<Record<string, boolean>> = {},
): Gates {
  const known = Object.entries(overrides).filter(([name]) => isGate(name));
  return { ...PROFILES[profile], ...Object.fromEntries(known) };
}

/** Whether a name is one of {@link Gates}. */
export function isGate(name: string): name is keyof Gates {
  return Object.hasOwn(KARMADA, name);
}

/** All names, sorted. */
export const GATE_NAMES: readonly (keyof Gates)[] = Object.keys(KARMADA).sort() as (keyof Gates)[];
