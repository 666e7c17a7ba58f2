import type { ClusterOverridePolicy } from '../../api/cluster-override-policy.js';
import type { KubeObject } from '../../api/object.js';
import type { OverridePolicy } from '../../api/override-policy.js';
import type { AutoscalerBounds } from '../autoscaler-bounds.js';
import type { PlanInput, Tools } from '../input.js';
import { interpreterFor } from '../interpret/index.js';
import { InterpretError } from '../interpret/interpret-error.js';
import { refKey, refOf } from '../object.js';
import type { OverrideStep } from '../override/index.js';
import { compileOverrides, traceOverrides } from '../override/index.js';
import type { PlannedBinding } from '../plan.js';
import { takeSnapshot } from '../snapshot.js';

/** What override policies do to one object, on all clusters where they do the same. */
export interface OverrideTrace {
  /** Sorted; not empty. */
  readonly clusters: readonly string[];
  /** Of an autoscaler whose bounds are divided: what becomes of them, before any rule. */
  readonly divided?: OverrideStep['changes'];
  /** Empty: no rule applies there. */
  readonly steps: readonly OverrideStep[];
}

/**
 * The override rules of one planned object with the value before and after each, per cluster it is assigned to.
 * In the order of each group's first cluster. Values of Secrets are hidden.
 */
export function traceBinding(
  input: PlanInput,
  binding: PlannedBinding,
  tools: Tools,
): readonly OverrideTrace[] {
  const snapshot = takeSnapshot(input, tools);
  const key = refKey(binding.resource);
  const template = snapshot.templates.find(({ object }) => refKey(refOf(object)) === key)?.object;
  if (template === undefined) return [];
  const ofKind = <T>(kind: string): T[] =>
    snapshot.overrides.filter((d) => d.object.kind === kind).map((d) => d.object as unknown as T);
  const overridesOn = compileOverrides(
    {
      clusterOverridePolicies: ofKind<ClusterOverridePolicy>('ClusterOverridePolicy'),
      overridePolicies: ofKind<OverridePolicy>('OverridePolicy'),
    },
    tools,
  )(template);
  const clusters = new Map(snapshot.clusters.map((c) => [c.metadata.name, c]));
  const groups = new Map<string, { readonly names: string[]; readonly trace: OverrideTrace }>();
  for (const { cluster: name, replicas, bounds } of binding.assignments) {
    const cluster = clusters.get(name);
    if (cluster === undefined) continue;
    const { rules } = overridesOn(cluster);
    const revised = binding.replicas === undefined ? template : revise(template, replicas, tools);
    const [own, divided] = bounds === undefined ? [revised] : divide(revised, bounds);
    const steps = traceOverrides(own, rules, tools);
    const id = JSON.stringify([divided, steps]);
    const group = groups.get(id);
    if (group === undefined) {
      const names = [name];
      groups.set(id, { names, trace: { clusters: names, ...(divided && { divided }), steps } });
    } else group.names.push(name);
  }
  return [...groups.values()].map(({ trace }) => trace);
}

function divide(
  autoscaler: KubeObject,
  bounds: AutoscalerBounds,
): [KubeObject, OverrideStep['changes']] {
  const spec = autoscaler['spec'] as Readonly<Record<string, unknown>>;
  const changes = (['minReplicas', 'maxReplicas'] as const)
    .filter((field) => spec[field] !== bounds[field])
    .map((field) => ({ path: `/spec/${field}`, before: spec[field], after: bounds[field] }));
  return [{ ...autoscaler, spec: { ...spec, ...bounds } }, changes];
}

/** A rule that the user taught may fail: the plan says so, and the template's own count is shown. */
function revise(template: KubeObject, replicas: number | undefined, tools: Tools): KubeObject {
  if (replicas === undefined) return template;
  try {
    const interpreter = interpreterFor(template, tools.interpreters);
    return interpreter.reviseReplica?.(template, replicas) ?? template;
  } catch (error) {
    if (InterpretError.is(error)) return template;
    throw error;
  }
}
