import type { KubeObject } from '../../api/object.js';
import { fieldsOf, listAt, textAt } from '../interpret/field.js';
import { MARKS } from '../plan.js';
import { SET_MARKS } from '../rollout/apply-set.js';
import { KEPT_FOR } from '../rollout/kept.js';

/** Why an object is left alone. */
export interface LeftAlone {
  /** `secret`: it may not be written to a file; `foreign`: somebody else takes care of it; `builtin`: every cluster has it. */
  readonly kind: 'secret' | 'foreign' | 'builtin';
  readonly reason: string;
}

/**
 * Why a live object is not adopted; `undefined` when it can be. `setId` is the id of the adopting application's set: what
 * carries it is ours and may be adopted again.
 */
export function whyNotAdopted(live: KubeObject, setId: string): LeftAlone | undefined {
  const { metadata } = live;
  const labels = metadata.labels ?? {};
  if (isBuiltin(live)) return { kind: 'builtin', reason: 'every cluster has its own' };
  if (metadata.deletionTimestamp !== undefined) return foreign('it is being deleted');
  const owner = (metadata.ownerReferences ?? [])
    .map(fieldsOf)
    .find((reference) => reference['controller'] === true);
  if (owner !== undefined)
    return foreign(`${textAt(owner, 'kind')} ${textAt(owner, 'name')} controls it`);
  const partOf = labels[MARKS.partOf];
  if (partOf !== undefined && partOf !== setId) {
    const application = metadata.annotations?.[MARKS.application];
    return foreign(
      `it belongs to ${application === undefined ? `the set "${partOf}"` : `application "${application}"`}`,
    );
  }
  if (
    labels['work.karmada.io/permanent-id'] !== undefined ||
    labels['karmada.io/managed'] === 'true'
  )
    return foreign('a Karmada control plane propagates it');
  if (isSecret(live)) {
    return {
      kind: 'secret',
      reason:
        'its data would stand in a file that anybody can read; it stays in the cluster as it is',
    };
  }
  return undefined;
}

/**
 * Why a volume claim of one cluster is left alone: a StatefulSet there made it from a claim template. Such claims have no
 * owner reference, so they are told by their names, `<claim template>-<StatefulSet>-<ordinal>`.
 */
export function claimedByStatefulSets(
  objects: readonly KubeObject[],
): (object: KubeObject) => LeftAlone | undefined {
  const owners = new Map<string, string>();
  for (const { kind, metadata, ...rest } of objects) {
    if (kind !== 'StatefulSet') continue;
    const { namespace = '', name = '' } = metadata;
    for (const template of listAt(rest, 'spec', 'volumeClaimTemplates'))
      owners.set(`${namespace}/${textAt(template, 'metadata', 'name')}-${name}`, name);
  }
  return ({ apiVersion, kind, metadata }) => {
    if (apiVersion !== 'v1' || kind !== 'PersistentVolumeClaim') return undefined;
    const { namespace = '', name = '' } = metadata;
    const [, made] = /^(.+)-\d+$/.exec(name) ?? [];
    const owner = made === undefined ? undefined : owners.get(`${namespace}/${made}`);
    return owner === undefined ? undefined : foreign(`StatefulSet ${owner} made it`);
  };
}

function foreign(reason: string): LeftAlone {
  return { kind: 'foreign', reason };
}

function isSecret({ apiVersion, kind }: KubeObject): boolean {
  return apiVersion === 'v1' && kind === 'Secret';
}

const GENERATED_SECRETS: readonly string[] = [
  'kubernetes.io/service-account-token',
  'helm.sh/release.v1',
];

function isBuiltin(live: KubeObject): boolean {
  const { kind, metadata } = live;
  if (live.apiVersion !== 'v1') return false;
  if (metadata.labels?.[KEPT_FOR] !== undefined) return true;
  switch (kind) {
    case 'ConfigMap':
      return metadata.name === 'kube-root-ca.crt' || metadata.labels?.[SET_MARKS.id] !== undefined;
    case 'ServiceAccount':
      return metadata.name === 'default';
    case 'Service':
      return metadata.name === 'kubernetes' && metadata.namespace === 'default';
    case 'Secret':
      return GENERATED_SECRETS.includes(textAt(live, 'type'));
    default:
      return false;
  }
}
