import type { Interpreter } from '../../interpreter.js';
import { objectAt } from '../../field.js';
import { uniqueReferences } from '../../pod/references.js';
import { mergeConditions } from '../pattern/conditions.js';
import {
  aggregateWithGeneration,
  blanks,
  lastTexts,
  reflectWithGeneration,
} from '../pattern/status.js';
import { retainSuspend } from '../pattern/suspend.js';
import { isReadyFor, secretsAt, serviceAccountOf } from './source.js';

const REVISIONS = ['lastAttemptedRevision', 'lastAppliedRevision'];
const SECRETS = secretsAt(['decryption', 'secretRef'], ['kubeConfig', 'secretRef']);

export const kustomization: Interpreter = {
  kinds: [{ apiVersion: 'kustomize.toolkit.fluxcd.io/v1', kind: 'Kustomization' }],
  retain: retainSuspend,
  interpretHealth: isReadyFor('ReconciliationSucceeded'),
  interpretDependency: (object) =>
    uniqueReferences([...SECRETS(object), ...serviceAccountOf(object)]),
  interpretStatus: reflectWithGeneration('conditions', ...REVISIONS, 'observedGeneration'),
  aggregateStatus: aggregateWithGeneration({
    rest: (items, template) => ({
      conditions: mergeConditions(items),
      ...lastTexts(items, REVISIONS, { ...blanks(REVISIONS), ...objectAt(template, 'status') }),
    }),
    initial: { conditions: [], ...blanks(REVISIONS) },
  }),
};
