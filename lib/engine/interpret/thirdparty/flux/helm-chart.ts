import { fieldAt } from '../../field.js';
import type { Interpreter } from '../../interpreter.js';
import { reflectWithGeneration } from '../pattern/status.js';
import { retainSuspend } from '../pattern/suspend.js';
import { aggregateSource, isReadyFor, secretsAt } from './source.js';

/** Karmada's script reads the observed generation from a variable that it does not define: it is never reported. */
export const helmChart: Interpreter = {
  kinds: [{ apiVersion: 'source.toolkit.fluxcd.io/v1beta2', kind: 'HelmChart' }],
  retain: retainSuspend,
  interpretHealth: isReadyFor('Succeeded', 'ChartPullSucceeded'),
  interpretDependency: secretsAt(['verify', 'secretRef']),
  interpretStatus(object) {
    if (fieldAt(object, 'status') === undefined) return {};
    return reflectWithGeneration(
      'artifact',
      'conditions',
      'observedChartName',
      'observedSourceArtifactRevision',
      'url',
    )(object);
  },
  aggregateStatus: aggregateSource('url', 'observedChartName', 'observedSourceArtifactRevision'),
};
