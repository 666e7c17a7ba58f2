import type { LiveState } from '../lib/engine/input.js';
import type { Interpreter } from '../lib/engine/interpret/index.js';
import { refKey } from '../lib/engine/object.js';
import type { Plan } from '../lib/engine/plan.js';
import { fieldsOfOthers } from '../lib/engine/rollout/index.js';
import type { Connect } from '../lib/providers/cluster/index.js';
import type { Observation, TemplateObservation } from '../lib/providers/rollout/index.js';

/**
 * Observations with what somebody else changed on objects of the planned revision: such an object has `drift` and is not
 * ready, however healthy it is. One that waits for its revision is only said to do so. Looks at the objects that were read; a
 * cluster is asked again only where replicas differ, for its autoscalers.
 */
export async function withDrift(
  observations: readonly TemplateObservation[],
  plan: Plan,
  connect: Connect,
  interpreters: readonly Interpreter[],
): Promise<readonly TemplateObservation[]> {
  const { readDrift } = await import('../lib/providers/adopt/index.js');
  const found = await readDrift(plan, currentObjects(observations), connect, interpreters);
  const drifted = new Map(
    found.map(({ cluster, resource, fields }) => [
      `${cluster} ${refKey(resource)}`,
      fieldsOfOthers(fields),
    ]),
  );
  return observations.map(({ clusters, ...template }) => ({
    ...template,
    clusters: clusters.map((one): Observation => {
      const drift = drifted.get(`${one.cluster} ${refKey(template.resource)}`) ?? [];
      if (!one.isCurrent || drift.length === 0) return one;
      const waitingFor = one.ready ? 'what was changed there to be set back' : one.waitingFor;
      return { ...one, ready: false, waitingFor, drift };
    }),
  }));
}

function currentObjects(observations: readonly TemplateObservation[]): LiveState {
  const members: Record<string, NonNullable<Observation['object']>[]> = {};
  for (const { cluster, object, isCurrent } of observations.flatMap(({ clusters }) => clusters))
    if (object !== undefined && isCurrent) (members[cluster] ??= []).push(object);
  return { members };
}
