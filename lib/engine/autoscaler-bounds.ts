import type { Diagnostic } from './diagnostic.js';
import { fieldAt, listAt, textAt } from './interpret/field.js';
import type { KubeObject } from './object.js';
import { describeRef, isOf, refOf } from './object.js';

/** What an autoscaler may do: whole pods, `0 ≤ minReplicas ≤ maxReplicas`, `maxReplicas ≥ 1`. */
export interface AutoscalerBounds {
  readonly minReplicas: number;
  readonly maxReplicas: number;
}

type Finding = Omit<Diagnostic, 'resource'>;

/** The bounds of an autoscaler, or what an API server would refuse in them. */
export type ReadBounds =
  | { readonly ok: true; readonly value: AutoscalerBounds }
  | { readonly ok: false; readonly findings: readonly Finding[] };

/** Kubernetes stores counts as 32 bit integers. */
const MOST = 2_147_483_647;

/** Where autoscaling/v1 keeps metrics that it has no field for. */
const METRICS_ANNOTATION = 'autoscaling.alpha.kubernetes.io/metrics';

/** Metric sources that can be read while there is no pod. */
const WITHOUT_PODS: ReadonlySet<string> = new Set(['External', 'Object']);

/** Whether an object is one of Kubernetes' own autoscalers, whatever the version. */
export function isAutoscaler(object: Pick<KubeObject, 'apiVersion' | 'kind'>): boolean {
  return isOf(object, 'autoscaling', 'HorizontalPodAutoscaler');
}

/**
 * Read `spec.minReplicas` and `spec.maxReplicas`, by the rules of the API server: whole numbers, a minimum of at least 1 (0
 * only with an Object or External metric, and where clusters have the gate HPAScaleToZero), a maximum of at least 1 and not
 * below the minimum. An absent minimum is 1.
 *
 * Source: Kubernetes, `pkg/apis/autoscaling/validation`. Codes: FIELD_REQUIRED, FIELD_INVALID.
 */
export function readBounds(autoscaler: KubeObject): ReadBounds {
  const min = fieldAt(autoscaler, 'spec', 'minReplicas') ?? 1;
  const max = fieldAt(autoscaler, 'spec', 'maxReplicas');
  const findings = [...minimumFindings(autoscaler, min), ...maximumFindings(autoscaler, min, max)];
  return findings.length === 0
    ? { ok: true, value: { minReplicas: min as number, maxReplicas: max as number } }
    : { ok: false, findings };
}

function minimumFindings(autoscaler: KubeObject, min: unknown): Finding[] {
  if (!isCount(min) || min < 0) {
    return [invalid(autoscaler, 'minReplicas', 'must be a whole number from 1', min)];
  }
  if (min > 0 || canStartFromNothing(autoscaler)) return [];
  return [
    invalid(
      autoscaler,
      'minReplicas',
      'must be at least 1, since no metric of type Object or External could wake the workload up again',
      min,
    ),
  ];
}

function maximumFindings(autoscaler: KubeObject, min: unknown, max: unknown): Finding[] {
  if (max === undefined) {
    return [
      {
        severity: 'error',
        code: 'FIELD_REQUIRED',
        path: ['spec', 'maxReplicas'],
        summary: `${describeRef(refOf(autoscaler))} has no spec.maxReplicas, which every cluster asks for.`,
        hint: 'Write the most replicas it may ask for.',
      },
    ];
  }
  if (!isCount(max) || max < 1) {
    return [invalid(autoscaler, 'maxReplicas', 'must be a whole number from 1', max)];
  }
  if (!isCount(min) || max >= min) return [];
  return [invalid(autoscaler, 'maxReplicas', `must be at least minReplicas, which is ${min}`, max)];
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && Math.abs(value as number) <= MOST;
}

function canStartFromNothing(autoscaler: KubeObject): boolean {
  const { annotations } = autoscaler.metadata;
  if (annotations?.[METRICS_ANNOTATION] !== undefined) return true;
  return listAt(autoscaler, 'spec', 'metrics').some((m) => WITHOUT_PODS.has(textAt(m, 'type')));
}

function invalid(autoscaler: KubeObject, field: string, must: string, value: unknown): Finding {
  return {
    severity: 'error',
    code: 'FIELD_INVALID',
    path: ['spec', field],
    summary: `${describeRef(refOf(autoscaler))}: spec.${field} is ${shown(value)}, but ${must}.`,
    hint: 'Every cluster would refuse it: correct the field.',
  };
}

function shown(value: unknown): string {
  return typeof value === 'number' ? String(value) : JSON.stringify(value).slice(0, 60);
}
