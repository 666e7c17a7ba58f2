import type { PlannedWave, Release } from '../../engine/plan.js';
import { type LayoutFile, ownerName, releaseFolder } from './layout.js';

/**
 * One Kustomization per cluster in `flux/<cluster>/<app>.yaml`, for a cluster bootstrapped with `--path=flux/<cluster>`;
 * it reads the manifests from the same repository. Flux waits for health up to the wave's deadline.
 */
export function fluxKustomization(
  release: Release,
  wave: PlannedWave | undefined,
): readonly LayoutFile[] {
  const owner = ownerName(release);
  const document = {
    apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
    kind: 'Kustomization',
    metadata: { name: owner, namespace: 'flux-system' },
    spec: {
      interval: '10m',
      path: `./${releaseFolder(release)}`,
      prune: true,
      wait: true,
      timeout: `${wave?.gate.deadlineSeconds ?? 600}s`,
      sourceRef: { kind: 'GitRepository', name: 'flux-system' },
    },
  };
  const kustomize = {
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    resources: ['manifest.yaml'],
  };
  return [
    { path: `flux/${release.cluster}/${owner}.yaml`, documents: [document] },
    { path: `${releaseFolder(release)}/kustomization.yaml`, documents: [kustomize] },
  ];
}
