import { ApiObject, Chart, Duration } from 'cdk8s';
import {
  Check,
  ClusterAffinities,
  FederatedDeployment,
  FederatedWorkload,
  FleetApp,
  ReplicaScheduling,
  Rollout,
  SpreadConstraints,
} from 'fleetwright/constructs';

/** A web shop over the production clusters of at least two regions, changed in two waves. */
export function shopApp(image = 'nginx:1.29'): FleetApp {
  const app = new FleetApp();
  const shop = new Chart(app, 'shop', { namespace: 'shop' });

  const placement = {
    clusterAffinity: ClusterAffinities.byLabels({ tier: 'prod' }),
    spreadConstraints: SpreadConstraints.overRegions({ min: 2, max: 3 }, { min: 2, max: 4 }),
  };

  const settings = new ApiObject(shop, 'settings', {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'web-env' },
    data: { GREETING: 'hello' },
  });

  // The ConfigMap follows its Deployment: the plan says so, and why.
  new FederatedDeployment(shop, 'web', {
    replicas: 9,
    containers: [
      {
        name: 'web',
        image,
        envFrom: [{ configMapRef: { name: settings.name } }],
        resources: { requests: { cpu: '250m', memory: '256Mi' } },
      },
    ],
    placement: { ...placement, replicaScheduling: ReplicaScheduling.dividedByAvailableReplicas() },
    overrides: [
      {
        targetCluster: { clusterNames: ['ap-1'] },
        overriders: {
          imageOverrider: [{ component: 'Registry', operator: 'replace', value: 'mirror.example' }],
        },
      },
    ],
  });

  // Anything else can be placed too.
  const service = new ApiObject(shop, 'service', {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web' },
    spec: { selector: { 'app.kubernetes.io/name': 'web' }, ports: [{ port: 80 }] },
  });
  new FederatedWorkload(shop, 'service-placement', { template: service, placement });

  new Rollout(shop, 'rollout', {
    waves: [
      { name: 'canary', clusterAffinity: { clusterNames: ['eu-1'] }, soak: Duration.seconds(5) },
      { name: 'rest', maxConcurrent: '50%' },
    ],
  });
  new Check(shop, 'regions', { spec: { survivesLossOf: 'region', minAvailablePercent: 30 } });
  return app;
}

if (require.main === module) shopApp().synth();
