import type { ClusterPropagationPolicy } from '../cluster-propagation-policy.js';
import type { FailoverBehavior, StatePreservation } from '../failover.js';
import type { FieldPath, Finding } from '../finding.js';
import { isLabelKey } from '../format.js';
import type { PropagationPolicy, PropagationSpec } from '../propagation-policy.js';
import { placementRules } from './placement.js';
import { conflicting, each, needed, refused } from './report.js';
import { selectorNamespaceRules } from './selector-namespace.js';

export function propagationPolicyRules(policy: PropagationPolicy): readonly Finding[] {
  return [
    ...selectorNamespaceRules(policy.metadata.namespace, policy.spec.resourceSelectors),
    ...propagationSpecRules(policy.spec),
  ];
}

export function clusterPropagationPolicyRules(
  policy: ClusterPropagationPolicy,
): readonly Finding[] {
  return propagationSpecRules(policy.spec);
}

function propagationSpecRules(spec: PropagationSpec): readonly Finding[] {
  return [
    ...placementRules(['spec', 'placement'], spec.placement),
    ...failoverRules(['spec', 'failover'], spec.failover, spec.propagateDeps ?? false),
    ...preemptionRules(spec),
    ...suspensionRules(spec),
  ];
}

function preemptionRules(spec: PropagationSpec): readonly Finding[] {
  if (spec.preemption !== 'Always') return [];
  return each(['spec', 'resourceSelectors'], spec.resourceSelectors, (selector, at) =>
    selector.name === undefined || selector.name === ''
      ? [
          needed(
            [...at, 'name'],
            'With `preemption: Always` every selector must name its template.',
          ),
        ]
      : [],
  );
}

function suspensionRules(spec: PropagationSpec): readonly Finding[] {
  const { dispatching, dispatchingOnClusters } = spec.suspension ?? {};
  if (dispatching !== true || (dispatchingOnClusters?.clusterNames ?? []).length === 0) return [];
  const path = ['spec', 'suspension', 'dispatchingOnClusters', 'clusterNames'];
  return [
    conflicting(path, 'must not be combined with `dispatching: true`', 'Keep one of the two.'),
  ];
}

function failoverRules(
  path: FieldPath,
  failover: FailoverBehavior | undefined,
  propagateDeps: boolean,
): readonly Finding[] {
  const { application, cluster } = failover ?? {};
  return [
    ...(application === undefined ? [] : applicationRules([...path, 'application'], failover)),
    ...(application !== undefined && !propagateDeps
      ? [
          refused(['spec', 'propagateDeps'], 'must be true', propagateDeps, {
            hint: 'Application failover moves dependencies too.',
          }),
        ]
      : []),
    ...stateRules([...path, 'application', 'statePreservation'], application?.statePreservation),
    ...stateRules([...path, 'cluster', 'statePreservation'], cluster?.statePreservation),
  ];
}

function applicationRules(
  path: FieldPath,
  failover: FailoverBehavior | undefined,
): readonly Finding[] {
  const { decisionConditions, gracePeriodSeconds: grace, purgeMode } = failover?.application ?? {};
  const tolerated = decisionConditions?.tolerationSeconds ?? 0;
  const at = [...path, 'gracePeriodSeconds'];
  return [
    ...(tolerated < 0
      ? [
          refused(
            [...path, 'decisionConditions', 'tolerationSeconds'],
            'must not be negative',
            tolerated,
          ),
        ]
      : []),
    ...(purgeMode !== 'Gracefully' && grace !== undefined
      ? [conflicting(at, `is only for purgeMode Gracefully, not for ${purgeMode}`)]
      : []),
    ...(purgeMode === 'Gracefully' && grace === undefined ? [needed(at)] : []),
    ...(purgeMode === 'Gracefully' && grace !== undefined && grace <= 0
      ? [refused(at, 'must be above 0', grace)]
      : []),
  ];
}

function stateRules(path: FieldPath, state: StatePreservation | undefined): readonly Finding[] {
  return each([...path, 'rules'], state?.rules, (rule, at) =>
    isLabelKey(rule.aliasLabelName)
      ? []
      : [refused([...at, 'aliasLabelName'], 'must be a label key', rule.aliasLabelName)],
  );
}
