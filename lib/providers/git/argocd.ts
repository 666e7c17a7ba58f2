import type { Plan } from '../../engine/plan.js';
import { type LayoutFile, type LayoutOptions, ownerName, releaseFolder } from './layout.js';

/**
 * One ApplicationSet in `argocd/<app>.yaml`: an Application per cluster, and the plan's waves as RollingSync steps.
 * Clusters go by the names under which Argo CD knows them. Progressive syncs must be enabled in its controller.
 */
export function applicationSet(
  plan: Plan,
  { repo = '', revision = 'main' }: LayoutOptions,
): readonly LayoutFile[] {
  const owner = ownerName(plan);
  const elements = plan.releases.map((release) => ({
    cluster: release.cluster,
    path: releaseFolder(release),
    wave: release.wave,
  }));
  if (elements.length === 0) return [];
  const steps = plan.waves.map((wave) => ({
    matchExpressions: [{ key: 'fleetwright.dev/wave', operator: 'In', values: [wave.name] }],
    maxUpdate: wave.maxConcurrent,
  }));
  const document = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name: owner, namespace: 'argocd' },
    spec: {
      goTemplate: true,
      goTemplateOptions: ['missingkey=error'],
      generators: [{ list: { elements } }],
      strategy: { type: 'RollingSync', rollingSync: { steps } },
      template: {
        metadata: {
          name: `${owner}-{{ .cluster }}`,
          labels: { 'fleetwright.dev/application': owner, 'fleetwright.dev/wave': '{{ .wave }}' },
        },
        spec: {
          project: 'default',
          source: { repoURL: repo, targetRevision: revision, path: '{{ .path }}' },
          destination: { name: '{{ .cluster }}' },
          syncPolicy: { syncOptions: ['ServerSideApply=true', 'RespectIgnoreDifferences=true'] },
        },
      },
    },
  };
  return [{ path: `argocd/${owner}.yaml`, documents: [document] }];
}
