import type { z } from 'zod';
import { clusterOverridePolicyRules, overridePolicyRules } from './admission/override-policy.js';
import { clusterRules } from './admission/cluster.js';
import { clusterTaintPolicyRules } from './admission/cluster-taint-policy.js';
import { cronFederatedHPARules } from './admission/cron-federated-hpa.js';
import { federatedHPARules } from './admission/federated-hpa.js';
import { federatedResourceQuotaRules } from './admission/federated-resource-quota.js';
import { multiClusterIngressRules } from './admission/multi-cluster-ingress.js';
import { multiClusterServiceRules } from './admission/multi-cluster-service.js';
import {
  clusterPropagationPolicyRules,
  propagationPolicyRules,
} from './admission/propagation-policy.js';
import { resourceBindingRules } from './admission/resource-binding.js';
import { resourceInterpreterWebhookConfigurationRules } from './admission/resource-interpreter-webhook-configuration.js';
import { resourceRegistryRules } from './admission/resource-registry.js';
import { check } from './check.js';
import { cluster } from './cluster.js';
import { clusterOverridePolicy } from './cluster-override-policy.js';
import { clusterPropagationPolicy } from './cluster-propagation-policy.js';
import { clusterResourceBinding } from './cluster-resource-binding.js';
import { clusterTaintPolicy } from './cluster-taint-policy.js';
import { cronFederatedHPA } from './cron-federated-hpa.js';
import { type DefaultOptions, defaultedCluster } from './defaults/cluster.js';
import { defaultedFederatedHPA } from './defaults/federated-hpa.js';
import {
  FAILOVER_DEFAULTS,
  PLACEMENT_DEFAULTS,
  PROPAGATION_DEFAULTS,
  defaultedClusterPropagationPolicy,
  defaultedOverridePolicy,
  defaultedPropagationPolicy,
} from './defaults/policy.js';
import { type DefaultTable, under } from './defaults/table.js';
import { federatedHPA } from './federated-hpa.js';
import { federatedResourceQuota } from './federated-resource-quota.js';
import type { Finding } from './finding.js';
import { fleetLock } from './fleet-lock.js';
import type { Immutable } from './immutable.js';
import { karmada } from './karmada.js';
import { multiClusterIngress } from './multi-cluster-ingress.js';
import { multiClusterService } from './multi-cluster-service.js';
import type { KubeObject } from './object.js';
import { overridePolicy } from './override-policy.js';
import { propagationPolicy } from './propagation-policy.js';
import { remedy } from './remedy.js';
import { resourceBinding } from './resource-binding.js';
import {
  clusterResourceBindingV1alpha1,
  resourceBindingV1alpha1,
} from './resource-binding-v1alpha1.js';
import { resourceInterpreterCustomization } from './resource-interpreter-customization.js';
import { resourceInterpreterWebhookConfiguration } from './resource-interpreter-webhook-configuration.js';
import { resourceRegistry } from './resource-registry.js';
import { rollout } from './rollout.js';
import { serviceExport } from './service-export.js';
import { serviceImport } from './service-import.js';
import { work } from './work.js';
import { workloadRebalancer } from './workload-rebalancer.js';

/** What we know of one kind. */
export interface KindEntry {
  readonly apiVersion: string;
  readonly kind: string;
  readonly schema: z.ZodType;
  readonly namespaced: boolean;
  /** Schema defaults. */
  readonly defaults: DefaultTable;
  /** Defaults of the mutating webhook or aggregated API server, after the schema's; for documents that fit the schema. */
  readonly mutation?: (object: KubeObject, options: DefaultOptions) => KubeObject;
  /** Rules of the validating webhook or aggregated API server; for documents that fit the schema, after defaulting. */
  readonly admission?: (object: KubeObject) => readonly Finding[];
}

interface Rules<Document> {
  readonly defaults?: DefaultTable;
  readonly mutation?: (object: Document, options: DefaultOptions) => Document;
  readonly admission?: (object: Document) => readonly Finding[];
}

function kind<S extends z.ZodType>(
  name: string,
  scope: 'Namespaced' | 'Cluster',
  schema: S,
  rules: Rules<Immutable<z.infer<S>>> = {},
): KindEntry {
  const slash = name.lastIndexOf('/');
  return {
    apiVersion: name.slice(0, slash),
    kind: name.slice(slash + 1),
    schema,
    namespaced: scope === 'Namespaced',
    defaults: {},
    // Rules are written for the document's own type; callers hand in documents that the schema has accepted.
    ...(rules as unknown as Rules<KubeObject>),
  };
}

const BINDING_DEFAULTS: DefaultTable = {
  'spec.conflictResolution': 'Abort',
  ...under('spec.failover', FAILOVER_DEFAULTS),
  ...under('spec.placement', PLACEMENT_DEFAULTS),
  'spec.schedulePriority.priority': 0,
};

const ENTRIES: readonly KindEntry[] = [
  kind('apps.karmada.io/v1alpha1/WorkloadRebalancer', 'Cluster', workloadRebalancer),
  kind('autoscaling.karmada.io/v1alpha1/CronFederatedHPA', 'Namespaced', cronFederatedHPA, {
    defaults: {
      'spec.rules[].failedHistoryLimit': 3,
      'spec.rules[].successfulHistoryLimit': 3,
      'spec.rules[].suspend': false,
    },
    admission: cronFederatedHPARules,
  }),
  kind('autoscaling.karmada.io/v1alpha1/FederatedHPA', 'Namespaced', federatedHPA, {
    mutation: defaultedFederatedHPA,
    admission: federatedHPARules,
  }),
  kind('cluster.karmada.io/v1alpha1/Cluster', 'Cluster', cluster, {
    mutation: defaultedCluster,
    admission: clusterRules,
  }),
  kind(
    'config.karmada.io/v1alpha1/ResourceInterpreterCustomization',
    'Cluster',
    resourceInterpreterCustomization,
  ),
  kind(
    'config.karmada.io/v1alpha1/ResourceInterpreterWebhookConfiguration',
    'Cluster',
    resourceInterpreterWebhookConfiguration,
    { admission: resourceInterpreterWebhookConfigurationRules },
  ),
  kind('fleetwright.dev/v1alpha1/Check', 'Namespaced', check),
  kind('fleetwright.dev/v1alpha1/FleetLock', 'Cluster', fleetLock),
  kind('fleetwright.dev/v1alpha1/Rollout', 'Namespaced', rollout),
  kind('multicluster.x-k8s.io/v1alpha1/ServiceExport', 'Namespaced', serviceExport),
  kind('multicluster.x-k8s.io/v1alpha1/ServiceImport', 'Namespaced', serviceImport),
  kind('networking.karmada.io/v1alpha1/MultiClusterIngress', 'Namespaced', multiClusterIngress, {
    admission: multiClusterIngressRules,
  }),
  kind('networking.karmada.io/v1alpha1/MultiClusterService', 'Namespaced', multiClusterService, {
    admission: multiClusterServiceRules,
  }),
  kind('operator.karmada.io/v1alpha1/Karmada', 'Namespaced', karmada),
  kind('policy.karmada.io/v1alpha1/ClusterOverridePolicy', 'Cluster', clusterOverridePolicy, {
    admission: clusterOverridePolicyRules,
  }),
  kind('policy.karmada.io/v1alpha1/ClusterPropagationPolicy', 'Cluster', clusterPropagationPolicy, {
    defaults: PROPAGATION_DEFAULTS,
    mutation: defaultedClusterPropagationPolicy,
    admission: clusterPropagationPolicyRules,
  }),
  kind('policy.karmada.io/v1alpha1/ClusterTaintPolicy', 'Cluster', clusterTaintPolicy, {
    admission: clusterTaintPolicyRules,
  }),
  kind('policy.karmada.io/v1alpha1/FederatedResourceQuota', 'Namespaced', federatedResourceQuota, {
    admission: federatedResourceQuotaRules,
  }),
  kind('policy.karmada.io/v1alpha1/OverridePolicy', 'Namespaced', overridePolicy, {
    mutation: defaultedOverridePolicy,
    admission: overridePolicyRules,
  }),
  kind('policy.karmada.io/v1alpha1/PropagationPolicy', 'Namespaced', propagationPolicy, {
    defaults: PROPAGATION_DEFAULTS,
    mutation: defaultedPropagationPolicy,
    admission: propagationPolicyRules,
  }),
  kind('remedy.karmada.io/v1alpha1/Remedy', 'Cluster', remedy),
  kind('search.karmada.io/v1alpha1/ResourceRegistry', 'Cluster', resourceRegistry, {
    admission: resourceRegistryRules,
  }),
  kind(
    'work.karmada.io/v1alpha1/ClusterResourceBinding',
    'Cluster',
    clusterResourceBindingV1alpha1,
  ),
  kind('work.karmada.io/v1alpha1/ResourceBinding', 'Namespaced', resourceBindingV1alpha1),
  kind('work.karmada.io/v1alpha1/Work', 'Namespaced', work),
  kind('work.karmada.io/v1alpha2/ClusterResourceBinding', 'Cluster', clusterResourceBinding, {
    defaults: BINDING_DEFAULTS,
  }),
  kind('work.karmada.io/v1alpha2/ResourceBinding', 'Namespaced', resourceBinding, {
    defaults: BINDING_DEFAULTS,
    admission: resourceBindingRules,
  }),
];

/** Every kind that Fleetwright knows the schema of, by `apiVersion/kind`. */
export const KINDS: Readonly<Record<string, KindEntry>> = Object.fromEntries(
  ENTRIES.map((entry) => [`${entry.apiVersion}/${entry.kind}`, entry]),
);
