import type { KubeObject } from '../../api/object.js';
import { isWaived } from './object-hints.js';
import { readiness, type Readiness } from './readiness/index.js';

/**
 * How far an object is, as a gate asks: an object whose *planned* state waives the question is ready once it is stored.
 * What somebody annotates on the cluster opens no gate.
 */
export function gateReadiness(planned: KubeObject, live: KubeObject): Readiness {
  const isGoing = live.metadata.deletionTimestamp !== undefined;
  return isWaived(planned) && !isGoing ? { ready: true, waitingFor: '' } : readiness(live);
}
