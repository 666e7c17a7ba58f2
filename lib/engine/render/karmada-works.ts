import type { Cluster } from '../../api/cluster.js';
import type { ResourceBindingSpec, TargetCluster } from '../../api/resource-binding.js';
import { compareBy, sorted } from '../compare.js';
import type { OverrideRule, RuleFault } from '../override/index.js';
import { divideCompletions } from './completions.js';
import { renderCore } from './core.js';
import { finishWork } from './finish-work.js';
import type { Work, WorksRequest } from './work.js';

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
    if (rendered.ok) works.push(finishWork(request, rendered.value, rules, target.name, targets));
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
