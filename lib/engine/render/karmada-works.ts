import type { Cluster } from '../../api/cluster.js';
import type { KubeObject } from '../../api/object.js';
import type { ResourceBindingSpec, TargetCluster } from '../../api/resource-binding.js';
import { compareBy, sorted } from '../compare.js';
import { fieldsOf, objectAt } from '../interpret/field.js';
import type { Interpreter } from '../interpret/interpreter.js';
import type { CompiledOverrides, OverrideRule, RuleFault } from '../override/index.js';
import { appliedOf } from '../override/index.js';
import type { DocumentTools } from '../override/overriders/field.js';
import { divideCompletions } from './completions.js';
import { renderCore } from './core.js';
import { prune } from './prune.js';
import { workName } from './work-name.js';

/** Karmada's per-cluster envelope, without what admission adds. */
export interface Work {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations: Readonly<Record<string, string>>;
    readonly finalizers: readonly string[];
  };
  readonly spec: {
    readonly manifest: KubeObject;
    readonly suspendDispatching: boolean;
    readonly preserveResourcesOnDeletion: boolean;
  };
}

export interface WorksRequest {
  /** ResourceBinding or ClusterResourceBinding. */
  readonly binding: {
    readonly metadata: {
      readonly name?: string;
      readonly namespace?: string;
      readonly labels?: Readonly<Record<string, string>>;
    };
    readonly spec: ResourceBindingSpec;
  };
  readonly template: KubeObject;
  /** By name. A target that is missing here is matched by name alone. */
  readonly clusters: ReadonlyMap<string, Cluster>;
  readonly overrides: CompiledOverrides;
  /** Feature gate of that name: labels kept over a failover are injected. */
  readonly statefulFailoverInjection: boolean;
  readonly interpreter: Interpreter;
  readonly tools: DocumentTools;
}

export interface Works {
  /** Sorted by namespace. */
  readonly works: readonly Work[];
  /** Clusters that get no Work, with the edit that failed; sorted by name. */
  readonly faults: readonly { readonly cluster: string; readonly fault: RuleFault<OverrideRule> }[];
}

/**
 * What a Karmada control plane writes for a binding, to compare with what it has written.
 *
 * One Work per target (own clusters, then those required by others). A cluster whose override fails has none; the others
 * are unaffected. Source: lifecycle reference §6.2 to §6.6, §11.9.
 */
export function renderWorks(request: WorksRequest): Works {
  const { binding, template } = request;
  const targets = targetsOf(binding.spec);
  const completions = divideCompletions(
    template,
    binding.spec,
    targets,
    template.metadata.uid ?? '',
  );
  const works: Work[] = [];
  const faults: Works['faults'][number][] = [];
  for (const target of sorted(
    targets,
    compareBy(({ name }) => name),
  )) {
    const { rules } = request.overrides(template)(
      request.clusters.get(target.name) ?? namedOnly(target.name),
    );
    const share = completions?.get(target.name);
    const rendered = renderCore({
      template,
      ...(isWorkload(binding.spec) && { replicas: target.replicas ?? 0 }),
      ...(share !== undefined && { completions: share }),
      rules,
      interpreter: request.interpreter,
      tools: request.tools,
    });
    if (rendered.ok) works.push(finish(request, rendered.value, rules, target.name, targets));
    else faults.push({ cluster: target.name, fault: rendered.fault });
  }
  return { works, faults };
}

/** Own clusters in order, then the clusters of those that depend on it; the first entry of a name counts. */
export function targetsOf(spec: ResourceBindingSpec): readonly TargetCluster[] {
  const targets = new Map<string, TargetCluster>();
  const listed = [
    ...(spec.clusters ?? []),
    ...(spec.requiredBy ?? []).flatMap(({ clusters }) => clusters ?? []),
  ];
  for (const target of listed) if (!targets.has(target.name)) targets.set(target.name, target);
  return [...targets.values()];
}

function isWorkload({
  replicas = 0,
  replicaRequirements,
  components = [],
}: ResourceBindingSpec): boolean {
  return replicas > 0 || (replicaRequirements ?? undefined) !== undefined || components.length > 0;
}

function namedOnly(name: string): Cluster {
  return {
    apiVersion: 'cluster.karmada.io/v1alpha1',
    kind: 'Cluster',
    metadata: { name },
    spec: { syncMode: 'Push' },
  };
}

function finish(
  request: WorksRequest,
  rendered: KubeObject,
  rules: readonly OverrideRule[],
  cluster: string,
  targets: readonly TargetCluster[],
): Work {
  const { binding, template } = request;
  const { namespace = '', name: bindingName = '' } = binding.metadata;
  const prefix = namespace === '' ? 'clusterresourcebinding' : 'resourcebinding';
  const idKey = `${prefix}.karmada.io/permanent-id`;
  const identity = {
    ...(namespace !== '' && { 'resourcebinding.karmada.io/namespace': namespace }),
    [`${prefix}.karmada.io/name`]: bindingName,
  };
  const idLabel = { [idKey]: binding.metadata.labels?.[idKey] ?? '' };
  const resolution = conflictResolution(rendered, binding.spec);
  const name = workName({ kind: rendered.kind, ...nameOf(rendered) });
  const workNamespace = `karmada-es-${cluster}`;
  const generation = template.metadata.generation ?? 0;
  const manifest = withBookkeeping(
    prune(
      withMetadata(
        rendered,
        { ...idLabel, ...preservedLabels(request, cluster, targets), 'karmada.io/managed': 'true' },
        {
          ...identity,
          ...(generation > 0 && { 'resourcetemplate.karmada.io/generation': String(generation) }),
          'work.karmada.io/conflict-resolution': resolution,
          'resourcetemplate.karmada.io/uid': template.metadata.uid ?? '',
          'work.karmada.io/name': name,
          'work.karmada.io/namespace': workNamespace,
        },
      ),
    ),
  );
  return {
    metadata: {
      name,
      namespace: workNamespace,
      labels: idLabel,
      annotations: {
        ...identity,
        'work.karmada.io/conflict-resolution': resolution,
        ...appliedAnnotation('applied-cluster-overrides', rules, 'ClusterOverridePolicy'),
        ...appliedAnnotation('applied-overrides', rules, 'OverridePolicy'),
      },
      finalizers: ['karmada.io/execution-controller'],
    },
    spec: {
      manifest,
      suspendDispatching: isSuspended(binding.spec, cluster),
      preserveResourcesOnDeletion: binding.spec.preserveResourcesOnDeletion ?? false,
    },
  };
}

function nameOf(object: KubeObject): { readonly namespace?: string; readonly name: string } {
  const { namespace, name = '' } = object.metadata;
  return { ...(namespace !== undefined && { namespace }), name };
}

/** The manifest's own wish counts if it is one of the two words. */
function conflictResolution(manifest: KubeObject, spec: ResourceBindingSpec): string {
  const wish = fieldsOf(manifest.metadata.annotations)['work.karmada.io/conflict-resolution'];
  if (wish === 'overwrite' || wish === 'abort') return wish;
  return spec.conflictResolution === 'Overwrite' ? 'overwrite' : 'abort';
}

function isSuspended({ suspension }: ResourceBindingSpec, cluster: string): boolean {
  if (suspension?.dispatching === true) return true;
  return suspension?.dispatchingOnClusters?.clusterNames?.includes(cluster) ?? false;
}

/** Labels kept over a failover: only the last task's, only for a sole target that is new. */
function preservedLabels(
  { binding, statefulFailoverInjection }: WorksRequest,
  cluster: string,
  targets: readonly TargetCluster[],
): Readonly<Record<string, string>> {
  const task = binding.spec.gracefulEvictionTasks?.at(-1);
  if (!statefulFailoverInjection || targets.length !== 1 || task?.purgeMode !== 'Directly')
    return {};
  return task.clustersBeforeFailover?.includes(cluster) ? {} : (task.preservedLabelState ?? {});
}

function appliedAnnotation(
  name: string,
  rules: readonly OverrideRule[],
  kind: OverrideRule['policy']['kind'],
): Record<string, string> {
  const applied = appliedOf(rules, kind);
  return applied.length === 0 ? {} : { [`policy.karmada.io/${name}`]: JSON.stringify(applied) };
}

/** An override may have left no map there. */
function withMetadata(
  object: KubeObject,
  labels: Readonly<Record<string, string>>,
  annotations: Readonly<Record<string, string>>,
): KubeObject {
  return {
    ...object,
    metadata: {
      ...object.metadata,
      labels: { ...objectAt(object.metadata, 'labels'), ...labels } as Record<string, string>,
      annotations: { ...objectAt(object.metadata, 'annotations'), ...annotations } as Record<
        string,
        string
      >,
    },
  };
}

const MANAGED_ANNOTATIONS = 'resourcetemplate.karmada.io/managed-annotations';
const MANAGED_LABELS = 'resourcetemplate.karmada.io/managed-labels';

/** What is ours on the member object, so that a later version can take it away again. */
function withBookkeeping(manifest: KubeObject): KubeObject {
  const { labels = {}, annotations = {} } = manifest.metadata;
  const annotationKeys = new Set([
    ...Object.keys(annotations),
    MANAGED_ANNOTATIONS,
    MANAGED_LABELS,
  ]);
  return withMetadata(
    manifest,
    {},
    {
      [MANAGED_ANNOTATIONS]: [...annotationKeys].sort().join(','),
      [MANAGED_LABELS]: Object.keys(labels).sort().join(','),
    },
  );
}
