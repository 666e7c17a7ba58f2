import { z } from 'zod';
import { condition } from './condition.js';
import type { Immutable } from './immutable.js';
import { toleration } from './toleration.js';
import { fields, freeForm, int32, int64, objectMeta, optional, stringMap } from './value.js';

const flags = z.record(z.string(), z.boolean());
const countOrPercent = z.union([z.int(), z.string()], { error: 'must be a count or a percentage' });
const optionalReference = fields({ namespace: optional(z.string()), name: optional(z.string()) });

const podDisruptionBudgetConfig = fields({
  minAvailable: optional(countOrPercent),
  maxUnavailable: optional(countOrPercent),
}).refine(
  (budget) => (budget.minAvailable === undefined) !== (budget.maxUnavailable === undefined),
  {
    error: 'must have exactly one of minAvailable and maxUnavailable',
  },
);

/** Settings of every component. Structures of Kubernetes itself are not looked into. */
const common = {
  imageRepository: optional(z.string()),
  imageTag: optional(z.string()),
  imagePullPolicy: optional(z.string()),
  replicas: optional(int32),
  labels: optional(stringMap),
  annotations: optional(stringMap),
  resources: optional(freeForm),
  /** Default `system-node-critical`. */
  priorityClassName: optional(z.string()),
  podDisruptionBudgetConfig: optional(podDisruptionBudgetConfig),
  tolerations: optional(z.array(toleration)),
  affinity: optional(freeForm),
};

const extraArgs = optional(stringMap);
const featureGates = optional(flags);
const certSANs = optional(z.array(z.string()));
const controllers = optional(z.array(z.string()));

const etcd = fields({
  local: optional(
    fields({
      ...common,
      volumeData: optional(
        fields({
          volumeClaim: optional(freeForm),
          hostPath: optional(freeForm),
          emptyDir: optional(freeForm),
        }),
      ),
      serverCertSANs: certSANs,
      peerCertSANs: certSANs,
    }),
  ),
  external: optional(fields({ endpoints: z.array(z.string()), secretRef: optionalReference })),
});

const components = fields({
  etcd,
  karmadaAPIServer: optional(
    fields({
      ...common,
      extraArgs,
      featureGates,
      certSANs,
      serviceSubnet: optional(z.string()),
      /** Default `ClusterIP`. */
      serviceType: optional(z.enum(['ClusterIP', 'NodePort', 'LoadBalancer'])),
      loadBalancerClass: optional(z.string()),
      serviceAnnotations: optional(stringMap),
      extraVolumes: optional(z.array(freeForm)),
      extraVolumeMounts: optional(z.array(freeForm)),
      sidecarContainers: optional(z.array(freeForm)),
    }),
  ),
  karmadaAggregatedAPIServer: optional(fields({ ...common, extraArgs, featureGates, certSANs })),
  kubeControllerManager: optional(fields({ ...common, extraArgs, featureGates, controllers })),
  karmadaControllerManager: optional(fields({ ...common, extraArgs, featureGates, controllers })),
  karmadaScheduler: optional(fields({ ...common, extraArgs, featureGates })),
  karmadaWebhook: optional(fields({ ...common, extraArgs })),
  karmadaMetricsAdapter: optional(fields({ ...common, extraArgs })),
  karmadaDescheduler: optional(fields({ ...common, extraArgs })),
  karmadaSearch: optional(fields({ ...common, extraArgs })),
});

export const karmadaSpec = fields({
  /** Absent: the cluster of the operator. */
  hostCluster: optional(
    fields({
      apiEndpoint: optional(z.string()),
      secretRef: optional(optionalReference),
      networking: optional(fields({ dnsDomain: optional(z.string()) })),
    }),
  ),
  privateRegistry: optional(fields({ registry: z.string() })),
  featureGates,
  suspend: optional(z.boolean()),
  crdTarball: optional(
    fields({
      httpSource: optional(
        fields({ url: z.string(), proxy: optional(fields({ proxyURL: z.string() })) }),
      ),
      crdDownloadPolicy: optional(z.enum(['Always', 'IfNotPresent'])),
    }),
  ),
  customCertificate: optional(
    fields({
      apiServerCACert: optional(optionalReference),
      leafCertValidityDays: optional(int32.min(1)),
    }),
  ),
  components: optional(components),
});

/** A control plane that Karmada's operator installs (operator.karmada.io/v1alpha1). */
export const karmada = fields({
  apiVersion: z.literal('operator.karmada.io/v1alpha1'),
  kind: z.literal('Karmada'),
  metadata: objectMeta,
  spec: optional(karmadaSpec),
  status: optional(
    fields({
      observedGeneration: optional(int64),
      secretRef: optional(optionalReference),
      karmadaVersion: optional(z.string()),
      kubernetesVersion: optional(z.string()),
      conditions: optional(z.array(condition)),
      apiServerService: optional(fields({ name: z.string() })),
    }),
  ),
});

export type KarmadaSpec = Immutable<z.infer<typeof karmadaSpec>>;
export type Karmada = Immutable<z.infer<typeof karmada>>;
