import { Chart, Duration } from 'cdk8s';
import {
  ClusterAffinities,
  FederatedDeployment,
  FleetApp,
  ReplicaScheduling,
  Rollout,
  SpreadConstraints,
} from 'fleetwright/constructs';
import { FleetRelease } from 'fleetwright/pulumi';

const app = new FleetApp();
const shop = new Chart(app, 'shop', { namespace: 'shop' });

new FederatedDeployment(shop, 'web', {
  replicas: 9,
  containers: [
    {
      name: 'web',
      image: 'nginx:1.29',
      resources: { requests: { cpu: '250m', memory: '256Mi' } },
    },
  ],
  placement: {
    clusterAffinity: ClusterAffinities.byLabels({ tier: 'prod' }),
    spreadConstraints: SpreadConstraints.overRegions({ min: 2, max: 3 }, { min: 2, max: 4 }),
    replicaScheduling: ReplicaScheduling.dividedByAvailableReplicas(),
  },
  overrides: [
    {
      targetCluster: { clusterNames: ['cn-1'] },
      overriders: {
        imageOverrider: [{ component: 'Registry', operator: 'replace', value: 'mirror.cn' }],
      },
    },
  ],
});

new Rollout(shop, 'rollout', {
  waves: [
    { name: 'canary', clusterAffinity: { clusterNames: ['eu-1'] }, soak: Duration.minutes(5) },
    { name: 'rest', maxConcurrent: '50%' },
  ],
});

const release = new FleetRelease('shop', { app, fleet: 'fleet.yaml' });

/** Done when every cluster has observed this generation of every template. */
export const observedGeneration = release.observedGeneration;
export const status = release.status;
/** What the preview shows, as data. */
export const plan = release.plan;
