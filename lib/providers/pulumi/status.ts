import type { Interpreter } from '../../engine/interpret/index.js';
import { aggregateStatus, interpreterFor } from '../../engine/interpret/index.js';
import { describeRef } from '../../engine/object.js';
import type { Plan } from '../../engine/plan.js';
import type { Observed } from './observe-release.js';
import { wireKey } from './release-wire.js';

/** Template (`Deployment shop/web`) to its status over all clusters. */
export type TemplateStatuses = Record<
  string,
  {
    readonly generation: number;
    /** What all clusters have observed. */
    readonly observedGeneration: number;
    /** Clusters that have not observed it yet. */
    readonly behind: readonly string[];
    /** The status that Karmada would write on the template. */
    readonly karmada?: unknown;
  }
>;

/** The aggregated status of every template, from what the releases report. */
export function aggregateOutputs(
  plan: Plan,
  byCluster: Readonly<Record<string, string>>,
  interpreters: readonly Interpreter[] = [],
): TemplateStatuses {
  const observed = new Map(
    Object.entries(byCluster).map(([cluster, text]) => [cluster, parse(text)]),
  );
  const planned = new Map(
    plan.releases.map(({ cluster, manifests }) => [
      cluster,
      new Map(manifests.map(({ resource, object }) => [wireKey(resource), object])),
    ]),
  );
  const statuses: TemplateStatuses = {};
  for (const { resource, assignments, generation } of plan.bindings) {
    if (assignments.length === 0) continue;
    const key = wireKey(resource);
    const rendered = assignments.flatMap(({ cluster }) => planned.get(cluster)?.get(key) ?? []);
    const {
      generation: _g,
      observedGeneration,
      behind,
      karmada,
    } = aggregateStatus({
      // Rules look at the spec, which releases do not report: it is the planned one, of the first cluster for the template.
      template: {
        ...rendered[0],
        apiVersion: resource.apiVersion,
        kind: resource.kind,
        metadata: { name: resource.name },
      },
      generation,
      members: assignments.map(({ cluster }) => {
        const object = observed.get(cluster)?.[key];
        return object === undefined
          ? { cluster }
          : { cluster, object: { ...planned.get(cluster)?.get(key), ...object } };
      }),
      interpreter: interpreterFor(resource, interpreters),
      now: plan.now,
    });
    statuses[describeRef(resource)] = {
      generation,
      observedGeneration,
      behind,
      ...(karmada !== undefined && { karmada }),
    };
  }
  return statuses;
}

function parse(text: string): Observed {
  return text === '' ? {} : (JSON.parse(text) as Observed);
}
