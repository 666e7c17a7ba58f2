import type { Interpreter } from '../interpreter.js';
import { cronJob } from './cron-job.js';
import { daemonSet } from './daemon-set.js';
import { deployment } from './deployment.js';
import { horizontalPodAutoscaler } from './horizontal-pod-autoscaler.js';
import { ingress } from './ingress.js';
import { job } from './job.js';
import { persistentVolumeClaim } from './persistent-volume-claim.js';
import { persistentVolume } from './persistent-volume.js';
import { podDisruptionBudget } from './pod-disruption-budget.js';
import { pod } from './pod.js';
import { replicaSet } from './replica-set.js';
import { secret } from './secret.js';
import { serviceAccount } from './service-account.js';
import { serviceImport } from './service-import.js';
import { service } from './service.js';
import { statefulSet } from './stateful-set.js';

/** The kinds that Karmada interprets itself, in the order of the lifecycle reference §3.1. Exact versions only. */
export const NATIVE_INTERPRETERS: readonly Interpreter[] = [
  deployment,
  replicaSet,
  statefulSet,
  daemonSet,
  job,
  cronJob,
  pod,
  service,
  ingress,
  persistentVolumeClaim,
  persistentVolume,
  horizontalPodAutoscaler,
  podDisruptionBudget,
  serviceAccount,
  secret,
  serviceImport,
];
