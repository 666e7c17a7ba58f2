/**
 * Is this object rolled out? One rule per kind, stricter than Karmada's health: what a gate asks before the next wave.
 *
 * @module
 */
import type { KubeObject } from '../../../api/object.js';
import { groupOf } from '../../object.js';
import { argoRolloutReadiness } from './argo-rollout.js';
import { crdReadiness } from './crd.js';
import { customReadiness } from './custom.js';
import { daemonSetReadiness } from './daemon-set.js';
import { deploymentReadiness } from './deployment.js';
import { disruptionBudgetReadiness } from './disruption-budget.js';
import { ingressReadiness } from './ingress.js';
import { jobReadiness } from './job.js';
import { namespaceReadiness } from './namespace.js';
import { podReadiness } from './pod.js';
import type { Readiness, ReadinessRule } from './readiness.js';
import { READY, waiting } from './readiness.js';
import { replicaSetReadiness } from './replica-set.js';
import { serviceReadiness } from './service.js';
import { statefulSetReadiness } from './stateful-set.js';
import { volumeClaimReadiness } from './volume-claim.js';

export type { Readiness, ReadinessRule } from './readiness.js';
export { isOnlyScaled } from './scaling.js';

const RULES: Readonly<Record<string, ReadinessRule>> = {
  'apiextensions.k8s.io/CustomResourceDefinition': crdReadiness,
  'apps/DaemonSet': daemonSetReadiness,
  'apps/Deployment': deploymentReadiness,
  'apps/ReplicaSet': replicaSetReadiness,
  'apps/StatefulSet': statefulSetReadiness,
  'argoproj.io/Rollout': argoRolloutReadiness,
  'batch/Job': jobReadiness,
  'networking.k8s.io/Ingress': ingressReadiness,
  'policy/PodDisruptionBudget': disruptionBudgetReadiness,
  '/Namespace': namespaceReadiness,
  '/PersistentVolumeClaim': volumeClaimReadiness,
  '/Pod': podReadiness,
  '/ReplicationController': replicaSetReadiness,
  '/Service': serviceReadiness,
};

/** API groups whose kinds never need a controller before they work: stored is ready. */
const STORED = new Set([
  '',
  'admissionregistration.k8s.io',
  'autoscaling',
  'batch',
  'coordination.k8s.io',
  'discovery.k8s.io',
  'networking.k8s.io',
  'node.k8s.io',
  'policy',
  'rbac.authorization.k8s.io',
  'scheduling.k8s.io',
  'storage.k8s.io',
]);

/**
 * How far an object is, judged by its own newest generation alone.
 *
 * Kinds of Kubernetes without a rule (ConfigMap, Role, CronJob, …) are ready once stored; all other kinds go by the
 * kstatus conventions and the health rule of their kind, where there is one. An object that is being deleted is never ready.
 */
export function readiness(object: KubeObject): Readiness {
  const kind = `${groupOf(object.apiVersion)}/${object.kind}`;
  const rule = RULES[kind];
  if (object.metadata.deletionTimestamp !== undefined && rule !== namespaceReadiness) {
    return waiting('the old object to be gone (it is being deleted)');
  }
  if (rule !== undefined) return rule(object);
  return STORED.has(groupOf(object.apiVersion)) ? READY : customReadiness(object);
}

const OBSERVED = new Set([
  'apps/DaemonSet',
  'apps/Deployment',
  'apps/ReplicaSet',
  'apps/StatefulSet',
  'policy/PodDisruptionBudget',
]);

/** Whether the controller of this kind always reports `status.observedGeneration`: without it, it has not looked yet. */
export function reportsObserved({
  apiVersion,
  kind,
}: {
  readonly apiVersion: string;
  readonly kind: string;
}): boolean {
  return OBSERVED.has(`${groupOf(apiVersion)}/${kind}`);
}

/** Whether readiness of this kind can change after it was stored: only these are watched. */
export function isWatched({
  apiVersion,
  kind,
}: {
  readonly apiVersion: string;
  readonly kind: string;
}): boolean {
  return RULES[`${groupOf(apiVersion)}/${kind}`] !== undefined || !STORED.has(groupOf(apiVersion));
}
