import type { KubeObject } from '../../api/object.js';
import type { ResourceBindingSpec, TargetCluster } from '../../api/resource-binding.js';
import { fieldsOf, objectAt } from '../interpret/field.js';
import type { OverrideRule } from '../override/index.js';
import { appliedOf } from '../override/index.js';
import { prune } from './prune.js';
import { workName } from './work-name.js';
import type { Work, WorksRequest } from './work.js';

/** The Work for one cluster around a rendered manifest: names, marks, pruning, bookkeeping (lifecycle reference §6.4, §6.5). */
export function finishWork(
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
