import type { AutoscalerBounds } from './autoscaler-bounds.js';
import { isAutoscaler, readBounds } from './autoscaler-bounds.js';
import type { PlacedBinding } from './binding.js';
import { seedOf } from './binding.js';
import type { Diagnostic } from './diagnostic.js';
import { fieldAt, textAt } from './interpret/field.js';
import type { KubeObject } from './object.js';
import { describeRef, groupOf } from './object.js';
import { apportion } from './schedule/divide/apportion.js';
import type { Snapshot } from './snapshot.js';
import { about } from './validate.js';

/**
 * On a HorizontalPodAutoscaler, or on the policy of the workload it scales: how its bounds become those of each cluster.
 *
 * | value | `minReplicas` | `maxReplicas` |
 * |---|---|---|
 * | `split` | divided | divided |
 * | `split-min` | divided | as written, everywhere |
 * | `keep` | as written | as written: somebody has thought of it |
 */
export const AUTOSCALER_HINT = 'fleetwright.dev/autoscaler';

const WAYS: ReadonlySet<string> = new Set(['keep', 'split', 'split-min']);

export type { AutoscalerBounds } from './autoscaler-bounds.js';

/** The most that is divided: dividing takes time in proportion. */
const MOST_DIVIDED = 1_000_000;

/** Binding key to bounds by cluster; absent: as in the template. */
export type SplitBounds = ReadonlyMap<string, ReadonlyMap<string, AutoscalerBounds>>;

/**
 * The bounds of autoscalers whose workload is divided: the same minimum on every cluster is that many idle pods times the
 * clusters (AUTOSCALER_DUPLICATED), so an annotation can ask for shares. Not with target `karmada`: a control plane copies
 * the object as it is, and has FederatedHPA.
 *
 * Bounds that an API server would refuse are errors at their field, and nothing is made of them: a share of a mistake
 * would be a number that every cluster takes.
 */
export function splitAutoscalers(
  snapshot: Snapshot,
  placed: readonly PlacedBinding[],
): { readonly bounds: SplitBounds; readonly diagnostics: readonly Diagnostic[] } {
  const bounds = new Map<string, ReadonlyMap<string, AutoscalerBounds>>();
  const diagnostics: Diagnostic[] = [];
  const autoscalers = placed.filter(({ resource }) => isAutoscaler(resource));
  const workloads = autoscalers.length === 0 ? new Map() : workloadsByTarget(placed);
  for (const autoscaler of autoscalers) {
    const workload: PlacedBinding | undefined = workloads.get(targetOf(autoscaler.template.object));
    const [way, document] = wayOf(autoscaler, workload);
    const isKnown = way === undefined || WAYS.has(way);
    if (!isKnown) diagnostics.push(about(document, invalid(way)));
    const read = readBounds(autoscaler.template.object);
    if (!read.ok) {
      diagnostics.push(...read.findings.map((finding) => about(autoscaler.template, finding)));
      continue;
    }
    const written = read.value;
    const isDivided =
      workload?.spec?.placement?.replicaScheduling?.replicaSchedulingType === 'Divided';
    if (workload === undefined || !isDivided || autoscaler.clusters.length < 2) continue;
    const isSplit = way === 'split' || way === 'split-min';
    if (isSplit && snapshot.options.target !== 'karmada') {
      if (written.maxReplicas > MOST_DIVIDED) {
        diagnostics.push(about(autoscaler.template, tooMany(autoscaler, written)));
        continue;
      }
      const seed = seedOf(workload.template.object, workload.key, workload.locked, (text) =>
        snapshot.tools.hash(text),
      );
      bounds.set(autoscaler.key, boundsOf(autoscaler, workload, written, way, seed));
    } else if (isKnown && way !== 'keep' && written.minReplicas > 1) {
      diagnostics.push(
        about(autoscaler.template, duplicated(autoscaler, workload, written, isSplit)),
      );
    }
  }
  return { bounds, diagnostics };
}

/**
 * Shares of a pair of bounds, in proportion to the replicas that the clusters have (equal ones where none has any).
 *
 * Nobody gets less than 1, unless the minimum is 0 (scale to zero), which is 0 for all; nobody's maximum is below its
 * minimum. So minima sum to the minimum or more, and maxima likewise, by less than one a cluster.
 */
export function divideBounds(
  { minReplicas, maxReplicas }: AutoscalerBounds,
  shares: readonly (readonly [cluster: string, replicas: number])[],
  way: 'split' | 'split-min',
  seed: string,
): ReadonlyMap<string, AutoscalerBounds> {
  const isIdle = shares.every(([, replicas]) => replicas <= 0);
  const votes = isIdle ? shares.map(([cluster]) => [cluster, 1] as const) : shares;
  const least = minReplicas === 0 ? 0 : 1;
  const minima = new Map(apportion(minReplicas, votes, seed));
  const maxima = way === 'split' ? new Map(apportion(maxReplicas, votes, seed)) : undefined;
  return new Map(
    votes.map(([cluster]) => {
      const min = Math.max(least, minima.get(cluster) ?? 0);
      const max = maxima === undefined ? maxReplicas : (maxima.get(cluster) ?? 0);
      return [cluster, { minReplicas: min, maxReplicas: Math.max(1, min, max) }];
    }),
  );
}

function boundsOf(
  autoscaler: PlacedBinding,
  workload: PlacedBinding,
  written: AutoscalerBounds,
  way: 'split' | 'split-min',
  seed: string,
): ReadonlyMap<string, AutoscalerBounds> {
  const replicas = new Map(workload.clusters.map((c) => [c.name, c.replicas ?? 0]));
  // Where there is nothing to scale the bounds do nothing, and take no share.
  const shares = autoscaler.clusters
    .filter(({ name }) => replicas.has(name))
    .map(({ name }) => [name, replicas.get(name) ?? 0] as const);
  return divideBounds(written, shares, way, seed);
}

function workloadsByTarget(placed: readonly PlacedBinding[]): Map<string, PlacedBinding> {
  return new Map(
    placed
      .filter(({ spec }) => spec?.replicas !== undefined)
      .map((b) => [keyOf(b.resource.namespace, b.resource), b]),
  );
}

function targetOf(autoscaler: KubeObject): string {
  const target = fieldAt(autoscaler, 'spec', 'scaleTargetRef');
  return keyOf(autoscaler.metadata.namespace, {
    apiVersion: textAt(target, 'apiVersion'),
    kind: textAt(target, 'kind'),
    name: textAt(target, 'name'),
  });
}

function keyOf(
  namespace: string | undefined,
  { apiVersion, kind, name }: Pick<PlacedBinding['resource'], 'apiVersion' | 'kind' | 'name'>,
): string {
  return `${groupOf(apiVersion)}\n${kind}\n${namespace ?? ''}\n${name}`;
}

/** The autoscaler's own word counts before that of the workload's policy. */
function wayOf(
  { template }: PlacedBinding,
  workload: PlacedBinding | undefined,
): readonly [way: string | undefined, document: PlacedBinding['template']] {
  const own = template.object.metadata.annotations?.[AUTOSCALER_HINT];
  const policy = workload?.policyDocument;
  return own !== undefined || policy === undefined
    ? [own, template]
    : [policy.object.metadata.annotations?.[AUTOSCALER_HINT], policy];
}

function duplicated(
  { resource, clusters }: PlacedBinding,
  workload: PlacedBinding,
  { minReplicas }: AutoscalerBounds,
  isIgnored: boolean,
): Omit<Diagnostic, 'resource'> {
  return {
    severity: 'warning',
    code: 'AUTOSCALER_DUPLICATED',
    summary: `${describeRef(resource)} goes with minReplicas ${minReplicas} to each of ${clusters.length} clusters, so that ${describeRef(workload.resource)}, which is divided, never has fewer than ${minReplicas * clusters.length} replicas.`,
    hint: isIgnored
      ? `A control plane does not read ${AUTOSCALER_HINT}: use a FederatedHPA.`
      : `Annotate it with ${AUTOSCALER_HINT}: split (or split-min, or keep if that is meant).`,
  };
}

function tooMany(
  { resource }: PlacedBinding,
  { maxReplicas }: AutoscalerBounds,
): Omit<Diagnostic, 'resource'> {
  return {
    severity: 'error',
    code: 'FIELD_INVALID',
    path: ['spec', 'maxReplicas'],
    summary: `${describeRef(resource)}: spec.maxReplicas is ${maxReplicas}, and shares are made of at most ${MOST_DIVIDED}.`,
    hint: `Lower it, or annotate it with ${AUTOSCALER_HINT}: keep.`,
  };
}

function invalid(value: string): Omit<Diagnostic, 'resource'> {
  return {
    severity: 'error',
    code: 'HINT_INVALID',
    path: ['metadata', 'annotations', AUTOSCALER_HINT],
    summary: `Annotation ${AUTOSCALER_HINT} is ${JSON.stringify(value.slice(0, 80))}, but must be "split", "split-min" or "keep".`,
    hint: 'Correct the annotation, or remove it.',
  };
}
