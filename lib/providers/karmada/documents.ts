import type { KubeObject } from '../../api/object.js';
import { compareBy, inOrder, sorted } from '../../engine/compare.js';
import { groupOf, refKey, refOf } from '../../engine/object.js';

/** What a control plane receives, in the order in which it is written. */
export interface KarmadaDocuments {
  /** Namespaces and CRDs: before everything else. */
  readonly foundations: readonly KubeObject[];
  /** Other Karmada objects: customizations, quotas, … */
  readonly settings: readonly KubeObject[];
  readonly overrides: readonly KubeObject[];
  readonly policies: readonly KubeObject[];
  readonly templates: readonly KubeObject[];
}

/**
 * The user's documents as they go to a Karmada API server: unchanged, except that our own kinds stay behind. Each group is
 * sorted by kind, namespace and name.
 */
export function toKarmadaDocuments(documents: readonly KubeObject[]): KarmadaDocuments {
  const groups: Record<keyof KarmadaDocuments, KubeObject[]> = {
    foundations: [],
    settings: [],
    overrides: [],
    policies: [],
    templates: [],
  };
  for (const object of documents) {
    if (groupOf(object.apiVersion) === 'fleetwright.dev') continue;
    groups[groupFor(object)].push(object);
  }
  return {
    foundations: inKeyOrder(groups.foundations),
    settings: inKeyOrder(groups.settings),
    overrides: inKeyOrder(groups.overrides),
    policies: inKeyOrder(groups.policies),
    templates: inKeyOrder(groups.templates),
  };
}

function groupFor({ apiVersion, kind }: KubeObject): keyof KarmadaDocuments {
  const group = groupOf(apiVersion);
  if (group === 'policy.karmada.io') {
    if (kind === 'PropagationPolicy' || kind === 'ClusterPropagationPolicy') return 'policies';
    if (kind === 'OverridePolicy' || kind === 'ClusterOverridePolicy') return 'overrides';
    return 'settings';
  }
  if (group.endsWith('.karmada.io')) return 'settings';
  if (kind === 'Namespace' && group === '') return 'foundations';
  if (kind === 'CustomResourceDefinition') return 'foundations';
  return 'templates';
}

const inKeyOrder = (objects: readonly KubeObject[]): readonly KubeObject[] =>
  sorted(
    objects,
    inOrder(
      compareBy((object: KubeObject) => (object.kind === 'Namespace' ? 0 : 1)),
      compareBy((object: KubeObject) => refKey(refOf(object))),
    ),
  );
