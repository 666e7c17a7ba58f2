import type { Controller } from './controller.js';
import { daemonSetController } from './daemonset.js';
import { deploymentController } from './deployment.js';
import { garbageController } from './garbage.js';
import { jobController } from './job.js';
import { namespaceController } from './namespace.js';
import { podController } from './pod.js';
import { replicaSetController } from './replicaset.js';
import { endpointController, loadBalancerController } from './service.js';
import { statefulSetController } from './statefulset.js';
import { volumeController } from './volume.js';

/** All controllers of a simulated cluster. */
export function allControllers(): readonly Controller[] {
  return [
    namespaceController(),
    garbageController(),
    deploymentController(),
    replicaSetController(),
    statefulSetController(),
    daemonSetController(),
    jobController(),
    podController(),
    loadBalancerController('Service'),
    loadBalancerController('Ingress'),
    endpointController(),
    volumeController(),
  ];
}
