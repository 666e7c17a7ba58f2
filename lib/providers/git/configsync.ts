import type { PlannedWave, Release } from '../../engine/plan.js';
import { type LayoutFile, type LayoutOptions, ownerName, releaseFolder } from './layout.js';

/** One RootSync per cluster in `configsync/<cluster>/<app>.yaml`, to be applied to that cluster once. */
export function rootSync(
  release: Release,
  _wave: PlannedWave | undefined,
  { repo = '', revision = 'main' }: LayoutOptions,
): readonly LayoutFile[] {
  const owner = ownerName(release);
  const document = {
    apiVersion: 'configsync.gke.io/v1beta1',
    kind: 'RootSync',
    metadata: { name: owner, namespace: 'config-management-system' },
    spec: {
      sourceType: 'git',
      sourceFormat: 'unstructured',
      git: { repo, revision, dir: releaseFolder(release), auth: 'none' },
    },
  };
  return [{ path: `configsync/${release.cluster}/${owner}.yaml`, documents: [document] }];
}
