import { fieldAt } from '../../field.js';
import { InterpretError } from '../../interpret-error.js';
import type { Interpreter } from '../../interpreter.js';
import { uniqueReferences } from '../../pod/references.js';
import { reflectWithGeneration } from '../pattern/status.js';
import { retainSuspend } from '../pattern/suspend.js';
import { aggregateSource, isReadyFor, secretsAt, serviceAccountOf } from './source.js';

const SECRETS = secretsAt(['secretRef'], ['verify', 'secretRef'], ['certSecretRef']);

export const ociRepository: Interpreter = {
  kinds: [{ apiVersion: 'source.toolkit.fluxcd.io/v1beta2', kind: 'OCIRepository' }],
  retain: retainSuspend,
  interpretHealth: isReadyFor('Succeeded'),
  interpretStatus: reflectWithGeneration(
    'artifact',
    'conditions',
    'url',
    'observedGeneration',
    'observedIgnore',
    'observedLayerSelector',
  ),
  aggregateStatus: aggregateSource('url'),

  /** Karmada's script fails where the service account is absent, rather than empty. */
  interpretDependency(object) {
    if (fieldAt(object, 'spec', 'serviceAccountName') === undefined) {
      throw new InterpretError(
        `OCIRepository ${object.metadata.name ?? ''} has no spec.serviceAccountName`,
      );
    }
    return uniqueReferences([...SECRETS(object), ...serviceAccountOf(object)]);
  },
};
