import type { KubeObject, ObjectRef } from '../../api/object.js';
import { refOf } from '../../engine/object.js';
import {
  ProviderError,
  type ApplyOptions,
  type ClusterClient,
  type KindRef,
  type ServedKind,
} from './client.js';
import { kindsDefinedBy, openDiscovery, type Discovery } from './discovery.js';
import { asProviderError, toProviderError, type Act } from './errors.js';
import { listAll } from './list.js';
import { objectPath } from './paths.js';
import { hasCause, toApiStatus } from './status.js';
import {
  openTransport,
  STEADY_CLOCK,
  type ApiResponse,
  type Transport,
  type TransportOptions,
} from './transport.js';
import { DEFAULT_WATCH, watchKind, type WatchLimits } from './watch.js';

export interface HttpClientOptions extends TransportOptions {
  readonly cluster: string;
  readonly watch?: WatchLimits;
}

/** The manager of every field that we apply. */
export const FIELD_MANAGER = 'fleetwright';

/** A {@link ClusterClient} over HTTP, for real API servers and the sandbox alike. */
export function openHttpClient(options: HttpClientOptions): ClusterClient {
  const { cluster } = options;
  const clock = options.clock ?? STEADY_CLOCK;
  const transport = openTransport(options);
  const discovery = openDiscovery(cluster, transport, clock);
  const tools = { cluster, transport, clock, limits: options.watch ?? DEFAULT_WATCH };
  const serve = { cluster, transport, discovery };
  return {
    cluster,
    discover: ({ refresh = false } = {}) =>
      guarded(serve, { cluster, verb: 'get', subject: '/apis' }, () => discovery.all(refresh)),
    get: (ref) => guarded(serve, { cluster, verb: 'get', resource: ref }, () => get(serve, ref)),
    list: (kind, listOptions = {}) =>
      guarded(serve, { cluster, verb: 'list', subject: kind.kind }, async () => {
        const served = await find(serve, kind, { cluster, verb: 'list', subject: kind.kind });
        return (await listAll(cluster, transport, served, listOptions)).objects;
      }),
    watch: async function* (kind, listOptions, signal) {
      const act = { cluster, verb: 'watch', subject: kind.kind };
      const served = await guarded(serve, act, () => find(serve, kind, act));
      yield* watchKind(tools, served, listOptions, signal);
    },
    apply: (object, applyOptions = {}) =>
      guarded(serve, { cluster, verb: 'patch', resource: refOf(object) }, () =>
        apply(serve, object, applyOptions),
      ),
    delete: (ref, { uid } = {}) =>
      guarded(serve, { cluster, verb: 'delete', resource: ref }, () => remove(serve, ref, uid)),
    raw: (path) =>
      guarded(serve, { cluster, verb: 'get', subject: path }, async () => {
        const response = await transport.request({ method: 'GET', path, idempotent: true });
        if (response.status !== 200)
          throw toProviderError({ cluster, verb: 'get', subject: path }, response);
        return response.body;
      }),
    close: () => transport.close(),
  };
}

interface Server {
  readonly cluster: string;
  readonly transport: Transport;
  readonly discovery: Discovery;
}

async function guarded<T>(server: Server, act: Act, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // 404 without a name: the kind went, though discovery had it.
    if (ProviderError.is(error) && error.failure === 'notServed' && error.facts.status === 404)
      server.discovery.forget();
    throw asProviderError(act, error);
  }
}

async function find({ discovery }: Server, kind: KindRef, act: Act): Promise<ServedKind> {
  const served = await discovery.find(kind);
  if (served !== undefined) return served;
  const { cluster, verb, resource } = act;
  const message = `${cluster}: the cluster does not serve ${kind.kind} of ${kind.apiVersion}`;
  throw new ProviderError('notServed', message, {
    cluster,
    verb,
    ...(resource && { resource }),
    mayHaveHappened: false,
  });
}

async function get(server: Server, ref: ObjectRef): Promise<KubeObject | undefined> {
  const act = { cluster: server.cluster, verb: 'get', resource: ref };
  const served = await find(server, ref, act);
  const path = objectPath(served, ref.namespace, ref.name);
  const response = await server.transport.request({ method: 'GET', path, idempotent: true });
  if (isAbsent(response)) return undefined;
  if (response.status !== 200) throw toProviderError(act, response);
  return response.body as KubeObject;
}

async function apply(
  server: Server,
  object: KubeObject,
  options: ApplyOptions,
): Promise<KubeObject> {
  const ref = refOf(object);
  const act = { cluster: server.cluster, verb: 'patch', resource: ref };
  const served = await find(server, ref, act);
  const path = objectPath(served, ref.namespace, ref.name, {
    fieldManager: options.fieldManager ?? FIELD_MANAGER,
    // What we do not know how to spell must not be dropped in silence.
    fieldValidation: 'Strict',
    force: options.force === true ? 'true' : undefined,
    dryRun: options.dryRun === true ? 'All' : undefined,
  });
  const contentType = 'application/apply-patch+yaml'; // JSON is YAML
  const body = JSON.stringify(object);
  for (let made = 1; ; made++) {
    const response = await server.transport.request({
      method: 'PATCH',
      path,
      contentType,
      body,
      idempotent: true,
    });
    if (response.status === 200 || response.status === 201) {
      if (options.dryRun !== true) server.discovery.expect(kindsDefinedBy(object));
      return response.body as KubeObject;
    }
    if (made === RACES || !isRace(response)) throw toProviderError(act, response);
  }
}

/** How often an apply that lost a race with another writer is sent. The server itself has tried five times by then. */
const RACES = 3;

/** 409 because somebody wrote at the same moment, not because somebody owns a field. */
function isRace(response: ApiResponse): boolean {
  const status = toApiStatus(response.body);
  return (
    response.status === 409 &&
    status.reason === 'Conflict' &&
    !hasCause(status, 'FieldManagerConflict')
  );
}

async function remove(
  server: Server,
  ref: ObjectRef,
  uid: string | undefined,
): Promise<'deleted' | 'absent'> {
  const act = { cluster: server.cluster, verb: 'delete', resource: ref };
  const served = await find(server, ref, act);
  const response = await server.transport.request({
    method: 'DELETE',
    path: objectPath(served, ref.namespace, ref.name),
    contentType: 'application/json',
    body: JSON.stringify({
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      // Jobs would orphan their pods by default.
      propagationPolicy: 'Background',
      ...(uid !== undefined && { preconditions: { uid } }),
    }),
    idempotent: true,
  });
  // Gone at the second try: the first one, which got no answer, deleted it.
  if (isAbsent(response)) return response.repeated ? 'deleted' : 'absent';
  if (response.status !== 200 && response.status !== 202) throw toProviderError(act, response);
  return 'deleted';
}

/** 404 that names the object; a kind that is no longer served is answered without a name. */
function isAbsent({ status, body }: ApiResponse): boolean {
  return status === 404 && toApiStatus(body).details?.name !== undefined;
}
