import type { Release } from '../../engine/plan.js';
import { type LayoutFile, releaseFolder } from './layout.js';

/**
 * `fleet.yaml` beside each manifest: a bundle of SUSE Rancher Fleet for that cluster alone, whatever the GitRepo targets.
 * The GitRepo lists `clusters/*` under `paths`.
 */
export function fleetBundle(release: Release): readonly LayoutFile[] {
  const document = {
    overrideTargets: [{ clusterName: release.cluster }],
    labels: {
      'fleetwright.dev/application': release.application,
      'fleetwright.dev/wave': release.wave,
    },
  };
  return [{ path: `${releaseFolder(release)}/fleet.yaml`, documents: [document] }];
}
