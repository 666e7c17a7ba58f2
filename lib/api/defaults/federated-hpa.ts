import type { FederatedHPA, HPAScalingRules } from '../federated-hpa.js';
import type { MetricSpec } from '../metric.js';

const CPU: MetricSpec = {
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
};

const SCALE_UP: HPAScalingRules = {
  policies: [
    { type: 'Pods', value: 4, periodSeconds: 15 },
    { type: 'Percent', value: 100, periodSeconds: 15 },
  ],
  selectPolicy: 'Max',
  stabilizationWindowSeconds: 0,
};

/** Its stabilization window stays unset: it follows a flag of the controller. */
const SCALE_DOWN: HPAScalingRules = {
  policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
  selectPolicy: 'Max',
};

/** Defaults of the mutating webhook: those of Kubernetes' HPA. */
export function defaultedFederatedHPA(hpa: FederatedHPA): FederatedHPA {
  const { behavior, metrics = [], minReplicas = 1 } = hpa.spec;
  return {
    ...hpa,
    spec: {
      ...hpa.spec,
      minReplicas,
      metrics: metrics.length === 0 ? [CPU] : metrics,
      ...(behavior !== undefined && {
        behavior: {
          scaleUp: { ...SCALE_UP, ...behavior.scaleUp },
          scaleDown: { ...SCALE_DOWN, ...behavior.scaleDown },
        },
      }),
    },
  };
}
