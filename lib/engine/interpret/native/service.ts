import { hasAddress, mergeIngress } from '../aggregate/load-balancer.js';
import { countAt, fieldAt, textAt, withField } from '../field.js';
import type { Interpreter } from '../interpreter.js';

export const service: Interpreter = {
  kinds: [{ apiVersion: 'v1', kind: 'Service' }],

  /** Node ports are not among them: the API server keeps them when an update leaves them out. */
  retain(desired, observed) {
    const port = countAt(observed, 'spec', 'healthCheckNodePort');
    const clusterIP = textAt(observed, 'spec', 'clusterIP');
    const withPort = port > 0 ? withField(desired, ['spec', 'healthCheckNodePort'], port) : desired;
    return clusterIP === '' ? withPort : withField(withPort, ['spec', 'clusterIP'], clusterIP);
  },

  interpretStatus(object) {
    if (
      textAt(object, 'spec', 'type') !== 'LoadBalancer' ||
      fieldAt(object, 'status') === undefined
    )
      return undefined;
    const loadBalancer = fieldAt(object, 'status', 'loadBalancer');
    return { loadBalancer: loadBalancer ?? {} };
  },

  interpretHealth(object) {
    return (
      textAt(object, 'spec', 'type') !== 'LoadBalancer' || hasAddress(fieldAt(object, 'status'))
    );
  },

  aggregateStatus(object, items) {
    if (textAt(object, 'spec', 'type') !== 'LoadBalancer') return object;
    const ingress = mergeIngress(items, true);
    return { ...object, status: { loadBalancer: ingress.length > 0 ? { ingress } : {} } };
  },
};
