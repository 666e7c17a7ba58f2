import { printDocuments } from '../../lib/providers/source/index.js';

const SERVED = {
  v1: {
    ConfigMap: 'configmaps',
    Namespace: 'namespaces',
    PersistentVolumeClaim: 'persistentvolumeclaims',
    Secret: 'secrets',
    Service: 'services',
    ServiceAccount: 'serviceaccounts',
  },
  'apps/v1': { DaemonSet: 'daemonsets', Deployment: 'deployments', StatefulSet: 'statefulsets' },
  'autoscaling/v2': { HorizontalPodAutoscaler: 'horizontalpodautoscalers' },
  'batch/v1': { CronJob: 'cronjobs', Job: 'jobs' },
  'networking.k8s.io/v1': { Ingress: 'ingresses' },
  'policy/v1': { PodDisruptionBudget: 'poddisruptionbudgets' },
  'rbac.authorization.k8s.io/v1': { Role: 'roles', RoleBinding: 'rolebindings' },
} as const;

/** Three clusters in three regions, named like those of the sandbox, so that a plan works before there is any cluster. */
export function sampleFleet(now: string): string {
  const text = printDocuments(['eu-1', 'us-1', 'ap-1'].map((name) => sampleCluster(name, now)));
  return `# A sample: replace it with \`fleetwright fleet snapshot\`, or with the clusters of \`fleetwright sandbox\`.\n${text}`;
}

/** Whether a text is the sample as it was written at some time, with nothing changed since. */
export function isSampleFleet(text: string): boolean {
  const at = /observed-at: ["']?([0-9T:Z-]{20})/.exec(text)?.[1];
  return at !== undefined && text === sampleFleet(at);
}

function sampleCluster(name: string, now: string): object {
  const region = name.slice(0, 2);
  const time = `${now.slice(0, 19)}Z`;
  return {
    apiVersion: 'cluster.karmada.io/v1alpha1',
    kind: 'Cluster',
    metadata: {
      name,
      labels: { tier: 'prod' },
      annotations: { 'fleetwright.dev/observed-at': time },
    },
    spec: {
      id: `sandbox-${name}`,
      syncMode: 'Push',
      provider: 'sandbox',
      region,
      zone: `${region}-a`,
    },
    status: {
      kubernetesVersion: 'v1.36.3',
      apiEnablements: Object.entries(SERVED).map(([groupVersion, kinds]) => ({
        groupVersion,
        resources: Object.entries(kinds).map(([kind, plural]) => ({ kind, name: plural })),
      })),
      conditions: [
        {
          type: 'Ready',
          status: 'True',
          reason: 'ClusterReady',
          message: 'sample',
          lastTransitionTime: time,
        },
      ],
      resourceSummary: {
        allocatable: { cpu: '16', memory: '64Gi', pods: '220' },
        allocated: { cpu: '2', memory: '4Gi', pods: '20' },
      },
    },
  };
}
