import { daemonSet as nativeDaemonSet } from '../../native/daemon-set.js';
import type { Interpreter } from '../../interpreter.js';
import { templateReferences } from '../pattern/pod-template.js';
import { aggregateWithGeneration, lastOf, reflectWithGeneration } from '../pattern/status.js';

const COUNTERS = [
  'currentNumberScheduled',
  'desiredNumberScheduled',
  'numberAvailable',
  'numberMisscheduled',
  'numberReady',
  'numberUnavailable',
  'updatedNumberScheduled',
];

export const kruiseDaemonSet: Interpreter = {
  kinds: [{ apiVersion: 'apps.kruise.io/v1alpha1', kind: 'DaemonSet' }],
  interpretDependency: templateReferences,
  ...(nativeDaemonSet.interpretHealth !== undefined && {
    interpretHealth: nativeDaemonSet.interpretHealth,
  }),
  interpretStatus: reflectWithGeneration(...COUNTERS, 'daemonSetHash', 'observedGeneration'),
  /** A hash that no member reports is the number 0, as in Karmada. */
  aggregateStatus: aggregateWithGeneration({
    counters: COUNTERS,
    rest: (items) => ({ daemonSetHash: lastOf(items, 'daemonSetHash') || 0 }),
    initial: { daemonSetHash: 0 },
  }),
};
