import { sampleFleet } from './sample-fleet.js';

const PULUMI = `name: shop
runtime: nodejs
description: A web shop on many clusters
`;

const PACKAGE = `${JSON.stringify(
  {
    name: 'shop',
    private: true,
    main: 'index.ts',
    dependencies: {
      '@pulumi/pulumi': '^3.276.0',
      cdk8s: '^2.70.106',
      constructs: '^10.8.1',
      fleetwright: '^0.1.0',
    },
    devDependencies: { '@types/node': '^24.0.0', typescript: '^6.0.0' },
  },
  null,
  2,
)}\n`;

const TSCONFIG = `${JSON.stringify(
  {
    compilerOptions: {
      target: 'es2022',
      module: 'nodenext',
      strict: true,
      skipLibCheck: true,
      outDir: 'bin',
    },
    files: ['index.ts'],
  },
  null,
  2,
)}\n`;

const INDEX = `import { Chart, Duration } from 'cdk8s';
import { FederatedDeployment, FleetApp, ReplicaScheduling, Rollout } from 'fleetwright/constructs';
import { FleetRelease } from 'fleetwright/pulumi';

const app = new FleetApp();
const shop = new Chart(app, 'shop', { namespace: 'shop' });

new FederatedDeployment(shop, 'web', {
  replicas: 9,
  containers: [
    { name: 'web', image: 'nginx:1.29', resources: { requests: { cpu: '250m', memory: '256Mi' } } },
  ],
  placement: {
    clusterAffinity: { labelSelector: { matchLabels: { tier: 'prod' } } },
    spreadConstraints: [
      { spreadByField: 'region', minGroups: 2, maxGroups: 3 },
      { spreadByField: 'cluster', minGroups: 2, maxGroups: 4 },
    ],
    replicaScheduling: ReplicaScheduling.dividedByAvailableReplicas(),
  },
});

new Rollout(shop, 'rollout', {
  waves: [
    { name: 'canary', clusterAffinity: { clusterNames: ['eu-1'] }, soak: Duration.seconds(30) },
    { name: 'rest', maxConcurrent: '50%' },
  ],
});

const release = new FleetRelease('shop', { app, fleet: 'fleet.yaml' });
export const observedGeneration = release.observedGeneration;
export const status = release.status;
`;

const README = `# Shop on many clusters, with Pulumi

\`\`\`sh
npm install
pulumi preview    # the plan: what would run where, and why
pulumi up         # wave by wave; done when every cluster has observed the change and is healthy
\`\`\`

Clusters are the contexts of your kubeconfig; \`fleetwright fleet snapshot\` writes \`fleet.yaml\` from them. Commit \`fleet.lock.yaml\`.
`;

/** Files of a Pulumi project, by path. */
export function pulumiProject(now: string): Record<string, string> {
  return {
    'Pulumi.yaml': PULUMI,
    'package.json': PACKAGE,
    'tsconfig.json': TSCONFIG,
    'index.ts': INDEX,
    'fleet.yaml': sampleFleet(now),
    'README.md': README,
    '.gitignore': 'node_modules/\n',
  };
}
