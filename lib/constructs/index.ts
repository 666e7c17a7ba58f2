/**
 * What people write in a cdk8s app. A construct turns intent into Karmada documents and stops: it plans nothing,
 * reads no environment and writes no file.
 *
 * @module
 */
// The app.
export { FleetApp } from './fleet-app.js';
// Workloads with their placement.
export { FederatedDeployment } from './federated-deployment.js';
export type { FederatedDeploymentProps } from './federated-deployment.js';
export { FederatedJob } from './federated-job.js';
export type { FederatedJobProps } from './federated-job.js';
export { FederatedStatefulSet } from './federated-stateful-set.js';
export type { FederatedStatefulSetProps } from './federated-stateful-set.js';
export { FederatedWorkload } from './federated-workload.js';
export type { FederatedWorkloadProps, FederationProps } from './federated-workload.js';
export type { WorkloadProps } from './workload.js';
// Common placements.
export { ClusterAffinities } from './cluster-affinities.js';
export { SpreadConstraints } from './spread-constraints.js';
export type { GroupCount } from './spread-constraints.js';
export { ReplicaScheduling } from './replica-scheduling.js';
export type { ClusterWeight } from './replica-scheduling.js';
// How a change reaches the clusters, and what every plan must hold.
export { Rollout } from './rollout.js';
export type { RolloutProps, RolloutWaveProps, RolloutWindowProps } from './rollout.js';
export { Check } from './check.js';
export type { CheckProps } from './check.js';
// Karmada's documents.
export type { KarmadaObjectProps } from './karmada-object.js';
export { ClusterOverridePolicy } from './cluster-override-policy.js';
export type { ClusterOverridePolicyProps } from './cluster-override-policy.js';
export { ClusterPropagationPolicy } from './cluster-propagation-policy.js';
export type { ClusterPropagationPolicyProps } from './cluster-propagation-policy.js';
export { ClusterTaintPolicy } from './cluster-taint-policy.js';
export type { ClusterTaintPolicyProps } from './cluster-taint-policy.js';
export { CronFederatedHPA } from './cron-federated-hpa.js';
export type { CronFederatedHPAProps } from './cron-federated-hpa.js';
export { FederatedHPA } from './federated-hpa.js';
export type { FederatedHPAProps } from './federated-hpa.js';
export { FederatedResourceQuota } from './federated-resource-quota.js';
export type { FederatedResourceQuotaProps } from './federated-resource-quota.js';
export { MultiClusterIngress } from './multi-cluster-ingress.js';
export type { MultiClusterIngressProps } from './multi-cluster-ingress.js';
export { MultiClusterService } from './multi-cluster-service.js';
export type { MultiClusterServiceProps } from './multi-cluster-service.js';
export { OverridePolicy } from './override-policy.js';
export type { OverridePolicyProps } from './override-policy.js';
export { PropagationPolicy } from './propagation-policy.js';
export type { PropagationPolicyProps } from './propagation-policy.js';
export { Remedy } from './remedy.js';
export type { RemedyProps } from './remedy.js';
export { ResourceInterpreterCustomization } from './resource-interpreter-customization.js';
export type { ResourceInterpreterCustomizationProps } from './resource-interpreter-customization.js';
export { WorkloadRebalancer } from './workload-rebalancer.js';
export type { WorkloadRebalancerProps } from './workload-rebalancer.js';
