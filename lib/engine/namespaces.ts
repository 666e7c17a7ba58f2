import { canonicalJson } from './canonical.js';
import { compareStrings } from './compare.js';
import type { KubeObject } from './object.js';
import { MARKS } from './plan.js';
import type { RenderedManifest } from './rendered.js';
import { applyRank, prune } from './render/index.js';
import type { Snapshot } from './snapshot.js';

/** Every cluster has these. */
const BUILT_IN = new Set(['default', 'kube-node-lease', 'kube-public', 'kube-system']);

/**
 * The namespaces that manifests live in, on each cluster that needs them, with what the template of that name says. A
 * namespace is shared: it carries no owner and belongs to nobody's prune set. One that a policy places itself is left out.
 */
export function namespaceManifests(
  snapshot: Snapshot,
  manifests: readonly RenderedManifest[],
): readonly RenderedManifest[] {
  const needed = new Map<string, Set<string>>();
  const placed = new Map<string, Set<string>>();
  const add = (map: Map<string, Set<string>>, cluster: string, name: string): void => {
    const names = map.get(cluster);
    if (names === undefined) map.set(cluster, new Set([name]));
    else names.add(name);
  };
  for (const { cluster, resource } of manifests) {
    if (resource.namespace !== undefined && !BUILT_IN.has(resource.namespace))
      add(needed, cluster, resource.namespace);
    if (resource.kind === 'Namespace' && resource.apiVersion === 'v1')
      add(placed, cluster, resource.name);
  }
  const templates = new Map(
    snapshot.templates
      .filter(({ object }) => object.kind === 'Namespace')
      .map(({ object }) => [object.metadata.name ?? '', object]),
  );
  const objects = new Map<string, Pick<RenderedManifest, 'object' | 'revision'>>();
  const result: RenderedManifest[] = [];
  for (const cluster of [...needed.keys()].sort(compareStrings)) {
    for (const name of [...(needed.get(cluster) ?? [])].sort(compareStrings)) {
      if (placed.get(cluster)?.has(name) === true) continue;
      const known = objects.get(name) ?? namespaceObject(name, templates.get(name), snapshot);
      objects.set(name, known);
      result.push({
        ...known,
        bindingKey: '',
        cluster,
        resource: { apiVersion: 'v1', kind: 'Namespace', name },
        generation: 1,
        // Somebody else may have made it; taking a share of it harms nobody.
        conflictResolution: 'Overwrite',
        preserveOnDeletion: true,
        shared: true,
        rank: applyRank(known.object),
      });
    }
  }
  return result;
}

function namespaceObject(
  name: string,
  template: KubeObject | undefined,
  snapshot: Snapshot,
): Pick<RenderedManifest, 'object' | 'revision'> {
  const content = prune(template ?? { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  const revision = snapshot.tools.hash(canonicalJson(content)).slice(0, 16);
  const annotations = { ...content.metadata.annotations, [MARKS.revision]: revision };
  return { object: { ...content, metadata: { ...content.metadata, annotations } }, revision };
}
