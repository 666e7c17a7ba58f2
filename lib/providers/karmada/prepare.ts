import type { KubeObject, ObjectRef } from '../../api/object.js';
import { canonicalJson } from '../../engine/canonical.js';
import { compareStrings, sorted } from '../../engine/compare.js';
import type {
  BindingGoal,
  ControlPlaneView,
  KarmadaGoal,
  PolicyGoal,
  Share,
} from '../../engine/karmada/index.js';
import { expand, policyKey } from '../../engine/karmada/index.js';
import { refKey, refOf } from '../../engine/object.js';
import type { Plan, PlannedBinding, PolicyRef } from '../../engine/plan.js';
import type { ClusterClient } from '../cluster/client.js';
import { inParallel } from '../rollout/pool.js';
import { toKarmadaDocuments, type KarmadaDocuments } from './documents.js';
import type { Mirror } from './mirror.js';
import { suspendedIn, withNamespaces, withoutSuspension, wouldChange } from './writes.js';

/** One pass over the control plane: what has to hold, and what is written once everything is held. */
export interface Pass {
  readonly goal: KarmadaGoal;
  /** Documents that differ from what is there, in writing order. */
  readonly writes: readonly KubeObject[];
  /** Generations of templates that stay as they are, by `refKey`. */
  readonly generations: ReadonlyMap<string, number>;
}

export interface Prepared {
  readonly documents: KarmadaDocuments;
  /** Policy documents by {@link policyKey}. */
  readonly policies: ReadonlyMap<string, KubeObject>;
  readonly grow: Pass;
  /** Absent when nothing leaves and nothing moves. */
  readonly shrink?: KarmadaGoal;
  /** The waves passed in an earlier run, which ended while shrinking. */
  readonly isShrinking: boolean;
  /** Policies that Karmada gives no way to grow first. */
  readonly impossible: readonly { readonly policy: PolicyRef; readonly reason: string }[];
}

/** A binding of the plan that a policy places. */
type Placed = PlannedBinding & { readonly policy: PolicyRef };

export interface PrepareOptions {
  readonly hash: (text: string) => string;
  readonly takeOver: boolean;
  readonly concurrency: number;
}

/** Compare the documents with the control plane and lay out the passes. Writes namespaces and CRDs, nothing else. */
export async function prepare(
  plan: Plan,
  given: readonly KubeObject[],
  client: ClusterClient,
  mirror: Mirror,
  options: PrepareOptions,
): Promise<Prepared> {
  const documents = toKarmadaDocuments(await withNamespaces(client, given));
  await layFoundations(client, documents, options);
  const placed = plan.bindings.filter((binding): binding is Placed => binding.policy !== null);
  const policies = new Map(
    documents.policies.map((object) => [policyKey(policyOf(object)), object]),
  );
  const templates = new Map(documents.templates.map((object) => [refKey(refOf(object)), object]));
  const view = mirror.view(placed);
  const rollout = idOf(documents, placed, options.hash);
  const isShrinking = [...view.policies.values()].some(
    ({ memory }) => memory?.rollout === shrinkOf(rollout),
  );

  // What is written for the waves: documents, with policies and templates widened where something would shrink.
  const grown = isShrinking ? NOTHING_GROWN : growAll(placed, policies, templates, view);
  const targets = [
    ...documents.settings,
    ...documents.overrides,
    ...documents.policies.map((object) =>
      withoutSuspension(grown.policies.get(policyKey(policyOf(object))) ?? object),
    ),
    ...documents.templates.map((object) => grown.templates.get(refKey(refOf(object))) ?? object),
  ];
  const compared = isShrinking
    ? []
    : await inParallel(targets, options.concurrency, async (object) => ({
        object,
        ...(await wouldChange(client, object, options.takeOver)),
      }));
  const changed = new Set(
    compared.filter(({ changes }) => changes).map(({ object }) => keyOf(object)),
  );
  // An override or a customization changes manifests without any template changing.
  const isSweeping = [...documents.settings, ...documents.overrides].some((object) =>
    changed.has(keyOf(object)),
  );
  const stepped = groupByPolicy(placed).filter(({ policy, bindings }) => {
    const memory = view.policies.get(policyKey(policy))?.memory;
    return (
      isSweeping ||
      changed.has(keyOfPolicy(policy)) ||
      bindings.some(({ resource }) => changed.has(refKey(resource))) ||
      (memory?.held.length ?? 0) > 0 ||
      listChanged(policies.get(policyKey(policy)), view, policy)
    );
  });
  const grow: KarmadaGoal = {
    rollout,
    policies: isShrinking
      ? []
      : stepped.map((one) => policyGoal(one, policies, view, grown.shares)),
    bindings: isShrinking ? [] : placed.map((one) => growGoal(one, grown.shares)),
  };
  const shrinks = isShrinking
    ? groupByPolicy(placed).filter(({ policy }) =>
        view.policies.get(policyKey(policy))?.memory?.rollout.startsWith(rollout),
      )
    : stepped.filter(({ policy }) => grown.policies.has(policyKey(policy)));
  return {
    documents,
    policies,
    grow: {
      goal: grow,
      writes: compared.filter(({ changes }) => changes).map(({ object }) => object),
      generations: new Map(
        compared.flatMap(({ object, live }): [string, number][] =>
          live?.metadata.generation === undefined
            ? []
            : [[refKey(refOf(object)), live.metadata.generation]],
        ),
      ),
    },
    ...(shrinks.length > 0 && {
      shrink: {
        rollout: shrinkOf(rollout),
        policies: shrinks.map((one) => ({
          ...policyGoal(one, policies, view, grown.shares),
          leaving: [],
        })),
        bindings: shrinks.flatMap(({ bindings }) => bindings.map(finalGoal)),
      },
    }),
    isShrinking,
    impossible: grown.impossible,
  };
}

const shrinkOf = (rollout: string): string => `${rollout}/shrink`;

async function layFoundations(
  client: ClusterClient,
  { foundations, ...rest }: KarmadaDocuments,
  { concurrency, takeOver }: PrepareOptions,
): Promise<void> {
  for (const object of foundations) await client.apply(object, { force: takeOver });
  const given = new Set(foundations.map(({ metadata }) => metadata.name));
  const needed = new Set(
    Object.values(rest)
      .flat()
      .flatMap(({ metadata }) => metadata.namespace ?? []),
  );
  const missing = sorted(needed, compareStrings).filter((name) => !given.has(name));
  await inParallel(missing, concurrency, async (name) => {
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
    if ((await client.get(refOf(namespace))) === undefined) await client.apply(namespace);
  });
}

interface Grown {
  readonly policies: ReadonlyMap<string, KubeObject>;
  readonly templates: ReadonlyMap<string, KubeObject>;
  readonly shares: ReadonlyMap<string, readonly Share[]>;
  readonly impossible: Prepared['impossible'];
}

const NOTHING_GROWN: Grown = {
  policies: new Map(),
  templates: new Map(),
  shares: new Map(),
  impossible: [],
};

function growAll(
  placed: readonly Placed[],
  policies: ReadonlyMap<string, KubeObject>,
  templates: ReadonlyMap<string, KubeObject>,
  view: ControlPlaneView,
): Grown {
  const grown = {
    policies: new Map<string, KubeObject>(),
    templates: new Map<string, KubeObject>(),
    shares: new Map<string, readonly Share[]>(),
    impossible: [] as { policy: PolicyRef; reason: string }[],
  };
  for (const { policy, bindings } of groupByPolicy(placed)) {
    const document = policies.get(policyKey(policy));
    if (document === undefined) continue;
    const expansion = expand(
      document,
      bindings.flatMap((binding) => {
        const template = templates.get(refKey(binding.resource));
        if (template === undefined) return [];
        return [
          { template, current: currentOf(binding.resource, view), planned: sharesOf(binding) },
        ];
      }),
    );
    if (expansion.kind === 'impossible')
      grown.impossible.push({ policy, reason: expansion.reason });
    if (expansion.kind !== 'expanded') continue;
    grown.policies.set(policyKey(policy), expansion.policy);
    for (const [key, template] of expansion.templates) grown.templates.set(key, template);
    for (const [key, shares] of expansion.shares) grown.shares.set(key, shares);
  }
  return grown;
}

function policyGoal(
  { policy, bindings }: { readonly policy: PolicyRef; readonly bindings: readonly Placed[] },
  policies: ReadonlyMap<string, KubeObject>,
  view: ControlPlaneView,
  grown: Grown['shares'],
): PolicyGoal {
  const planned = new Set(
    bindings.flatMap(({ assignments }) => assignments.map(({ cluster }) => cluster)),
  );
  const clusters = new Set([
    ...planned,
    ...bindings.flatMap(({ resource }) =>
      [...currentOf(resource, view), ...(grown.get(refKey(resource)) ?? [])].map(
        ({ cluster }) => cluster,
      ),
    ),
  ]);
  const document = policies.get(policyKey(policy));
  return {
    policy,
    clusters: sorted(clusters, compareStrings),
    suspendedByDocument: document === undefined ? [] : suspendedIn(document),
    leaving: sorted(clusters, compareStrings).filter((cluster) => !planned.has(cluster)),
  };
}

function growGoal(binding: Placed, grown: Grown['shares']): BindingGoal {
  const planned = new Set(binding.assignments.map(({ cluster }) => cluster));
  const shares = grown.get(refKey(binding.resource)) ?? sharesOf(binding);
  return {
    resource: binding.resource,
    policy: binding.policy,
    shares,
    leaving: shares.map(({ cluster }) => cluster).filter((cluster) => !planned.has(cluster)),
  };
}

function finalGoal(binding: Placed): BindingGoal {
  const { resource, policy } = binding;
  return { resource, policy, shares: sharesOf(binding), leaving: [] };
}

function sharesOf({ assignments }: PlannedBinding): readonly Share[] {
  return assignments
    .filter(({ replicas }) => replicas !== 0)
    .map(({ cluster, replicas }) => ({ cluster, ...(replicas !== undefined && { replicas }) }));
}

function currentOf(resource: ObjectRef, view: ControlPlaneView): readonly Share[] {
  return view.bindings.get(refKey(resource))?.shares ?? [];
}

/** Whether the document suspends other clusters than it did when we last wrote it. */
function listChanged(
  document: KubeObject | undefined,
  view: ControlPlaneView,
  policy: PolicyRef,
): boolean {
  const live = view.policies.get(policyKey(policy));
  const wanted = document === undefined ? [] : suspendedIn(document);
  const before = live?.memory?.document ?? [];
  const isThere = (cluster: string): boolean => live?.suspended.includes(cluster) === true;
  return (
    wanted.some((cluster) => !isThere(cluster)) ||
    before.some((cluster) => !wanted.includes(cluster))
  );
}

function groupByPolicy(
  placed: readonly Placed[],
): readonly { readonly policy: PolicyRef; readonly bindings: readonly Placed[] }[] {
  const groups = new Map<string, { policy: PolicyRef; bindings: Placed[] }>();
  for (const binding of placed) {
    const key = policyKey(binding.policy);
    const group = groups.get(key) ?? { policy: binding.policy, bindings: [] };
    group.bindings.push(binding);
    groups.set(key, group);
  }
  return sorted(groups.keys(), compareStrings).flatMap((key) => groups.get(key) ?? []);
}

/** The change: what is written, and what Karmada is expected to make of it. */
function idOf(
  documents: KarmadaDocuments,
  placed: readonly Placed[],
  hash: (text: string) => string,
): string {
  const shares = placed.map((binding) => [refKey(binding.resource), sharesOf(binding)]);
  return hash(canonicalJson([documents, shares])).slice(0, 12);
}

export function policyOf({ kind, metadata }: KubeObject): PolicyRef {
  const { namespace, name = '' } = metadata;
  return {
    kind: kind as PolicyRef['kind'],
    ...(namespace !== undefined && { namespace }),
    name,
  };
}

const keyOf = (object: KubeObject): string => refKey(refOf(object));
const keyOfPolicy = ({ kind, namespace, name }: PolicyRef): string =>
  refKey({
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind,
    ...(namespace !== undefined && { namespace }),
    name,
  });
