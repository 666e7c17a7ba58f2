import { createHash } from 'node:crypto';
import * as pulumi from '@pulumi/pulumi';
import { canonicalJson } from '../../engine/canonical.js';
import type { PlannedWave, Release as PlannedClusterRelease } from '../../engine/plan.js';
import type { FleetReleaseArgs } from './args.js';
import type { Opening } from '../../engine/rollout/index.js';
import { nextOpening, openingsOf } from '../rollout/openings.js';
import type { PlannedRelease } from './plan-release.js';
import { hasSecretData, pack, toWire } from './release-wire.js';
import { Gate, LockGuard, Release, Settle } from './resources.js';
import type { ClusterAccess, ReleaseWire, SettleWork } from './wire.js';

/** Registers the resources of one plan, in the order of its waves. */
export class Registration {
  private readonly parent: pulumi.Resource;
  private readonly name: string;
  private readonly planned: PlannedRelease;
  private readonly args: FleetReleaseArgs;
  private readonly approved: ReadonlySet<string>;
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
    this.args = args;
    const configured = new pulumi.Config('fleetwright').get('approve')?.split(',') ?? [];
    this.approved = new Set([...configured, ...(args.approve ?? [])].map((wave) => wave.trim()));
  }

  /** Cluster to what it shows of its objects, as JSON. */
  run(): pulumi.Output<Record<string, string>> {
    const { plan, lock } = this.planned;
    const guard = new LockGuard(
      `${this.name}-lock`,
      { ...this.owner(), kind: 'lock', ...lock },
      { parent: this.parent },
    );
    this.registerOrphaned(guard);
    const byCluster = new Map(plan.releases.map((release) => [release.cluster, release]));
    let before: pulumi.Resource = guard;
    // A wave that is held holds all later ones back.
    let held: string | undefined;
    const openings = openingsOf(plan.waves, this.planned.clock);
    plan.waves.forEach((wave, i) => {
      const later = plan.waves
        .slice(i)
        .flatMap((w) => w.clusters)
        .flatMap((c) => byCluster.get(c) ?? []);
      const hash = hashOf(later);
      held ??= closedUntil(openings[wave.name], this.planned.clock);
      if (wave.gate.approval && !this.isApproved(wave, hash)) held ??= approvalFor(wave, hash);
      const members = wave.clusters.flatMap((c) => byCluster.get(c) ?? []);
      const registered = this.registerWave(wave, members, held !== undefined, before);
      if (held !== undefined) this.sayHeld(wave, held, registered, members);
      before = this.registerGate(wave, members, registered, hash, held !== undefined);
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
          ...this.wire(empty),
          kind: 'release',
          hash: '',
          held: false,
          orphaned: true,
          deadlineSeconds: 0,
          __dryRun: false,
        },
        { parent: this.parent, dependsOn: [guard] },
      );
    }
  }

  /** At most `maxConcurrent` at a time: each waits for the one that many places before it. */
  private registerWave(
    wave: PlannedWave,
    members: readonly PlannedClusterRelease[],
    held: boolean,
    before: pulumi.Resource,
  ): Release[] {
    const registered: Release[] = [];
    for (const [i, member] of members.entries()) {
      const slot = registered[i - wave.maxConcurrent];
      const resource = new Release(
        `${this.name}-${member.cluster}`,
        {
          ...this.owner(),
          ...this.wire(member),
          kind: 'release',
          hash: guarded(hashOf([member]), hasSecretData(member)),
          held,
          orphaned: false,
          deadlineSeconds: wave.gate.deadlineSeconds,
          __dryRun: this.args.dryRun ?? false,
        },
        { parent: this.parent, dependsOn: slot === undefined ? [before] : [before, slot] },
      );
      registered.push(resource);
      this.releases.set(member.cluster, resource);
    }
    return registered;
  }

  private registerGate(
    wave: PlannedWave,
    members: readonly PlannedClusterRelease[],
    registered: readonly Release[],
    hash: string,
    held: boolean,
  ): Gate {
    const states = registered.map((release, i) => [
      members[i]?.cluster ?? '',
      pulumi
        .all([release.status, release.reasons])
        .apply(([status, reasons]) => JSON.stringify({ status, reasons })),
    ]);
    return new Gate(
      `${this.name}-gate-${wave.name}`,
      {
        ...this.owner(),
        kind: 'gate',
        wave: wave.name,
        hash: guarded(hash, members.some(hasSecretData)),
        releases: Object.fromEntries(states) as pulumi.Inputs,
        maxFailures: wave.gate.maxFailures,
        soakSeconds: wave.gate.soakSeconds,
        held,
        __releases: pulumi.secret(
          pulumi.output(members.map((member) => this.wire(member))).apply(pack),
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
        ({ ...this.wire(release), deletions: release.deletions }) satisfies Record<
          keyof SettleWork,
          unknown
        >,
    );
    const last = this.planned.plan.waves.at(-1);
    return new Settle(
      `${this.name}-settle`,
      {
        ...this.owner(),
        kind: 'settle',
        hash: guarded(hashOf(releases), releases.some(hasSecretData)),
        held,
        deadlineSeconds: last?.gate.deadlineSeconds ?? 600,
        __work: pulumi.secret(pulumi.output(work).apply(pack)),
      },
      { parent: this.parent, dependsOn: [before] },
    );
  }

  private owner(): { application: string; environment: string } {
    const { application, environment } = this.planned;
    return { application, environment };
  }

  private wire(release: PlannedClusterRelease): {
    [K in keyof ReleaseWire]: pulumi.Input<ReleaseWire[K]>;
  } {
    const { cluster } = release;
    const { kubeconfig = '', contexts = {}, kubeconfigs = {} } = this.args;
    const access: ClusterAccess = {
      cluster,
      kubeconfigPath: kubeconfig,
      context: contexts[cluster] ?? cluster,
      kubeconfig: '',
    };
    const { __facts, ...wire } = toWire(release, access);
    const text = kubeconfigs[cluster];
    return {
      ...wire,
      kubeconfig: text === undefined ? '' : pulumi.secret(text),
      __facts: guarded(__facts, hasSecretData(release)),
    };
  }

  /** By name, or by name and the hash that the message shows: then it holds for this plan only. */
  private isApproved(wave: PlannedWave, hash: string): boolean {
    return this.approved.has(wave.name) || this.approved.has(`${wave.name}@${hash.slice(0, 8)}`);
  }

  /** Only a hold that keeps something back is worth a word. */
  private sayHeld(
    wave: PlannedWave,
    why: string,
    registered: readonly Release[],
    members: readonly PlannedClusterRelease[],
  ): void {
    const hashes = pulumi.all(registered.map((release) => release.hash));
    hashes.apply((applied) => {
      const waiting = members
        .filter((member, i) => applied[i] !== hashOf([member]))
        .map((m) => m.cluster);
      if (waiting.length === 0 || pulumi.runtime.isDryRun()) return;
      void pulumi.log.warn(
        `Wave "${wave.name}" is held (${waiting.join(', ')}): ${why}`,
        this.parent,
      );
    });
  }
}

function approvalFor({ name }: PlannedWave, hash: string): string {
  return `it waits for approval. To continue: pulumi config set fleetwright:approve ${name}@${hash.slice(0, 8)} && pulumi up`;
}

/** Why a wave with time windows may not start now; `undefined`: it may. */
function closedUntil(openings: readonly Opening[] | undefined, now: number): string | undefined {
  if (openings?.some(({ from, until }) => from <= now && now < until) !== false) return undefined;
  const next = nextOpening(openings, now);
  const when = next === undefined ? 'not within a week' : `at ${new Date(next).toISOString()}`;
  return `its time window opens ${when}. Run \`pulumi up\` again then.`;
}

/** Changes if and only if an object of these releases changes, or what is removed. */
function hashOf(releases: readonly PlannedClusterRelease[]): string {
  const parts = releases.map(({ cluster, manifests }) => [
    cluster,
    manifests.map(({ resource, revision }) => [resource, revision]),
  ]);
  return createHash('sha256').update(canonicalJson(parts)).digest('hex').slice(0, 16);
}

/** A hash over Secret data lets short secrets be guessed: it is a secret too. */
function guarded(text: string, isSecret: boolean): pulumi.Input<string> {
  return isSecret ? pulumi.secret(text) : text;
}

function settledOf(text: string): Record<string, string> {
  const byCluster = JSON.parse(text) as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(byCluster).map(([cluster, observed]) => [cluster, JSON.stringify(observed)]),
  );
}
