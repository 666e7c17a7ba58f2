import type { KubeObject, ObjectRef } from '../../api/object.js';
import type { KarmadaGoal, PolicyGoal } from '../../engine/karmada/index.js';
import { policyKey, refOfPolicy } from '../../engine/karmada/index.js';
import { refKey, refOf } from '../../engine/object.js';
import type { ClusterClient } from '../cluster/client.js';
import { inParallel } from '../rollout/pool.js';
import type { KarmadaChange } from './change.js';
import type { KarmadaDocuments } from './documents.js';
import { layFoundations } from './foundations.js';
import { finalGoal, groupByPolicy, growGoal, listChanged, policyGoal } from './goals.js';
import { growAll, NOTHING_GROWN, type Grown } from './grow-all.js';
import type { Mirror } from './mirror.js';
import { withoutSuspension, wouldChange } from './writes.js';

/** One pass over the control plane: what has to hold, and what is written once everything is held. */
export interface Pass {
  readonly goal: KarmadaGoal;
  /** Documents that differ from what is there, in writing order. */
  readonly writes: readonly KubeObject[];
  /** Deleted after the writes. */
  readonly removals: readonly ObjectRef[];
  /** Generations of templates that stay as they are, by `refKey`. */
  readonly generations: ReadonlyMap<string, number>;
  /** Templates as they are, by `refKey`. */
  readonly contents: ReadonlyMap<string, KubeObject>;
}

export interface Prepared {
  readonly documents: KarmadaDocuments;
  /** Policy documents by {@link policyKey}. */
  readonly policies: ReadonlyMap<string, KubeObject>;
  /** Of all policies of the change, stepped or not; sorted. */
  readonly policyGoals: readonly PolicyGoal[];
  readonly grow: Pass;
  /** Absent when nothing leaves and nothing moves. */
  readonly shrink?: KarmadaGoal;
  readonly impossible: Grown['impossible'];
}

export interface PrepareOptions {
  readonly takeOver: boolean;
  readonly concurrency: number;
  /** Deleted together with what is written, on the way back of a failed run. @default none */
  readonly removals?: readonly ObjectRef[];
}

/** Compare a change with the control plane and lay out the passes. Writes namespaces and CRDs, nothing else. */
export async function prepare(
  change: KarmadaChange,
  client: ClusterClient,
  mirror: Mirror,
  options: PrepareOptions,
): Promise<Prepared> {
  const { documents, placed, rollout } = change;
  await layFoundations(client, documents, options);
  const policies = new Map(
    documents.policies.map((object) => [policyKey(refOfPolicy(object)), object]),
  );
  const view = mirror.view(placed);
  const groups = groupByPolicy(placed);

  // The waves passed in an earlier run, which ended while shrinking: only that is left.
  const shrinking = groups.filter(
    ({ policy }) => view.policies.get(policyKey(policy))?.memory?.rollout === shrinkOf(rollout),
  );
  if (shrinking.length > 0) {
    const left = groups.filter(({ policy }) =>
      view.policies.get(policyKey(policy))?.memory?.rollout.startsWith(rollout),
    );
    const goal: KarmadaGoal = { rollout, policies: [], bindings: [] };
    return {
      documents,
      policies,
      policyGoals: groups.map((one) => policyGoal(one, policies, view, NOTHING_GROWN.shares)),
      grow: { goal, writes: [], removals: [], generations: new Map(), contents: new Map() },
      shrink: shrinkGoal(left, policies, view, NOTHING_GROWN, rollout),
      impossible: [],
    };
  }

  // What is written for the waves: documents, with policies and templates widened where something would shrink.
  const templates = new Map(documents.templates.map((object) => [keyOf(object), object]));
  const grown = growAll(placed, policies, templates, view);
  const compared = await compareAll(targetsOf(documents, grown), client, options);
  const changed = new Set(
    compared.filter(({ changes }) => changes).map(({ object }) => keyOf(object)),
  );
  // An override or a customization changes manifests without any template changing.
  const isSweeping =
    (options.removals ?? []).length > 0 ||
    [...documents.settings, ...documents.overrides].some((object) => changed.has(keyOf(object)));
  const stepped = groups.filter(({ policy, bindings }) => {
    const document = policies.get(policyKey(policy));
    const memory = view.policies.get(policyKey(policy))?.memory;
    return (
      isSweeping ||
      // A run of this very change was killed: its last waves have to pass their gates still.
      memory?.rollout === rollout ||
      (document !== undefined && changed.has(keyOf(document))) ||
      bindings.some(({ resource }) => changed.has(refKey(resource))) ||
      (memory?.held.length ?? 0) > 0 ||
      listChanged(document, view, policy)
    );
  });
  const goalOf = (one: (typeof groups)[number]): PolicyGoal =>
    policyGoal(one, policies, view, grown.shares);
  const shrinks = stepped.filter(({ policy }) => grown.policies.has(policyKey(policy)));
  return {
    documents,
    policies,
    policyGoals: groups.map(goalOf),
    grow: {
      goal: {
        rollout,
        policies: stepped.map(goalOf),
        bindings: placed.map((one) => growGoal(one, grown.shares)),
      },
      writes: compared.filter(({ changes }) => changes).map(({ object }) => object),
      removals: options.removals ?? [],
      generations: new Map(
        compared.flatMap(({ object, live }): [string, number][] =>
          live?.metadata.generation === undefined
            ? []
            : [[keyOf(object), live.metadata.generation]],
        ),
      ),
      contents: new Map(
        compared.flatMap(({ object, live }): [string, KubeObject][] =>
          live === undefined ? [] : [[keyOf(object), live]],
        ),
      ),
    },
    ...(shrinks.length > 0 && { shrink: shrinkGoal(shrinks, policies, view, grown, rollout) }),
    impossible: grown.impossible,
  };
}

/** In writing order. */
function targetsOf(documents: KarmadaDocuments, grown: Grown): readonly KubeObject[] {
  return [
    ...documents.settings,
    ...documents.overrides,
    ...documents.policies.map((object) =>
      withoutSuspension(grown.policies.get(policyKey(refOfPolicy(object))) ?? object),
    ),
    ...documents.templates.map((object) => grown.templates.get(keyOf(object)) ?? object),
    ...documents.acting,
  ];
}

function compareAll(
  targets: readonly KubeObject[],
  client: ClusterClient,
  { concurrency, takeOver }: PrepareOptions,
): Promise<
  readonly {
    readonly object: KubeObject;
    readonly live?: KubeObject;
    readonly changes: boolean;
  }[]
> {
  return inParallel(targets, concurrency, async (object) => ({
    object,
    ...(await wouldChange(client, object, takeOver)),
  }));
}

/** The second pass has an id of its own, so that a run that was killed in it is recognised. */
const shrinkOf = (rollout: string): string => `${rollout}/shrink`;

function shrinkGoal(
  groups: ReturnType<typeof groupByPolicy>,
  policies: ReadonlyMap<string, KubeObject>,
  view: Parameters<typeof policyGoal>[2],
  grown: Grown,
  rollout: string,
): KarmadaGoal {
  return {
    rollout: shrinkOf(rollout),
    policies: groups.map((one) => ({
      ...policyGoal(one, policies, view, grown.shares),
      leaving: [],
    })),
    bindings: groups.flatMap(({ bindings }) => bindings.map(finalGoal)),
  };
}

const keyOf = (object: KubeObject): string => refKey(refOf(object));
