import type { KubeObject, ObjectRef } from '../../api/object.js';
import type { Share } from '../../engine/karmada/index.js';
import {
  HOLD_DEPENDENCIES,
  ownFields,
  policyKey,
  refOfPolicy,
} from '../../engine/karmada/index.js';
import { describeRef, refKey, refOf } from '../../engine/object.js';
import type { Plan, PlannedWave } from '../../engine/plan.js';
import type { TouchedWave } from '../../engine/rollout/index.js';
import type { KarmadaChange } from './change.js';
import type { Mirror } from './mirror.js';
import type { Prepared } from './prepare.js';

/** What was on the control plane before this run wrote anything: what a failed wave goes back to. */
export interface WayBack {
  /** As we had applied them. */
  readonly documents: readonly KubeObject[];
  /** By `refKey` of the template. */
  readonly shares: ReadonlyMap<string, readonly Share[]>;
  /** Written for the first time by this run: taken away on the way back. */
  readonly created: readonly ObjectRef[];
  /** Why there is no way back, one sentence each; empty: there is. */
  readonly obstacles: readonly string[];
}

/** Asked before the first write. A control plane keeps no earlier versions: only the run that changes it knows them. */
export function wayBackOf(change: KarmadaChange, prepared: Prepared, mirror: Mirror): WayBack {
  const { documents, placed } = change;
  const given = new Set(
    placed.flatMap(({ isFollower, policy }) => (isFollower ? [policyKey(policy)] : [])),
  );
  const targets = [
    ...documents.settings,
    ...documents.overrides,
    ...documents.policies.filter((object) => !given.has(policyKey(refOfPolicy(object)))),
    ...documents.templates,
    ...documents.acting,
  ];
  const before: KubeObject[] = [...documents.foundations];
  const created: ObjectRef[] = [];
  const obstacles: string[] = [];
  for (const target of targets) {
    const live = prepared.grow.contents.get(refKey(refOf(target)));
    const own = live === undefined ? undefined : ownFields(live);
    if (live === undefined) created.push(refOf(target));
    else if (own === undefined)
      obstacles.push(
        `${describeRef(refOf(target))} was not written by fleetwright before this run.`,
      );
    else before.push(isPolicy(target) ? asItWas(own, target, mirror) : own);
  }
  const isCreated = (ref: ObjectRef): boolean => created.some((one) => refKey(one) === refKey(ref));
  for (const { policy, resource } of placed) {
    const ref = { apiVersion: 'policy.karmada.io/v1alpha1', ...policy };
    if (isCreated(ref) && !isCreated(resource) && !given.has(policyKey(policy)))
      obstacles.push(`${describeRef(resource)} has another policy than before.`);
  }
  if (placed.some(({ policy }) => (mirror.policy(policy)?.memory?.held.length ?? 0) > 0))
    obstacles.push(
      'An earlier change was not finished: what was there before it is not known to this run.',
    );
  const { bindings } = mirror.view(placed);
  const shares = new Map([...bindings].map(([key, { shares: current }]) => [key, current]));
  return { documents: before, shares, created, obstacles: [...new Set(obstacles)].sort() };
}

/** Clusters that the document suspended, and that dependencies wait, stay as they are: neither is part of the failure. */
function asItWas(own: KubeObject, target: KubeObject, mirror: Mirror): KubeObject {
  const clusterNames = mirror.policy(refOfPolicy(target))?.memory?.document ?? [];
  const hold = target.metadata.annotations?.[HOLD_DEPENDENCIES];
  const { annotations } = own.metadata;
  return {
    ...own,
    metadata: {
      ...own.metadata,
      ...(hold !== undefined && { annotations: { ...annotations, [HOLD_DEPENDENCIES]: hold } }),
    },
    spec: {
      ...(own['spec'] as object),
      ...(clusterNames.length > 0 && { suspension: { dispatchingOnClusters: { clusterNames } } }),
    },
  };
}

/**
 * The plan backwards: the waves that were touched first, last one first, then the others, whose clusters never saw the change
 * and only have to be released; no approvals, no windows, no soak, and one bad cluster keeps no other one from going back.
 */
export function planBack(plan: Plan, way: WayBack, touched: readonly TouchedWave[]): Plan {
  const names = new Set(touched.map(({ name }) => name));
  const backwards = (waves: readonly PlannedWave[]): readonly PlannedWave[] =>
    [...waves].reverse().map(({ name, clusters, maxConcurrent, gate: { deadlineSeconds } }) => ({
      name,
      clusters,
      maxConcurrent,
      gate: {
        soakSeconds: 0,
        deadlineSeconds,
        maxFailures: 0,
        approval: false,
        onFailure: 'continue',
      },
    }));
  const waveOf = (cluster: string): string =>
    plan.waves.find(({ clusters }) => clusters.includes(cluster))?.name ?? '';
  return {
    ...plan,
    waves: [
      ...backwards(plan.waves.filter(({ name }) => names.has(name))),
      ...backwards(plan.waves.filter(({ name }) => !names.has(name))),
    ],
    bindings: plan.bindings.flatMap((binding) => {
      const shares = way.shares.get(refKey(binding.resource));
      if (shares === undefined) return binding.policy === null ? [binding] : [];
      const assignments = shares.map((share) => ({ ...share, wave: waveOf(share.cluster) }));
      return [{ ...binding, assignments, left: [] }];
    }),
    changes: [],
    releases: [],
  };
}

const isPolicy = ({ kind }: KubeObject): boolean =>
  kind === 'PropagationPolicy' || kind === 'ClusterPropagationPolicy';
