import type { Cluster } from '../api/cluster.js';
import type { ClusterOverridePolicy } from '../api/cluster-override-policy.js';
import type { OverridePolicy } from '../api/override-policy.js';
import type { PlacedBinding } from './binding.js';
import { seedOf } from './binding.js';
import { interpretDependencies } from './interpret-template.js';
import { interpreterFor } from './interpret/index.js';
import { namespaceManifests } from './namespaces.js';
import type { KubeObject } from './object.js';
import type { CompiledOverrides } from './override/index.js';
import { compileOverrides } from './override/index.js';
import { applicationMark } from './plan.js';
import type { MemberRequest, RenderCache, RenderFailure } from './render/index.js';
import {
  applyRank,
  divideCompletions,
  findRenderFaults,
  orderForApply,
  renderForMember,
} from './render/index.js';
import type { Rendered, RenderedManifest } from './rendered.js';
import { applySetId } from './rollout/index.js';
import type { Snapshot } from './snapshot.js';

/**
 * The manifests of every binding on every one of its clusters. Each distinct (template × override set × replicas) is
 * rendered once and shared; a manifest that cannot be rendered is a diagnostic and leaves its cluster as it is.
 */
export function renderAll(snapshot: Snapshot, bindings: readonly PlacedBinding[]): Rendered {
  const clusters = new Map(snapshot.clusters.map((c) => [c.metadata.name ?? '', c]));
  const job = prepare(snapshot, clusters, bindings);
  const manifests: RenderedManifest[] = [];
  const keys = new Map<string, ReadonlyMap<string, string>>();
  for (const binding of bindings) {
    const own = new Map<string, string>();
    keys.set(binding.key, own);
    manifests.push(...renderBinding(job, binding, own));
  }
  return {
    manifests: [...manifests, ...namespaceManifests(snapshot, manifests)],
    keys,
    diagnostics: findRenderFaults(job.failures, snapshot.options.profile),
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
}

function prepare(
  snapshot: Snapshot,
  clusters: Job['clusters'],
  bindings: readonly PlacedBinding[],
): Job {
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
  };
}

function* renderBinding(
  job: Job,
  binding: PlacedBinding,
  keys: Map<string, string>,
): Generator<RenderedManifest> {
  const { snapshot } = job;
  const { template, resource, spec, version, clusters } = binding;
  const overridesOn = job.overrides(template.object);
  const interpreter = interpreterFor(template.object, snapshot.tools.interpreters);
  const seed = seedOf(template.object, binding.key, binding.locked, snapshot.tools.hash);
  const completions =
    spec === undefined ? undefined : divideCompletions(template.object, spec, clusters, seed);
  const followed = new Set(binding.followed);
  const known = new Map<string, string>();
  const renderKey = (overrideKey: string): string => {
    const key =
      known.get(overrideKey) ?? snapshot.tools.hash(`${version.hash} ${overrideKey}`).slice(0, 8);
    known.set(overrideKey, key);
    return key;
  };
  for (const { name, replicas = 0 } of clusters) {
    const cluster = job.clusters.get(name);
    if (cluster === undefined) continue;
    const share = completions?.get(name);
    const request: MemberRequest = {
      template: template.object,
      overrides: overridesOn(cluster),
      generation: version.generation,
      application: applicationMark(snapshot.options),
      setId: job.setId,
      interpreter,
      tools: snapshot.tools,
      ...(spec?.replicas !== undefined && !followed.has(name) && { replicas }),
      ...(share !== undefined && { completions: share }),
    };
    const result = renderForMember(request, job.cache);
    keys.set(name, renderKey(result.overrideKey));
    if (!result.ok) {
      job.failures.push({ resource, cluster: name, fault: result.fault });
      continue;
    }
    const growing = growingObject(job, request, binding, name, replicas);
    yield {
      bindingKey: binding.key,
      cluster: name,
      resource,
      object: result.object,
      ...(growing !== undefined && { growing }),
      revision: result.revision,
      generation: version.generation,
      conflictResolution: binding.conflictResolution ?? spec?.conflictResolution ?? 'Abort',
      preserveOnDeletion:
        binding.preserveResourcesOnDeletion ?? spec?.preserveResourcesOnDeletion ?? false,
      shared: false,
      rank: job.ranks.get(binding.key) ?? applyRank(result.object),
    };
  }
}

/** Grow before shrink: where replicas go down, the wave applies the new object with the old count first. */
function growingObject(
  job: Job,
  request: MemberRequest,
  binding: PlacedBinding,
  cluster: string,
  replicas: number,
): KubeObject | undefined {
  const before =
    binding.locked?.replicas === undefined ? undefined : binding.locked.clusters[cluster];
  if (request.replicas === undefined || before === undefined || before <= replicas)
    return undefined;
  const larger = renderForMember({ ...request, replicas: before }, job.cache);
  return larger.ok ? larger.object : undefined;
}
