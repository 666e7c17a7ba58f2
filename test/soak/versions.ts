import type { FleetLock } from '../../lib/api/fleet-lock.js';
import type { KubeObject } from '../../lib/api/object.js';
import type { Plan } from '../../lib/engine/plan.js';
import { planApplication } from '../../lib/providers/plan-application.js';
import { aCluster, anInput, aPolicy } from '../builders.js';

/** Waves as a Rollout writes them. */
type Waves = readonly object[];

/** 20, 30 and 50 % of the fleet, half of each at a time. */
export const THREE_WAVES: Waves = [
  { name: 'first', percentage: 20, maxConcurrent: '50%', deadline: '120s' },
  { name: 'second', percentage: 38, maxConcurrent: '50%', deadline: '120s' },
  { name: 'rest', maxConcurrent: '50%', deadline: '120s' },
];

export const oneWave = (soakSeconds: number): Waves => [
  { name: 'all', maxConcurrent: '50%', deadline: '120s', soak: `${soakSeconds}s` },
];

/** One version of an application on every cluster, planned from what the one before left in the lock. */
export function planVersion(
  names: readonly string[],
  version: number,
  waves: Waves,
  lock: FleetLock | undefined,
): Plan {
  const rollout: KubeObject = {
    apiVersion: 'fleetwright.dev/v1alpha1',
    kind: 'Rollout',
    metadata: { name: 'waves', namespace: 'shop' },
    spec: { waves },
  };
  const documents = [web(version), aPolicy('web', {}), rollout];
  const clusters = names.map((name) => aCluster(name));
  return planApplication(anInput(documents, clusters, {}, lock === undefined ? {} : { lock }));
}

/** Two pods that are ready at once. */
function web(version: number): KubeObject {
  const labels = { app: 'web' };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop' },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels, annotations: { 'rig/ready-after': '10ms' } },
        spec: { containers: [{ name: 'main', image: `nginx:${version}` }] },
      },
    },
  };
}
