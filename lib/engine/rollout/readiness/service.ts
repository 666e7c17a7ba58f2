import type { KubeObject } from '../../../api/object.js';
import type { Readiness } from './readiness.js';
import { part, READY, record, waiting } from './readiness.js';

/**
 * A LoadBalancer has an address; every other Service is ready when it is stored. Endpoints are not waited for: a
 * Service without ready pods is the workload's trouble, which says so itself, and headless, ExternalName and
 * selector-less Services have none.
 */
export function serviceReadiness(object: KubeObject): Readiness {
  if (part(object, 'spec')['type'] !== 'LoadBalancer') return READY;
  return hasAddress(object) ? READY : waiting('an address of the load balancer');
}

/** Whether `status.loadBalancer.ingress` names an IP or a host. */
export function hasAddress(object: KubeObject): boolean {
  const ingress = record(part(object, 'status')['loadBalancer'])['ingress'];
  return (
    Array.isArray(ingress) &&
    ingress.some((entry) => record(entry)['ip'] || record(entry)['hostname'])
  );
}
