import type { KubeObject } from '../../../api/object.js';
import type { Readiness } from './readiness.js';
import { READY, waiting } from './readiness.js';
import { hasAddress } from './service.js';

/** Some controller has given it an address. */
export function ingressReadiness(object: KubeObject): Readiness {
  return hasAddress(object) ? READY : waiting('an address from the ingress controller');
}
