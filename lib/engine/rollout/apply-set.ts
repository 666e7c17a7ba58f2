import type { KubeObject, ObjectRef } from '../../api/object.js';
import { compareStrings, sorted } from '../compare.js';
import { groupOf } from '../object.js';

/** Labels and annotations of KEP-3659 that stand on the parent of a set; members carry `MARKS.partOf`. */
export const SET_MARKS = {
  id: 'applyset.kubernetes.io/id',
  tooling: 'applyset.kubernetes.io/tooling',
  kinds: 'applyset.kubernetes.io/contains-group-kinds',
  namespaces: 'applyset.kubernetes.io/additional-namespaces',
  /** Ours: hash of the release that passed its gate last; absent while a rollout is on its way. */
  proven: 'fleetwright.dev/proven-release',
  /** Ours: RFC 3339 since when the application is being removed; whatever is rolled out next takes it away. */
  destroying: 'fleetwright.dev/destroying-since',
  /** Ours: hash of the release that a person has approved here, by a field manager of its own. */
  approved: 'fleetwright.dev/approved-release',
} as const;

/**
 * On members whose policy says `preserveResourcesOnDeletion`: removing them means letting go of them. It stands on the
 * object, since the policy may be gone by the time it matters.
 */
export const PRESERVE_MARK = 'fleetwright.dev/preserve-on-deletion';

/** On objects that were let go of: the application that did, and may take them back. It makes them no member of anything. */
export const LEFT_BY_MARK = 'fleetwright.dev/left-by';

export const SET_TOOLING = 'fleetwright/v1';

/** A namespace that every cluster has: the parent must not move when templates come and go. */
const PARENT_NAMESPACE = 'default';

/** The object that lists what belongs to one application (with its environment, see `applicationMark`) on a cluster. */
export function applySetParent(application: string): ObjectRef & { readonly namespace: string } {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    namespace: PARENT_NAMESPACE,
    name: `fleetwright-${application}`,
  };
}

/**
 * Id of an application's set, the same on every cluster: `applyset-<base64url(sha256(name.namespace.kind.group))>-v1`.
 *
 * @param hash SHA-256 as lower-case hex, see `Tools.hash`
 * @see https://github.com/kubernetes/enhancements/tree/master/keps/sig-cli/3659-kubectl-apply-prune
 */
export function applySetId(application: string, hash: (text: string) => string): string {
  const { name, namespace, kind, apiVersion } = applySetParent(application);
  return `applyset-${base64Url(hash(`${name}.${namespace}.${kind}.${groupOf(apiVersion)}`))}-v1`;
}

/** What a set's parent says. */
export interface SetContents {
  /** `Deployment.apps`, `ConfigMap`: sorted. */
  readonly groupKinds: readonly string[];
  /** Where members are, besides the parent's own namespace: sorted. */
  readonly namespaces: readonly string[];
  readonly proven?: string;
  /** RFC 3339 since when it is being removed. */
  readonly destroying?: string;
}

export function groupKindOf({ apiVersion, kind }: Pick<ObjectRef, 'apiVersion' | 'kind'>): string {
  const group = groupOf(apiVersion);
  return group === '' ? kind : `${kind}.${group}`;
}

/** The contents that cover these objects. */
export function contentsOf(resources: readonly ObjectRef[], proven?: string): SetContents {
  const namespaces = resources.flatMap(({ namespace }) =>
    namespace === undefined ? [] : [namespace],
  );
  return {
    groupKinds: distinct(resources.map(groupKindOf)),
    namespaces: distinct(namespaces.filter((namespace) => namespace !== PARENT_NAMESPACE)),
    ...(proven !== undefined && { proven }),
  };
}

/** Before anything is written the parent covers the old and the new members: a killed run loses sight of nothing. */
export function unionOf(a: SetContents, b: SetContents): SetContents {
  return {
    groupKinds: distinct([...a.groupKinds, ...b.groupKinds]),
    namespaces: distinct([...a.namespaces, ...b.namespaces]),
    ...(b.proven !== undefined && { proven: b.proven }),
  };
}

export function readParent(parent: KubeObject | undefined): SetContents {
  const annotations = parent?.metadata.annotations ?? {};
  const proven = annotations[SET_MARKS.proven];
  const destroying = annotations[SET_MARKS.destroying];
  return {
    groupKinds: listOf(annotations[SET_MARKS.kinds]),
    namespaces: listOf(annotations[SET_MARKS.namespaces]),
    ...(proven !== undefined && { proven }),
    ...(destroying !== undefined && { destroying }),
  };
}

export function parentObject(application: string, id: string, contents: SetContents): KubeObject {
  const { apiVersion, kind, namespace, name } = applySetParent(application);
  return {
    apiVersion,
    kind,
    metadata: {
      name,
      namespace,
      labels: { [SET_MARKS.id]: id },
      annotations: {
        [SET_MARKS.tooling]: SET_TOOLING,
        [SET_MARKS.kinds]: contents.groupKinds.join(','),
        [SET_MARKS.namespaces]: contents.namespaces.join(','),
        ...(contents.proven !== undefined && { [SET_MARKS.proven]: contents.proven }),
        ...(contents.destroying !== undefined && { [SET_MARKS.destroying]: contents.destroying }),
      },
    },
  };
}

function listOf(text = ''): readonly string[] {
  return text === '' ? [] : distinct(text.split(','));
}

function distinct(values: readonly string[]): readonly string[] {
  return sorted(new Set(values), compareStrings);
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Hex to base64url without padding: six bits a digit. */
function base64Url(hex: string): string {
  const bits = [...hex]
    .map((digit) => Number.parseInt(digit, 16).toString(2).padStart(4, '0'))
    .join('');
  return (bits.match(/.{1,6}/g) ?? [])
    .map((six) => DIGITS[Number.parseInt(six.padEnd(6, '0'), 2)])
    .join('');
}
