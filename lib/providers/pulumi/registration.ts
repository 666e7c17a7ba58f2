import * as pulumi from '@pulumi/pulumi';
import type { PlannedWave, Release as PlannedClusterRelease } from '../../engine/plan.js';
import type { FleetReleaseArgs } from './args.js';
import { guarded, hashOf, removalsOf } from './hashes.js';
import { Holds } from './holds.js';
import { OutgoingReleases } from './outgoing.js';
import type { PlannedRelease } from './plan-release.js';
import { hasSecretData, pack } from './release-wire.js';
import { Gate, LockGuard, Release, Settle } from './resources.js';
import type { SettleWork } from './wire.js';

/** Registers the resources of one plan, in the order of its waves. */
export class Registration {
  private readonly parent: pulumi.Resource;
  private readonly name: string;
  private readonly planned: PlannedRelease;
  private readonly isDryRun: boolean;
  private readonly outgoing: OutgoingReleases;
  private readonly holds: Holds;
  private readonly releases = new Map<string, Release>();

  constructor(
    parent: pulumi.Resource,
    name: string,
    planned: PlannedRelease,
    args: FleetReleaseArgs,
  ) {
    this.parent = parent;
    this.name = name;
    this.planned = planned;
    this.isDryRun = args.dryRun ?? false;
    this.outgoing = new OutgoingReleases(args);
    const configured = new pulumi.Config('fleetwright').get('approve')?.split(',') ?? [];
    const approved = [...configured, ...(args.approve ?? [])];
    this.holds = new Holds(planned.plan.waves, approved, planned.clock);
  }

  /** Cluster to what it shows of its objects, as JSON. */
  run(): pulumi.Output<Record<string, string>> {
    const { plan, lock } = this.planned;
    const guard = new LockGuard(
      `${this.name}-lock`,
      {
        ...this.owner(),
        kind: 'lock',
        ...lock,
        ...(this.isDryRun && { __clusters: this.outgoing.accesses(plan.releases) }),
      },
      { parent: this.parent },
    );
    this.registerOrphaned(guard);
    const byCluster = new Map(plan.releases.map((release) => [release.cluster, release]));
    let before: pulumi.Resource = guard;
    // A wave that is held holds all later ones back.
    let held: string | undefined;
    plan.waves.forEach((wave, i) => {
      const later = plan.waves
        .slice(i)
        .flatMap((w) => w.clusters)
        .flatMap((c) => byCluster.get(c) ?? []);
      held ??= this.holds.reasonFor(wave, hashOf(later));
      const members = wave.clusters.flatMap((c) => byCluster.get(c) ?? []);
      const registered = this.registerWave(wave, members, held !== undefined, before);
      if (held !== undefined) this.sayHeld(wave, held, registered, members);
      before = this.registerGate(wave, members, registered, later, held !== undefined);
    });
    const settle = this.registerSettle(plan.releases, before, held !== undefined);
    const all = Object.fromEntries(
      [...this.releases].map(([cluster, release]) => [cluster, release.observed]),
    );
    return pulumi
      .all([pulumi.all(all), settle.observed])
      .apply(([observed, settled]) => ({ ...observed, ...settledOf(settled) }));
  }

  /**
   * Clusters that left the fleet keep their release, which then asks nothing of them: an unregistered one would be deleted,
   * and a dead cluster cannot answer. When its tombstone is gone from the lock, the release goes without a word to the cluster.
   */
  private registerOrphaned(guard: pulumi.Resource): void {
    const { plan } = this.planned;
    const alive = new Set(plan.releases.map((release) => release.cluster));
    for (const { cluster } of plan.lock.tombstones) {
      if (alive.has(cluster)) continue;
      const { application, environment } = plan;
      const empty = {
        application,
        ...(environment !== undefined && { environment }),
        cluster,
        wave: '',
        manifests: [],
        deletions: [],
      };
      new Release(
        `${this.name}-${cluster}`,
        {
          ...this.owner(),
          ...this.outgoing.wire(empty),
          kind: 'release',
          hash: '',
          held: false,
          orphaned: true,
          deadlineSeconds: 0,
          __maxFailures: 0,
          __dryRun: false,
        },
        { parent: this.parent, dependsOn: [guard] },
      );
    }
  }

  /** At most `maxConcurrent` at a time: each waits for the one that many places before it. */
  private registerWave(
    { name, maxConcurrent, gate }: PlannedWave,
    members: readonly PlannedClusterRelease[],
    held: boolean,
    before: pulumi.Resource,
  ): Release[] {
    const registered: Release[] = [];
    const names = this.planned.plan.waves.map((wave) => wave.name);
    for (const [i, member] of members.entries()) {
      const slot = registered[i - maxConcurrent];
      const wire = this.outgoing.wire(member);
      const resource = new Release(
        `${this.name}-${member.cluster}`,
        {
          ...this.owner(),
          ...wire,
          // While held it keeps its old inputs, which may have held Secrets.
          __facts: guarded(wire.__facts, held),
          kubeconfig: guarded(wire.kubeconfig, held),
          kind: 'release',
          hash: guarded(this.outgoing.hash([member]), held || hasSecretData(member)),
          held,
          orphaned: false,
          deadlineSeconds: gate.deadlineSeconds,
          __maxFailures: gate.maxFailures,
          __after: names.slice(0, names.indexOf(name)),
          __dryRun: this.isDryRun,
        },
        { parent: this.parent, dependsOn: slot === undefined ? [before] : [before, slot] },
      );
      registered.push(resource);
      this.releases.set(member.cluster, resource);
    }
    return registered;
  }

  private registerGate(
    { name, maxConcurrent, gate }: PlannedWave,
    members: readonly PlannedClusterRelease[],
    registered: readonly Release[],
    later: readonly PlannedClusterRelease[],
    held: boolean,
  ): Gate {
    const { lock, now } = this.planned.plan;
    return new Gate(
      `${this.name}-gate-${name}`,
      {
        ...this.owner(),
        kind: 'gate',
        wave: name,
        hash: guarded(this.outgoing.hash(later), later.some(hasSecretData)),
        releases: statesOf(members, registered),
        maxFailures: gate.maxFailures,
        soakSeconds: gate.soakSeconds,
        held,
        onFailure: gate.onFailure ?? 'pause',
        __wave: {
          maxConcurrent,
          deadlineSeconds: gate.deadlineSeconds,
          lockSerial: lock.serial,
          now,
        },
        __releases: pulumi.secret(
          pulumi.output(members.map((member) => this.outgoing.wire(member))).apply(pack),
        ),
      },
      { parent: this.parent, dependsOn: [...registered] },
    );
  }

  private registerSettle(
    releases: readonly PlannedClusterRelease[],
    before: pulumi.Resource,
    held: boolean,
  ): Settle {
    const work = releases.map(
      (release) =>
        ({ ...this.outgoing.wire(release), deletions: release.deletions }) satisfies Record<
          keyof SettleWork,
          unknown
        >,
    );
    const { waves, lock, now } = this.planned.plan;
    const registered = releases.flatMap(({ cluster }) => this.releases.get(cluster) ?? []);
    return new Settle(
      `${this.name}-settle`,
      {
        ...this.owner(),
        kind: 'settle',
        hash: guarded(this.outgoing.hash(releases), releases.some(hasSecretData)),
        held,
        deadlineSeconds: waves.at(-1)?.gate.deadlineSeconds ?? 600,
        releases: statesOf(releases, registered),
        removes: removalsOf(releases),
        __keep: { waves, lockSerial: lock.serial, now },
        __work: pulumi.secret(pulumi.output(work).apply(pack)),
      },
      { parent: this.parent, dependsOn: [before] },
    );
  }

  private owner(): { application: string; environment: string } {
    const { application, environment } = this.planned;
    return { application, environment };
  }

  /** Only a hold that keeps something back is worth a word. */
  private sayHeld(
    wave: PlannedWave,
    why: string,
    registered: readonly Release[],
    members: readonly PlannedClusterRelease[],
  ): void {
    const applied = pulumi.all(registered.map((release) => release.hash));
    const planned = pulumi.all(members.map((member) => this.outgoing.hash([member])));
    pulumi.all([applied, planned]).apply(([before, after]) => {
      const waiting = members.filter((_, i) => before[i] !== after[i]).map((m) => m.cluster);
      if (waiting.length === 0 || pulumi.runtime.isDryRun()) return;
      void pulumi.log.warn(
        `Wave "${wave.name}" is held (${waiting.join(', ')}): ${why}`,
        this.parent,
      );
    });
  }
}

/** Cluster to what became of its release, as JSON. */
function statesOf(
  members: readonly PlannedClusterRelease[],
  registered: readonly Release[],
): pulumi.Inputs {
  return Object.fromEntries(
    registered.map(({ status, reasons, applied }, i) => [
      members[i]?.cluster ?? '',
      pulumi
        .all([status, reasons, applied])
        .apply(([s, r, a]) => JSON.stringify({ status: s, reasons: r, applied: a })),
    ]),
  );
}

function settledOf(text: string): Record<string, string> {
  const byCluster = JSON.parse(text) as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(byCluster).map(([cluster, observed]) => [cluster, JSON.stringify(observed)]),
  );
}
