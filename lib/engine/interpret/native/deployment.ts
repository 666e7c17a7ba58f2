import { observedCounters } from '../aggregate/observed-counters.js';
import { isUpdatedAndAvailable } from '../aggregate/rolled-out.js';
import { fieldAt, fieldsOf, withField } from '../field.js';
import { InterpretError } from '../interpret-error.js';
import type { Interpreter } from '../interpreter.js';
import { interpretReplicas, revise, templateReferences } from '../pod/workload.js';

const COUNTERS = [
  'replicas',
  'updatedReplicas',
  'readyReplicas',
  'availableReplicas',
  'unavailableReplicas',
] as const;

const OPTIONAL: ReadonlySet<string> = new Set([...COUNTERS, 'observedGeneration']);

/** Label on the template by which the member's replica count stays as its autoscaler set it. */
const RETAIN_REPLICAS = 'resourcetemplate.karmada.io/retain-replicas';

const STATUS = observedCounters(COUNTERS, OPTIONAL);

export const deployment: Interpreter = {
  ...STATUS,
  kinds: [{ apiVersion: 'apps/v1', kind: 'Deployment' }],
  interpretReplica: interpretReplicas,
  reviseReplica: revise('replicas'),
  interpretDependency: templateReferences,
  interpretHealth: isUpdatedAndAvailable,

  retain(desired, observed) {
    if (desired.metadata.labels?.[RETAIN_REPLICAS] !== 'true') return desired;
    const replicas = fieldAt(observed, 'spec', 'replicas');
    if (!Number.isInteger(replicas)) {
      throw new InterpretError(
        `Deployment ${desired.metadata.name ?? ''} in the cluster has no spec.replicas to retain`,
      );
    }
    return withField(desired, ['spec', 'replicas'], replicas);
  },

  /** Nothing to report where all counters are absent. */
  interpretStatus(object) {
    const reported = STATUS.interpretStatus(object);
    return reported === undefined || Object.keys(fieldsOf(reported)).length === 0
      ? undefined
      : reported;
  },
};
