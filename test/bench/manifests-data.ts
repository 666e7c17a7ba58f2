import type { Cluster } from '../../lib/api/cluster.js';
import type { KubeObject } from '../../lib/api/object.js';
import type { PlanInput } from '../../lib/engine/input.js';
import { aWideInput } from './plan-data.js';

/** Deployment, Service and ConfigMap for each placement, each of them on every tenth cluster, all with a region of their own. */
export function threeObjectsEach(placements: number, clusters: number): PlanInput {
  const input = aWideInput(placements, clusters);
  const documents = input.documents.flatMap(({ object }): readonly KubeObject[] => {
    if (object.kind === 'Deployment') return [object, serviceFor(object)];
    return [object.kind === 'PropagationPolicy' ? withService(object) : object];
  });
  const fleet = { ...input.fleet, clusters: input.fleet.clusters.map(servingServices) };
  return { ...input, fleet, documents: documents.map((object) => ({ object })) };
}

function servingServices(cluster: Cluster): Cluster {
  const core = {
    groupVersion: 'v1',
    resources: ['Service', 'ConfigMap'].map((kind) => ({ kind, name: `${kind.toLowerCase()}s` })),
  };
  const { apiEnablements = [], ...status } = cluster.status ?? {};
  return { ...cluster, status: { ...status, apiEnablements: [...apiEnablements, core] } };
}

/** The same with an override policy per cluster, so that no two clusters hold the same. */
export function withOwnOverrides(input: PlanInput): PlanInput {
  const policies = input.fleet.clusters.map(({ metadata: { name = '' } }): KubeObject => ({
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'ClusterOverridePolicy',
    metadata: { name },
    spec: {
      resourceSelectors: ['apps/v1 Deployment', 'v1 Service', 'v1 ConfigMap'].map((selector) => {
        const [apiVersion, kind] = selector.split(' ');
        return { apiVersion, kind };
      }),
      overrideRules: [
        {
          targetCluster: { clusterNames: [name] },
          overriders: { annotationsOverrider: [{ operator: 'add', value: { cluster: name } }] },
        },
      ],
    },
  }));
  return { ...input, documents: [...input.documents, ...policies.map((object) => ({ object }))] };
}

function serviceFor({ metadata }: KubeObject): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata,
    spec: { selector: metadata.labels, ports: [{ name: 'http', port: 80, targetPort: 8080 }] },
  };
}

function withService(policy: KubeObject): KubeObject {
  const spec = policy['spec'] as { readonly resourceSelectors: readonly object[] };
  const service = { apiVersion: 'v1', kind: 'Service', name: policy.metadata.name };
  return {
    ...policy,
    spec: { ...spec, resourceSelectors: [...spec.resourceSelectors, service] },
  };
}
