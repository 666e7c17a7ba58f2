import type { FederatedHPA, HPAScalingRules } from '../federated-hpa.js';
import type { FieldPath, Finding } from '../finding.js';
import { metricRules } from './metric.js';
import { each, needed, refused } from './report.js';
import { scaleTargetRules } from './scale-target.js';

export function federatedHPARules(hpa: FederatedHPA): readonly Finding[] {
  const { behavior, maxReplicas, metrics, minReplicas = 1, scaleTargetRef } = hpa.spec;
  return [
    ...(minReplicas < 1
      ? [refused(['spec', 'minReplicas'], 'must be at least 1', minReplicas)]
      : []),
    ...(maxReplicas < 1
      ? [refused(['spec', 'maxReplicas'], 'must be at least 1', maxReplicas)]
      : []),
    ...(maxReplicas < minReplicas
      ? [
          refused(
            ['spec', 'maxReplicas'],
            `must be at least minReplicas (${minReplicas})`,
            maxReplicas,
          ),
        ]
      : []),
    ...scaleTargetRules(['spec', 'scaleTargetRef'], scaleTargetRef),
    ...each(['spec', 'metrics'], metrics, metricRules),
    ...scalingRules(['spec', 'behavior', 'scaleUp'], behavior?.scaleUp),
    ...scalingRules(['spec', 'behavior', 'scaleDown'], behavior?.scaleDown),
    ...statusRules(hpa),
  ];
}

function scalingRules(path: FieldPath, rules: HPAScalingRules | undefined): readonly Finding[] {
  if (rules === undefined) return [];
  const { policies, selectPolicy = 'Max', stabilizationWindowSeconds: window = 0 } = rules;
  return [
    ...(window < 0 || window > 3600
      ? [refused([...path, 'stabilizationWindowSeconds'], 'must be 0 to 3600', window)]
      : []),
    ...(['Max', 'Min', 'Disabled'].includes(selectPolicy)
      ? []
      : [refused([...path, 'selectPolicy'], 'must be Max, Min or Disabled', selectPolicy)]),
    ...(policies === undefined || policies.length === 0 ? [needed([...path, 'policies'])] : []),
    ...each([...path, 'policies'], policies, (policy, at) => [
      ...(['Pods', 'Percent'].includes(policy.type)
        ? []
        : [refused([...at, 'type'], 'must be Pods or Percent', policy.type)]),
      ...(policy.value > 0 ? [] : [refused([...at, 'value'], 'must be above 0', policy.value)]),
      ...(policy.periodSeconds >= 1 && policy.periodSeconds <= 1800
        ? []
        : [refused([...at, 'periodSeconds'], 'must be 1 to 1800', policy.periodSeconds)]),
    ]),
  ];
}

function statusRules(hpa: FederatedHPA): readonly Finding[] {
  return (['currentReplicas', 'desiredReplicas'] as const).flatMap((field) => {
    const value = hpa.status?.[field] ?? 0;
    return value < 0 ? [refused(['status', field], 'must not be negative', value)] : [];
  });
}
