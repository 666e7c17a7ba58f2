import type { KubeObject, ObjectRef } from '../../api/object.js';
import { compareBy, sorted } from '../../engine/compare.js';
import type {
  AggregatedStatusItem,
  Health,
  Interpreter,
} from '../../engine/interpret/interpreter.js';
import { refKey, refOf } from '../../engine/object.js';
import type { Manifest, Plan } from '../../engine/plan.js';
import { MARKS } from '../../engine/plan.js';
import { type FieldDrift, gateReadiness, reportsObserved } from '../../engine/rollout/index.js';
import type { Connect } from '../cluster/client.js';
import { readLive, type ReadLiveOptions } from './read-live.js';
import { own } from '../../engine/own.js';

/** How one template does on one cluster. Plain data. */
export interface Observation {
  readonly cluster: string;
  /** The live object; absent: it is not there, or the cluster did not answer (then `error`). */
  readonly object?: KubeObject;
  /** Whether it carries the planned revision. */
  readonly isCurrent: boolean;
  /** Current, observed and rolled out. */
  readonly ready: boolean;
  readonly waitingFor: string;
  /** Template generation that the object carries, as far as its controller has observed the object. */
  readonly observedGeneration?: number;
  readonly error?: string;
  /** Fields that somebody else changed on an object of the planned revision, which is then not ready; absent: none, or nobody looked. */
  readonly drift?: readonly FieldDrift[];
  /** As Karmada reports it for the binding. */
  readonly item: AggregatedStatusItem;
}

export interface TemplateObservation {
  readonly resource: ObjectRef;
  /** Of the plan. */
  readonly generation: number;
  /**
   * The highest generation that *all* assigned clusters have observed (design: our own observedGeneration); absent while
   * some cluster has none.
   */
  readonly observedGeneration?: number;
  /** Sorted by cluster. */
  readonly clusters: readonly Observation[];
}

/** What an interpreter says of a live object. */
export interface InterpretLive {
  readonly status: (object: KubeObject) => unknown;
  readonly health: (object: KubeObject) => Health;
  /** Those of the user: gates ask their health rules too. */
  readonly interpreters?: readonly Interpreter[];
}

/**
 * Look at every object of a plan on its clusters, for `fleetwright status`. Reads only; a cluster that does not answer costs its
 * own patience, in parallel. Sorted by resource key.
 */
export async function observe(
  plan: Plan,
  connect: Connect,
  interpret: InterpretLive,
  options: ReadLiveOptions = {},
): Promise<readonly TemplateObservation[]> {
  const queries = plan.releases.map(({ cluster, manifests }) => ({
    cluster,
    resources: manifests.map(({ resource }) => resource),
  }));
  const { live, failures } = await readLive(plan, queries, connect, options);
  const errors = new Map(failures.map(({ cluster, message }) => [cluster, message]));
  const templates = new Map<
    string,
    { resource: ObjectRef; generation: number; clusters: Observation[] }
  >();
  for (const { cluster, manifests } of plan.releases) {
    const objects = new Map(
      own(live.members, cluster)?.map((object) => [refKey(refOf(object)), object]),
    );
    for (const manifest of manifests) {
      const key = refKey(manifest.resource);
      const { resource, generation } = manifest;
      const template = templates.get(key) ?? { resource, generation, clusters: [] };
      templates.set(key, template);
      template.generation = Math.max(template.generation, generation);
      template.clusters.push(
        observation(cluster, manifest, objects.get(key), errors.get(cluster), interpret),
      );
    }
  }
  return sorted(
    templates.values(),
    compareBy(({ resource }) => refKey(resource)),
  ).map((template) => ({
    ...template,
    clusters: sorted(
      template.clusters,
      compareBy(({ cluster }) => cluster),
    ),
    ...observedByAll(template.clusters),
  }));
}

function observedByAll(clusters: readonly Observation[]): { observedGeneration?: number } {
  const generations = clusters.flatMap(({ observedGeneration }) => observedGeneration ?? []);
  return generations.length === clusters.length
    ? { observedGeneration: Math.min(...generations) }
    : {};
}

function observation(
  cluster: string,
  manifest: Manifest,
  object: KubeObject | undefined,
  error: string | undefined,
  interpret: InterpretLive,
): Observation {
  if (object === undefined) {
    const waitingFor = error ?? 'it to exist';
    const item: AggregatedStatusItem = {
      clusterName: cluster,
      applied: false,
      appliedMessage: error ?? 'not found',
      health: 'Unknown',
    };
    return {
      cluster,
      isCurrent: false,
      ready: false,
      waitingFor,
      ...(error !== undefined && { error }),
      item,
    };
  }
  const revision = object.metadata.annotations?.[MARKS.revision];
  const isCurrent = manifest.shared || revision === manifest.revision;
  const state = gateReadiness(manifest.object, object, interpret.interpreters);
  const status = interpret.status(object);
  return {
    cluster,
    object,
    isCurrent,
    ready: isCurrent && state.ready,
    waitingFor: isCurrent
      ? state.waitingFor
      : `revision ${manifest.revision} (it has ${revision ?? 'none'})`,
    ...observedGenerationOf(object),
    item: {
      clusterName: cluster,
      ...(status !== undefined && { status }),
      applied: isCurrent,
      health: interpret.health(object),
    },
  };
}

/** An object of a kind without `status.observedGeneration` counts as observed once it is stored. */
function observedGenerationOf(object: KubeObject): { observedGeneration?: number } {
  const carried = Number(object.metadata.annotations?.[MARKS.generation]);
  const observed = (object['status'] as { observedGeneration?: unknown } | undefined)
    ?.observedGeneration;
  const isSeen =
    typeof observed === 'number'
      ? observed >= (object.metadata.generation ?? 0)
      : !reportsObserved(object);
  return Number.isSafeInteger(carried) && isSeen ? { observedGeneration: carried } : {};
}
