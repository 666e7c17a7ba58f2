import type { Interpreter } from '../interpreter.js';
import { workflow } from './argo/workflow.js';
import { flinkDeployment } from './flink/flink-deployment.js';
import { bucket } from './flux/bucket.js';
import { gitRepository } from './flux/git-repository.js';
import { helmChart } from './flux/helm-chart.js';
import { helmRelease } from './flux/helm-release.js';
import { helmRepository } from './flux/helm-repository.js';
import { kustomization } from './flux/kustomization.js';
import { ociRepository } from './flux/oci-repository.js';
import { advancedCronJob } from './kruise/advanced-cron-job.js';
import { broadcastJob } from './kruise/broadcast-job.js';
import { cloneSet } from './kruise/clone-set.js';
import { kruiseDaemonSet } from './kruise/daemon-set.js';
import { sidecarSet } from './kruise/sidecar-set.js';
import { kruiseStatefulSet } from './kruise/stateful-set.js';
import { unitedDeployment } from './kruise/united-deployment.js';
import { mpiJob } from './kubeflow/mpi-job.js';
import { notebook } from './kubeflow/notebook.js';
import { pytorchJob } from './kubeflow/pytorch-job.js';
import { tfJob } from './kubeflow/tf-job.js';
import { kyvernoPolicy } from './kyverno/policy.js';
import { rayCluster } from './ray/ray-cluster.js';
import { rayJob } from './ray/ray-job.js';
import { rayService } from './ray/ray-service.js';
import { sparkApplication } from './spark/spark-application.js';
import { volcanoJob } from './volcano/job.js';

/**
 * Kinds of other projects that Karmada interprets by scripts, as those scripts answer, oddities included. Exact versions
 * only. Source: lifecycle reference §5.
 */
export const THIRD_PARTY_INTERPRETERS: readonly Interpreter[] = [
  advancedCronJob,
  broadcastJob,
  cloneSet,
  kruiseDaemonSet,
  sidecarSet,
  unitedDeployment,
  kruiseStatefulSet,
  workflow,
  volcanoJob,
  flinkDeployment,
  helmRelease,
  notebook,
  pytorchJob,
  tfJob,
  mpiJob,
  kustomization,
  kyvernoPolicy,
  rayCluster,
  rayJob,
  rayService,
  gitRepository,
  bucket,
  helmChart,
  helmRepository,
  ociRepository,
  sparkApplication,
];
