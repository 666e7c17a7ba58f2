import type { KubeObject } from '../../api/object.js';
import { compareBy, inOrder, sorted } from '../../engine/compare.js';
import { isActing } from '../../engine/karmada/index.js';
import { groupOf, isOf, refKey, refOf } from '../../engine/object.js';

/** What a control plane receives, in the order in which it is written. */
export interface KarmadaDocuments {
  /** Namespaces and CRDs: before everything else. */
  readonly foundations: readonly KubeObject[];
  /** What changes how Karmada reads or builds objects: interpreter customizations. */
  readonly settings: readonly KubeObject[];
  readonly overrides: readonly KubeObject[];
  readonly policies: readonly KubeObject[];
  readonly templates: readonly KubeObject[];
  /** What acts on the control plane by itself: FederatedHPA, MultiClusterService, quotas, … */
  readonly acting: readonly KubeObject[];
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
    acting: [],
  };
  for (const object of documents) {
    if (groupOf(object.apiVersion) === 'fleetwright.dev') continue;
    const group = groupFor(object);
    if (group !== undefined) groups[group].push(object);
  }
  return {
    foundations: inKeyOrder(groups.foundations),
    settings: inKeyOrder(groups.settings),
    overrides: inKeyOrder(groups.overrides),
    policies: inKeyOrder(groups.policies),
    templates: inKeyOrder(groups.templates),
    acting: inKeyOrder(groups.acting),
  };
}

/** `undefined`: what a control plane writes itself (Clusters, bindings, Works) stays behind too. */
function groupFor(object: KubeObject): keyof KarmadaDocuments | undefined {
  const { apiVersion, kind } = object;
  const group = groupOf(apiVersion);
  if (isActing(object)) return 'acting';
  if (group === 'policy.karmada.io')
    return kind.endsWith('OverridePolicy') ? 'overrides' : 'policies';
  if (group === 'config.karmada.io') return 'settings';
  if (group.endsWith('.karmada.io')) return undefined;
  if (kind === 'Namespace' && group === '') return 'foundations';
  if (kind === 'CustomResourceDefinition' && group === 'apiextensions.k8s.io') return 'foundations';
  return 'templates';
}

const inKeyOrder = (objects: readonly KubeObject[]): readonly KubeObject[] =>
  sorted(
    objects,
    inOrder(
      compareBy((object: KubeObject) => (isOf(object, '', 'Namespace') ? 0 : 1)),
      compareBy((object: KubeObject) => refKey(refOf(object))),
    ),
  );
