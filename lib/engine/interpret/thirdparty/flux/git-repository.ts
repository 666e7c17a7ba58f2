import type { Interpreter } from '../../interpreter.js';
import { reflectWithGeneration } from '../pattern/status.js';
import { retainSuspend } from '../pattern/suspend.js';
import { aggregateSource, isReadyFor, secretsAt } from './source.js';

export const gitRepository: Interpreter = {
  kinds: [{ apiVersion: 'source.toolkit.fluxcd.io/v1', kind: 'GitRepository' }],
  retain: retainSuspend,
  interpretHealth: isReadyFor('Succeeded'),
  interpretDependency: secretsAt(['secretRef'], ['verify', 'secretRef']),
  interpretStatus: reflectWithGeneration(
    'conditions',
    'artifact',
    'observedGeneration',
    'observedIgnore',
    'observedRecurseSubmodules',
  ),
  aggregateStatus: aggregateSource(),
};
