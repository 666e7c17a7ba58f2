import type { Kind } from '../schema/kinds.js';
import { VERBS } from '../schema/kinds.js';
import type { World } from '../world.js';

/** The version the sandbox says it has: the one its kinds and types were taken from. */
export const VERSION = {
  major: '1',
  minor: '36',
  gitVersion: 'v1.36.3+sandbox',
  gitCommit: '',
  gitTreeState: 'clean',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: '',
  compiler: '',
  platform: 'linux/amd64',
};

const SUBRESOURCE_VERBS: readonly string[] = ['get', 'patch', 'update'];

/** `/api` and `/apis` in one document each, as clients since 1.26 ask for it. */
export function aggregatedDiscovery(world: World, root: 'api' | 'apis'): object {
  const groups = groupsOf(world).filter(([group]) => (group === '') === (root === 'api'));
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items: groups.map(([group, versions]) => ({
      metadata: group === '' ? {} : { name: group },
      versions: versions.map(([version, kinds]) => ({
        version,
        freshness: 'Current',
        resources: kinds.map((kind) => ({
          resource: kind.resource,
          responseKind: { group: kind.group, version: kind.version, kind: kind.kind },
          scope: kind.namespaced ? 'Namespaced' : 'Cluster',
          singularResource: kind.singular,
          verbs: VERBS,
          ...(kind.shortNames.length > 0 && { shortNames: kind.shortNames }),
          ...(kind.categories.length > 0 && { categories: kind.categories }),
          ...(kind.subresources.size > 0 && {
            subresources: [...kind.subresources].map((subresource) => ({
              subresource,
              responseKind:
                subresource === 'scale'
                  ? { group: 'autoscaling', version: 'v1', kind: 'Scale' }
                  : { group: kind.group, version: kind.version, kind: kind.kind },
              verbs: SUBRESOURCE_VERBS,
            })),
          }),
        })),
      })),
    })),
  };
}

/** `GET /api` for clients of before. */
export function coreVersions(): object {
  return {
    kind: 'APIVersions',
    versions: ['v1'],
    serverAddressByClientCIDRs: [],
  };
}

/** `GET /apis` for clients of before. */
export function groupList(world: World): object {
  const groups = groupsOf(world).filter(([group]) => group !== '');
  return {
    kind: 'APIGroupList',
    apiVersion: 'v1',
    groups: groups.map(([group, versions]) => groupDocument(group, versions)),
  };
}

/** `GET /apis/<group>`. */
export function groupOf(world: World, group: string): object | undefined {
  const found = groupsOf(world).find(([name]) => name === group);
  return found === undefined || group === ''
    ? undefined
    : { kind: 'APIGroup', apiVersion: 'v1', ...groupDocument(group, found[1]) };
}

/** `GET /api/v1` and `GET /apis/<group>/<version>`. */
export function resourceList(world: World, group: string, version: string): object | undefined {
  const kinds = world.kinds
    .all()
    .filter((kind) => kind.group === group && kind.version === version);
  const [first] = kinds;
  if (first === undefined) return undefined;
  return {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: first.apiVersion,
    resources: kinds.flatMap((kind) => [
      {
        name: kind.resource,
        singularName: kind.singular,
        namespaced: kind.namespaced,
        kind: kind.kind,
        verbs: VERBS,
        ...(kind.shortNames.length > 0 && { shortNames: kind.shortNames }),
        ...(kind.categories.length > 0 && { categories: kind.categories }),
      },
      ...[...kind.subresources].map((subresource) => ({
        name: `${kind.resource}/${subresource}`,
        singularName: '',
        namespaced: kind.namespaced,
        ...(subresource === 'scale' && { group: 'autoscaling', version: 'v1' }),
        kind: subresource === 'scale' ? 'Scale' : kind.kind,
        verbs: subresource === 'log' ? ['get'] : SUBRESOURCE_VERBS,
      })),
    ]),
  };
}

type Versions = readonly (readonly [version: string, kinds: readonly Kind[]])[];

function groupsOf(world: World): readonly (readonly [group: string, versions: Versions])[] {
  const groups = new Map<string, Map<string, Kind[]>>();
  for (const kind of world.kinds.all()) {
    const versions = groups.get(kind.group) ?? new Map<string, Kind[]>();
    groups.set(kind.group, versions);
    versions.set(kind.version, [...(versions.get(kind.version) ?? []), kind]);
  }
  return [...groups].map(([group, versions]) => [group, [...versions]] as const);
}

function groupDocument(group: string, versions: Versions): object {
  const list = versions.map(([version]) => ({ groupVersion: `${group}/${version}`, version }));
  return { name: group, versions: list, preferredVersion: list[0] };
}
