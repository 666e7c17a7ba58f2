import type { Cluster } from '../api/cluster.js';
import type { ClusterOverridePolicy } from '../api/cluster-override-policy.js';
import type { OverridePolicy } from '../api/override-policy.js';
import type { PlacedBinding } from './binding.js';
import { seedOf } from './binding.js';
import type { Diagnostic } from './diagnostic.js';
import { interpretDependencies } from './interpret-template.js';
import { interpreterFor } from './interpret/index.js';
import { namespaceManifests } from './namespaces.js';
import { lockedRenderKey } from './next-lock.js';
import type { KubeObject } from './object.js';
import type { CompiledOverrides, OverrideSet, OverrideUses } from './override/index.js';
import { compileOverrides, findOverrideEffects, noteUse } from './override/index.js';
import { applicationMark } from './plan.js';
import type {
  MemberRequest,
  RenderCache,
  RenderFailure,
  RenderFault,
  UnwrittenShare,
} from './render/index.js';
import {
  applyRank,
  divideCompletions,
  findOversize,
  findRenderFaults,
  findReplicasNotWritten,
  findRetainFault,
  findUnwrittenShare,
  mayBeLarge,
  orderForApply,
  recounting,
  renderForMember,
  renderKeyOf,
  revisionMarks,
} from './render/index.js';
import type { Rendered, RenderedContent, RenderedManifest } from './rendered.js';
import { applySetId } from './rollout/index.js';
import type { Snapshot } from './snapshot.js';
import type { AutoscalerBounds, SplitBounds } from './split-autoscalers.js';
import { own } from './own.js';

/**
 * The manifests of every binding on every one of its clusters. Each distinct (template × override set × replicas) is
 * rendered once and shared; a manifest that cannot be rendered is a diagnostic and leaves its cluster as it is.
 */
export function renderAll(
  snapshot: Snapshot,
  bindings: readonly PlacedBinding[],
  bounds: SplitBounds = new Map(),
): Rendered {
  const clusters = new Map(snapshot.clusters.map((c) => [c.metadata.name ?? '', c]));
  const job = { ...prepare(snapshot, clusters, bindings), bounds };
  const manifests: RenderedManifest[] = [];
  const keys = new Map<string, ReadonlyMap<string, readonly string[]>>();
  for (const binding of bindings) keys.set(binding.key, renderBinding(job, binding, manifests));
  return {
    manifests: manifests.concat(namespaceManifests(snapshot, manifests)),
    unrendered: job.failures.map(({ cluster, resource }) => ({ cluster, resource })),
    keys,
    diagnostics: [
      ...findRenderFaults(job.failures, snapshot.options.profile),
      ...[...job.oversize.values()].flat(),
      ...findReplicasNotWritten(job.unwritten, manifests),
      ...findOverrideEffects(job.uses, snapshot.tools, snapshot.options.profile),
    ],
  };
}

interface Job {
  readonly snapshot: Snapshot;
  readonly clusters: ReadonlyMap<string, Cluster>;
  readonly overrides: CompiledOverrides;
  readonly cache: RenderCache;
  readonly setId: string;
  /** Place in apply order, by binding: after what a template refers to. */
  readonly ranks: ReadonlyMap<string, number>;
  readonly failures: RenderFailure[];
  /** Of objects that are refused, or could be, for their size; one per object. */
  readonly oversize: Map<string, readonly Diagnostic[]>;
  readonly uses: OverrideUses;
  /** Contents that ask for other replicas than the plan gives their clusters. */
  readonly unwritten: Map<RenderedContent, UnwrittenShare>;
  readonly bounds: SplitBounds;
}

function prepare(
  snapshot: Snapshot,
  clusters: Job['clusters'],
  bindings: readonly PlacedBinding[],
): Omit<Job, 'bounds'> {
  const ordered = orderForApply(
    bindings,
    ({ template }) => template.object,
    (object) => {
      const references = interpretDependencies(object, snapshot.tools.interpreters);
      return references.ok ? references.value : [];
    },
  );
  const ofKind = <T>(kind: string): T[] =>
    snapshot.overrides.filter((d) => d.object.kind === kind).map((d) => d.object as unknown as T);
  return {
    snapshot,
    clusters,
    overrides: compileOverrides(
      {
        clusterOverridePolicies: ofKind<ClusterOverridePolicy>('ClusterOverridePolicy'),
        overridePolicies: ofKind<OverridePolicy>('OverridePolicy'),
      },
      snapshot.tools,
    ),
    cache: new Map(),
    setId: applySetId(applicationMark(snapshot.options), snapshot.tools.hash),
    ranks: new Map(ordered.map(({ item, rank }) => [item.key, rank])),
    failures: [],
    oversize: new Map(),
    uses: new Map(),
    unwritten: new Map(),
  };
}

/** A key that no manifest has: the next one that can be rendered is a change. */
const NOTHING_RENDERED = '';

/** Adds one manifest per cluster to `manifests`; clusters that get the same share its content. */
function renderBinding(
  job: Job,
  binding: PlacedBinding,
  manifests: RenderedManifest[],
): ReadonlyMap<string, readonly string[]> {
  const { template, spec, version, clusters } = binding;
  const { hash } = job.snapshot.tools;
  const overridesOn = job.overrides(template.object);
  const requestFor = requestMaker(job, binding);
  const seed = seedOf(template.object, binding.key, binding.locked, hash);
  const completions =
    spec === undefined ? undefined : divideCompletions(template.object, spec, clusters, seed);
  const followed = new Set(binding.followed);
  const interpreter = interpreterFor(template.object, job.snapshot.tools.interpreters);
  const revisedAt = revisionMarks(template.object, version.hash, interpreter, job.snapshot.tools);
  const wasRecounted = recounting(template.object, interpreter, binding.locked);
  const keys = new Map<string, string[]>();
  const bounds = job.bounds.get(binding.key);
  const shared = new Map<OverrideSet, Map<string, Shared>>();
  for (const { name, replicas = 0 } of clusters) {
    const cluster = job.clusters.get(name);
    if (cluster === undefined) continue;
    const overrides = overridesOn(cluster);
    noteUse(job.uses, binding.resource, template.object, overrides, name);
    const own = bounds?.get(name);
    const split = own === undefined ? '' : ` ${own.minReplicas} ${own.maxReplicas}`;
    let groups = shared.get(overrides);
    if (groups === undefined) shared.set(overrides, (groups = new Map()));
    const count = spec?.replicas === undefined || followed.has(name) ? undefined : replicas;
    const revised = revisedAt(count);
    const mark = `${split}${revised}`;
    let group = groups.get(mark);
    if (group === undefined) {
      const base = hash(`${version.hash} ${overrides.key}${split}`).slice(0, 8);
      const renderKey = renderKeyOf(base, revised);
      const reached = keys.get(renderKey) ?? [];
      keys.set(renderKey, reached);
      groups.set(mark, (group = { renderKey, reached, contents: new Map() }));
    }
    const share = completions?.get(name);
    const variant = share === undefined ? (count ?? '') : `${count ?? ''} ${share}`;
    let content = group.contents.get(variant);
    if (content === undefined) {
      content = contentOf(job, binding, requestFor(overrides, count, share, own), group.renderKey);
      group.contents.set(variant, content);
    }
    if ('kind' in content) {
      job.failures.push({ resource: binding.resource, cluster: name, fault: content });
      // The cluster keeps what it has, and the lock keeps what it knows of that.
      const kept = lockedRenderKey(binding.locked, name) ?? NOTHING_RENDERED;
      keys.set(kept, [...(keys.get(kept) ?? []), name]);
      continue;
    }
    group.reached.push(name);
    const before = count === undefined ? undefined : replicasBefore(binding, name);
    const growing =
      before === undefined || before <= replicas
        ? undefined
        : growingObject(job, requestFor(overrides, before, share));
    const isRecounted = wasRecounted(name, count, share);
    manifests.push({ cluster: name, content, growing, replicas, isRecounted });
  }
  return keys;
}

/** What clusters with the same render key share; contents by replicas and completions. */
interface Shared {
  readonly renderKey: string;
  readonly reached: string[];
  readonly contents: Map<number | string, RenderedContent | RenderFault>;
}

function requestMaker(
  { snapshot, setId }: Job,
  { template, version }: PlacedBinding,
): (
  overrides: OverrideSet,
  replicas: number | undefined,
  completions: number | undefined,
  bounds?: AutoscalerBounds,
) => MemberRequest {
  const application = applicationMark(snapshot.options);
  const interpreter = interpreterFor(template.object, snapshot.tools.interpreters);
  return (overrides, replicas, completions, bounds) => ({
    template: template.object,
    overrides,
    generation: version.generation,
    application,
    setId,
    interpreter,
    tools: snapshot.tools,
    ...(replicas !== undefined && { replicas }),
    ...(completions !== undefined && { completions }),
    ...(bounds !== undefined && { bounds }),
  });
}

function contentOf(
  job: Job,
  binding: PlacedBinding,
  request: MemberRequest,
  renderKey: string,
): RenderedContent | RenderFault {
  const result = renderForMember(request, job.cache);
  if (!result.ok) return result.fault;
  const fault = findRetainFault(result.object, job.snapshot.tools.interpreters);
  if (fault !== undefined) return fault;
  const isKnown = (job.oversize.get(binding.key) ?? []).length > 0;
  if (mayBeLarge(result.characters) && !isKnown) {
    const { target } = job.snapshot.options;
    job.oversize.set(binding.key, findOversize(result.object, binding.resource, target));
  }
  const { spec } = binding;
  const content: RenderedContent = {
    key: binding.key,
    binding,
    renderKey,
    resource: binding.resource,
    object: result.object,
    revision: result.revision,
    generation: binding.version.generation,
    conflictResolution: binding.conflictResolution ?? spec?.conflictResolution ?? 'Abort',
    preserveOnDeletion:
      binding.preserveResourcesOnDeletion ?? spec?.preserveResourcesOnDeletion ?? false,
    shared: false,
    rank: job.ranks.get(binding.key) ?? applyRank(result.object),
  };
  const share = findUnwrittenShare(request, result.object, spec, job.snapshot.tools.interpreters);
  if (share !== undefined) job.unwritten.set(content, share);
  return content;
}

function replicasBefore({ locked }: PlacedBinding, cluster: string): number | undefined {
  return locked?.replicas === undefined ? undefined : own(locked.clusters, cluster);
}

/** Grow before shrink: where replicas go down, the wave applies the new object with the old count first. */
function growingObject(job: Job, request: MemberRequest): KubeObject | undefined {
  const larger = renderForMember(request, job.cache);
  return larger.ok ? larger.object : undefined;
}
