import type { Interpreter } from '../../interpreter.js';
import { reflectWithGeneration } from '../pattern/status.js';
import { retainSuspend } from '../pattern/suspend.js';
import { aggregateSource, isReadyFor, secretsAt } from './source.js';

export const helmRepository: Interpreter = {
  kinds: [{ apiVersion: 'source.toolkit.fluxcd.io/v1beta2', kind: 'HelmRepository' }],
  retain: retainSuspend,
  interpretHealth: isReadyFor('Succeeded'),
  interpretDependency: secretsAt(['secretRef']),
  interpretStatus: reflectWithGeneration('artifact', 'conditions', 'observedGeneration', 'url'),
  aggregateStatus: aggregateSource('url'),
};
