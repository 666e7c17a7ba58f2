/**
 * The types of the kinds that a kube-apiserver has built in, generated; see a file of this folder for the notation.
 *
 * @module
 */
import { ACCESS } from './access.js';
import { CLUSTER } from './cluster.js';
import { CORE } from './core.js';
import { MACHINERY } from './machinery.js';
import { NETWORKING } from './networking.js';
import { WORKLOADS } from './workloads.js';

export const BUILTIN_TYPES = [ACCESS, CLUSTER, CORE, MACHINERY, NETWORKING, WORKLOADS].join('');

/** apiVersion and kind, and the name of the type. */
export const BUILTIN_KINDS = `
admissionregistration.k8s.io/v1/MutatingAdmissionPolicy=MutatingAdmissionPolicy
admissionregistration.k8s.io/v1/MutatingAdmissionPolicyBinding=MutatingAdmissionPolicyBinding
admissionregistration.k8s.io/v1/MutatingWebhookConfiguration=MutatingWebhookConfiguration
admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy=ValidatingAdmissionPolicy
admissionregistration.k8s.io/v1/ValidatingAdmissionPolicyBinding=ValidatingAdmissionPolicyBinding
admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration=ValidatingWebhookConfiguration
apps/v1/ControllerRevision=ControllerRevision
apps/v1/DaemonSet=DaemonSet
apps/v1/Deployment=Deployment
apps/v1/ReplicaSet=ReplicaSet
apps/v1/StatefulSet=StatefulSet
autoscaling/v1/HorizontalPodAutoscaler=HorizontalPodAutoscaler
autoscaling/v1/Scale=Scale
autoscaling/v2/HorizontalPodAutoscaler=autoscaling.v2.HorizontalPodAutoscaler
batch/v1/CronJob=CronJob
batch/v1/Job=Job
certificates.k8s.io/v1/CertificateSigningRequest=CertificateSigningRequest
coordination.k8s.io/v1/Lease=Lease
v1/Binding=Binding
v1/ComponentStatus=ComponentStatus
v1/ConfigMap=ConfigMap
v1/Endpoints=Endpoints
v1/Event=Event
v1/LimitRange=LimitRange
v1/Namespace=Namespace
v1/Node=Node
v1/PersistentVolume=PersistentVolume
v1/PersistentVolumeClaim=PersistentVolumeClaim
v1/Pod=Pod
v1/PodTemplate=PodTemplate
v1/ReplicationController=ReplicationController
v1/ResourceQuota=ResourceQuota
v1/Secret=Secret
v1/Service=Service
v1/ServiceAccount=ServiceAccount
discovery.k8s.io/v1/EndpointSlice=EndpointSlice
events.k8s.io/v1/Event=events.v1.Event
networking.k8s.io/v1/IPAddress=IPAddress
networking.k8s.io/v1/Ingress=Ingress
networking.k8s.io/v1/IngressClass=IngressClass
networking.k8s.io/v1/NetworkPolicy=NetworkPolicy
networking.k8s.io/v1/ServiceCIDR=ServiceCIDR
node.k8s.io/v1/RuntimeClass=RuntimeClass
policy/v1/Eviction=Eviction
policy/v1/PodDisruptionBudget=PodDisruptionBudget
rbac.authorization.k8s.io/v1/ClusterRole=ClusterRole
rbac.authorization.k8s.io/v1/ClusterRoleBinding=ClusterRoleBinding
rbac.authorization.k8s.io/v1/Role=Role
rbac.authorization.k8s.io/v1/RoleBinding=RoleBinding
scheduling.k8s.io/v1/PriorityClass=PriorityClass
storage.k8s.io/v1/CSIDriver=CSIDriver
storage.k8s.io/v1/CSINode=CSINode
storage.k8s.io/v1/CSIStorageCapacity=CSIStorageCapacity
storage.k8s.io/v1/StorageClass=StorageClass
storage.k8s.io/v1/VolumeAttachment=VolumeAttachment
storage.k8s.io/v1/VolumeAttributesClass=VolumeAttributesClass
apiextensions.k8s.io/v1/CustomResourceDefinition=CustomResourceDefinition
`;
