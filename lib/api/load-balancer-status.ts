import { z } from 'zod';
import { fields, int32, optional } from './value.js';

const PORT_ERROR =
  /^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$/;

const portStatus = fields({
  error: z.string().max(316).regex(PORT_ERROR),
  port: int32,
  protocol: z.string(),
});

const ingressFields = {
  hostname: optional(z.string()),
  ip: optional(z.string()),
  ports: optional(z.array(portStatus)),
};

/** Entry points of a Service. */
export const serviceLoadBalancerStatus = fields({
  ingress: optional(z.array(fields({ ...ingressFields, ipMode: optional(z.string()) }))),
});

/** Entry points of an Ingress. */
export const ingressLoadBalancerStatus = fields({
  ingress: optional(z.array(fields(ingressFields))),
});
