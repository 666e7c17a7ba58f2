import { judgeCron } from '../cron.js';
import type { CronFederatedHPA, CronFederatedHPARule } from '../cron-federated-hpa.js';
import type { FieldPath, Finding } from '../finding.js';
import { duplicates, each, needed, refused } from './report.js';
import { scaleTargetRules } from './scale-target.js';

const AUTOSCALING = 'autoscaling.karmada.io/v1alpha1';
const MAX_INT32 = 2147483647;

export function cronFederatedHPARules(cron: CronFederatedHPA): readonly Finding[] {
  const target = cron.spec.scaleTargetRef;
  const path = ['spec', 'scaleTargetRef'];
  if (target.apiVersion === AUTOSCALING && target.kind !== 'FederatedHPA') {
    return [refused([...path, 'kind'], `must be FederatedHPA in ${AUTOSCALING}`, target.kind)];
  }
  const ofAutoscaler = target.apiVersion === AUTOSCALING;
  return [
    ...scaleTargetRules(path, target),
    ...duplicates(['spec', 'rules'], cron.spec.rules, (rule) => rule.name, ['name']),
    ...each(['spec', 'rules'], cron.spec.rules, (rule, at) => [
      ...timeRules(at, rule),
      ...(ofAutoscaler ? boundsRules(at, rule) : replicasRules(at, rule)),
    ]),
  ];
}

function timeRules(path: FieldPath, rule: CronFederatedHPARule): readonly Finding[] {
  return [
    ...scheduleRules([...path, 'schedule'], rule.schedule),
    ...(rule.timeZone === undefined || isTimeZone(rule.timeZone)
      ? []
      : [refused([...path, 'timeZone'], 'must be an IANA time zone', rule.timeZone)]),
  ];
}

function scheduleRules(path: FieldPath, schedule: string): readonly Finding[] {
  const verdict = judgeCron(schedule);
  if (verdict === 'runs') return [];
  if (verdict === 'refused') return [refused(path, 'must be a cron expression', schedule)];
  const hint = 'Use five fields of numbers, names, ranges and steps, days 0 to 6.';
  const { admission: _admitted, ...finding } = refused(
    path,
    'must be in the form that the controller reads: Karmada takes it and never runs it',
    schedule,
    { hint },
  );
  return [{ ...finding, ignored: true }];
}

function isTimeZone(name: string): boolean {
  if (name === '' || name === 'Local') return true;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    // RangeError is how the platform says that it has no such zone.
    return false;
  }
}

function boundsRules(path: FieldPath, rule: CronFederatedHPARule): readonly Finding[] {
  const { targetMinReplicas: min, targetMaxReplicas: max } = rule;
  if (min === undefined && max === undefined) {
    const hint = 'For a FederatedHPA set targetMinReplicas, targetMaxReplicas or both.';
    return [needed([...path, 'targetMaxReplicas'], hint)];
  }
  return [
    ...(min !== undefined && min <= 0
      ? [refused([...path, 'targetMinReplicas'], 'must be above 0', min)]
      : []),
    ...(max !== undefined && max <= 0
      ? [refused([...path, 'targetMaxReplicas'], 'must be above 0', max)]
      : []),
    ...((min ?? 1) > (max ?? MAX_INT32)
      ? [refused([...path, 'targetMinReplicas'], `must not exceed targetMaxReplicas (${max})`, min)]
      : []),
  ];
}

function replicasRules(path: FieldPath, rule: CronFederatedHPARule): readonly Finding[] {
  const { targetReplicas: replicas } = rule;
  const at = [...path, 'targetReplicas'];
  if (replicas === undefined) {
    return [needed(at, 'For targets other than a FederatedHPA it is the count to set.')];
  }
  return replicas < 0 ? [refused(at, 'must not be negative', replicas)] : [];
}
