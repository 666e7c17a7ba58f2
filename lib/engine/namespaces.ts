import { canonicalJson } from './canonical.js';
import { compareStrings } from './compare.js';
import type { KubeObject } from './object.js';
import { isOf, refKey } from './object.js';
import { MARKS } from './plan.js';
import type { RenderedContent, RenderedManifest } from './rendered.js';
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
  for (const { cluster, content } of manifests) {
    const { namespace, name } = content.resource;
    if (namespace !== undefined && !BUILT_IN.has(namespace)) add(needed, cluster, namespace);
    if (isOf(content.resource, '', 'Namespace')) add(placed, cluster, name);
  }
  const templates = new Map(
    snapshot.templates
      .filter(({ object }) => isOf(object, '', 'Namespace'))
      .map(({ object }) => [object.metadata.name ?? '', object]),
  );
  const contents = new Map<string, RenderedContent>();
  const result: RenderedManifest[] = [];
  for (const cluster of [...needed.keys()].sort(compareStrings)) {
    for (const name of [...(needed.get(cluster) ?? [])].sort(compareStrings)) {
      if (placed.get(cluster)?.has(name) === true) continue;
      const content = contents.get(name) ?? namespaceContent(name, templates.get(name), snapshot);
      contents.set(name, content);
      result.push({ cluster, content, growing: undefined, replicas: 0, isRecounted: false });
    }
  }
  return result;
}

function add(map: Map<string, Set<string>>, cluster: string, name: string): void {
  const names = map.get(cluster);
  if (names === undefined) map.set(cluster, new Set([name]));
  else names.add(name);
}

function namespaceContent(
  name: string,
  template: KubeObject | undefined,
  snapshot: Snapshot,
): RenderedContent {
  const pruned = prune(template ?? { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  const revision = snapshot.tools.hash(canonicalJson(pruned)).slice(0, 16);
  const annotations = { ...pruned.metadata.annotations, [MARKS.revision]: revision };
  const object = { ...pruned, metadata: { ...pruned.metadata, annotations } };
  const resource = { apiVersion: 'v1', kind: 'Namespace', name };
  return {
    key: refKey(resource),
    renderKey: '',
    resource,
    object,
    revision,
    generation: 1,
    // Somebody else may have made it; taking a share of it harms nobody.
    conflictResolution: 'Overwrite',
    preserveOnDeletion: true,
    shared: true,
    rank: applyRank(object),
  };
}
