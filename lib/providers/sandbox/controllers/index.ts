import type { Controller } from './controller.js';
import { deploymentController } from './deployment.js';
import { podController } from './pod.js';
import { replicaSetController } from './replicaset.js';

/** All controllers of a simulated cluster. */
export function allControllers(): readonly Controller[] {
  return [deploymentController(), replicaSetController(), podController()];
}
