import { federatedGeneration, generationFields } from '../aggregate/generation.js';
import { reportCounters, sumCounters, withCounters } from '../aggregate/counters.js';
import { isUpdatedAndAvailable } from '../aggregate/rolled-out.js';
import { countAt, fieldAt, listAt, textAt } from '../field.js';
import type { Interpreter } from '../interpreter.js';
import { interpretReplicas, revise, templateReferences } from '../pod/workload.js';

const COUNTERS = [
  'availableReplicas',
  'currentReplicas',
  'readyReplicas',
  'replicas',
  'updatedReplicas',
] as const;

const OPTIONAL: ReadonlySet<string> = new Set([
  'currentReplicas',
  'readyReplicas',
  'updatedReplicas',
  'observedGeneration',
]);

export const statefulSet: Interpreter = {
  kinds: [{ apiVersion: 'apps/v1', kind: 'StatefulSet' }],
  interpretReplica: interpretReplicas,
  reviseReplica: revise('replicas'),
  interpretHealth: isUpdatedAndAvailable,

  /** Without the claims that the set makes itself from `volumeClaimTemplates`. */
  interpretDependency(object) {
    const ownClaims = new Set(
      listAt(object, 'spec', 'volumeClaimTemplates').map((claim) =>
        textAt(claim, 'metadata', 'name'),
      ),
    );
    return templateReferences(object).filter(
      ({ kind, name }) => kind !== 'PersistentVolumeClaim' || !ownClaims.has(name ?? ''),
    );
  },

  /** Karmada does not report `observedGeneration` here, so its aggregate practically never advances. */
  interpretStatus(object) {
    const status = fieldAt(object, 'status');
    if (status === undefined) return undefined;
    return { ...reportCounters(status, COUNTERS, OPTIONAL), ...generationFields(object) };
  },

  aggregateStatus(object, items) {
    const observedGeneration = federatedGeneration(object, items, hasCaughtUpWithItself);
    return withCounters(object, { ...sumCounters(items, COUNTERS), observedGeneration }, OPTIONAL);
  },
};

/** Karmada's rule for this kind compares with the member's generation, not with the template's. */
function hasCaughtUpWithItself(status: unknown): boolean {
  const generation = countAt(status, 'generation');
  return (
    countAt(status, 'observedGeneration') >= generation &&
    countAt(status, 'resourceTemplateGeneration') >= generation
  );
}
