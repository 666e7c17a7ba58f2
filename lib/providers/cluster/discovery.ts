import type { KubeObject } from '../../api/object.js';
import { compareBy, inOrder } from '../../engine/compare.js';
import { isOf } from '../../engine/object.js';
import type { KindRef, ServedKind } from './client.js';
import { toProviderError } from './errors.js';
import type { ApiResponse, Clock, Transport } from './transport.js';

/** What a cluster serves, read once and again when asked or when a kind is missing. */
export interface Discovery {
  all(refresh: boolean): Promise<readonly ServedKind[]>;
  /** `undefined` when the cluster does not serve it, asked afresh. */
  find(kind: KindRef): Promise<ServedKind | undefined>;
  /** These kinds were just defined: for a while, whoever asks for one waits until it is served. */
  expect(kinds: readonly KindRef[]): void;
  /** What we know is wrong: read again before the next answer. */
  forget(): void;
}

/** One answer that describes all resources of a root; old servers send the group list instead (KEP-3352). */
const AGGREGATED = [
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
  'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList',
  'application/json',
].join(',');

/** A kind that was missing is not looked for again sooner. Milliseconds. */
const MISS_MS = 1_000;

/** A kind is served some time after its definition is established: tens of milliseconds, seconds on a busy server. */
const EXPECTED_MS = 10_000;
const POLL_MS = 100;

export function openDiscovery(cluster: string, transport: Transport, clock: Clock): Discovery {
  const expectedUntil = new Map<string, number>();
  let cached: Promise<Index> | undefined;
  let readAt = -Infinity;
  const read = (): Promise<Index> => {
    const reading = readAll(cluster, transport).then(toIndex);
    cached = reading;
    readAt = clock.now();
    reading.catch(() => {
      if (cached === reading) cached = undefined;
    });
    return reading;
  };
  const find = async (key: string): Promise<ServedKind | undefined> => {
    let found = (await (cached ?? read())).byKind.get(key);
    while (found === undefined && clock.now() < (expectedUntil.get(key) ?? 0)) {
      await clock.sleep(POLL_MS);
      found = (await read()).byKind.get(key);
    }
    if (found !== undefined || clock.now() - readAt < MISS_MS) return found;
    return (await read()).byKind.get(key);
  };
  return {
    all: async (refresh) => (await (refresh || cached === undefined ? read() : cached)).kinds,
    find: (kind) => find(keyOf(kind)),
    expect: (kinds) => {
      for (const kind of kinds) expectedUntil.set(keyOf(kind), clock.now() + EXPECTED_MS);
    },
    forget: () => {
      cached = undefined;
    },
  };
}

/** The kinds that an object defines, when it is a CustomResourceDefinition. */
export function kindsDefinedBy(object: KubeObject): readonly KindRef[] {
  if (!isOf(object, 'apiextensions.k8s.io', 'CustomResourceDefinition')) return [];
  const { group, names, versions = [] } = (object['spec'] ?? {}) as Definition;
  if (group === undefined || names?.kind === undefined) return [];
  return versions
    .filter(({ served }) => served === true)
    .map(({ name }) => ({ apiVersion: `${group}/${name}`, kind: names.kind ?? '' }));
}

interface Definition {
  readonly group?: string;
  readonly names?: { readonly kind?: string };
  readonly versions?: readonly { readonly name: string; readonly served?: boolean }[];
}

interface Index {
  readonly kinds: readonly ServedKind[];
  readonly byKind: ReadonlyMap<string, ServedKind>;
}

/** (1) apiVersion, (2) kind, (3) plural. */
const order = inOrder<ServedKind>(
  compareBy((served) => served.apiVersion),
  compareBy((served) => served.kind),
  compareBy((served) => served.resource),
);

function toIndex(found: readonly ServedKind[]): Index {
  const kinds = [...found].sort(order);
  return { kinds, byKind: new Map(kinds.map((served) => [keyOf(served), served])) };
}

function keyOf({ apiVersion, kind }: KindRef): string {
  return `${apiVersion}/${kind}`;
}

async function readAll(cluster: string, transport: Transport): Promise<readonly ServedKind[]> {
  const get = async (path: string, accept = 'application/json'): Promise<unknown> => {
    const response = await transport.request({ method: 'GET', path, accept, idempotent: true });
    if (response.status !== 200)
      throw toProviderError({ cluster, verb: 'get', subject: path }, response);
    return response.body;
  };
  const [core, groups] = await Promise.all([get('/api', AGGREGATED), get('/apis', AGGREGATED)]);
  const roots = [core, groups] as readonly DiscoveryRoot[];
  const fromGroups = await Promise.all(
    roots.map((root) =>
      root.kind === 'APIGroupDiscoveryList'
        ? fromAggregated(root)
        : fromLegacy(root, transport, cluster),
    ),
  );
  return fromGroups.flat();
}

interface DiscoveryRoot {
  readonly kind?: string;
  /** Aggregated. */
  readonly items?: readonly {
    readonly metadata?: { readonly name?: string };
    readonly versions?: readonly {
      readonly version: string;
      readonly resources?: readonly AggregatedResource[];
    }[];
  }[];
  /** `APIVersions`, of the core group. */
  readonly versions?: readonly string[];
  /** `APIGroupList`. */
  readonly groups?: readonly { readonly versions: readonly { readonly groupVersion: string }[] }[];
}

interface AggregatedResource {
  readonly resource: string;
  readonly responseKind?: {
    readonly group?: string;
    readonly version?: string;
    readonly kind?: string;
  };
  readonly scope: 'Namespaced' | 'Cluster';
  readonly verbs?: readonly string[];
}

function fromAggregated(root: DiscoveryRoot): readonly ServedKind[] {
  return (root.items ?? []).flatMap((group) =>
    (group.versions ?? []).flatMap(({ version, resources = [] }) =>
      resources.flatMap(({ resource, responseKind, scope, verbs = [] }) => {
        const kind = responseKind?.kind;
        if (kind === undefined || kind === '') return [];
        const name = group.metadata?.name ?? '';
        return [
          {
            apiVersion: name === '' ? version : `${name}/${version}`,
            kind,
            resource,
            namespaced: scope === 'Namespaced',
            verbs,
          },
        ];
      }),
    ),
  );
}

async function fromLegacy(
  root: DiscoveryRoot,
  transport: Transport,
  cluster: string,
): Promise<readonly ServedKind[]> {
  const paths = [
    ...(root.versions ?? []).map((version) => ({ apiVersion: version, path: `/api/${version}` })),
    ...(root.groups ?? []).flatMap((group) =>
      group.versions.map(({ groupVersion }) => ({
        apiVersion: groupVersion,
        path: `/apis/${groupVersion}`,
      })),
    ),
  ];
  const lists = await Promise.all(
    paths.map(async ({ apiVersion, path }) => {
      const response = await transport.request({ method: 'GET', path, idempotent: true });
      return fromResourceList(apiVersion, path, response, cluster);
    }),
  );
  return lists.flat();
}

interface LegacyResource {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}

function fromResourceList(
  apiVersion: string,
  path: string,
  response: ApiResponse,
  cluster: string,
): readonly ServedKind[] {
  // An aggregated API whose server is down must not hide all others.
  if (response.status === 503 || response.status === 404) return [];
  if (response.status !== 200)
    throw toProviderError({ cluster, verb: 'get', subject: path }, response);
  const { resources = [] } = response.body as { resources?: readonly LegacyResource[] };
  return resources
    .filter(({ name }) => !name.includes('/'))
    .map(({ name, kind, namespaced, verbs }) => ({
      apiVersion,
      kind,
      resource: name,
      namespaced,
      verbs,
    }));
}
