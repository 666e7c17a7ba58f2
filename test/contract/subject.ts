import type { KubeObject, ObjectRef } from '../../lib/api/object.js';
import {
  ProviderError,
  type ClusterClient,
  type KindRef,
} from '../../lib/providers/cluster/index.js';

/** The cluster under test. It may be shared: the suite keeps to namespaces and groups with names of its own. */
export interface Subject {
  /** An administrator's client, opened once for the suite. */
  client(): ClusterClient;
  /** A client with a token that the server does not know. */
  nobody(): Promise<ClusterClient>;
  /** A client that signs in and may do nothing; absent where there is no authorization. */
  readonly viewer?: () => Promise<ClusterClient>;
}

/** How long a test waits for controllers. Generous: machines that run tests are busy. */
const PATIENCE_MS = 60_000;

/** A test with workloads or deletions may take that long. */
export const SLOW = 90_000;

let made = 0;

/** A name of its own for every caller in this process and run. */
export function freshName(prefix: string): string {
  made += 1;
  return `${prefix}-${process.pid.toString(36)}-${made}`;
}

/** A new empty namespace. */
export async function freshNamespace(client: ClusterClient): Promise<string> {
  const name = freshName('contract');
  await client.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  return name;
}

/**
 * What `find` gives for the objects of a kind in a namespace, as soon as it gives something: watched, not polled.
 *
 * @throws Error with the last state when it does not come about in time.
 */
export async function until<T>(
  client: ClusterClient,
  kind: KindRef,
  namespace: string | undefined,
  find: (objects: readonly KubeObject[]) => T | undefined,
): Promise<T> {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), PATIENCE_MS);
  const known = new Map<string, KubeObject>();
  try {
    const options = namespace === undefined ? {} : { namespace };
    for await (const event of client.watch(kind, options, stop.signal)) {
      if (event.type === 'LISTED') {
        known.clear();
        for (const object of event.objects) known.set(nameOf(object), object);
      } else if (event.type === 'DELETED') known.delete(nameOf(event.object));
      else known.set(nameOf(event.object), event.object);
      const found = find([...known.values()]);
      if (found !== undefined) return found;
    }
  } finally {
    clearTimeout(timer);
    stop.abort();
  }
  throw new Error(`not within ${PATIENCE_MS / 1000} s: ${JSON.stringify([...known.values()])}`);
}

/** One object, as soon as `is` holds for it. */
export async function untilObject(
  client: ClusterClient,
  ref: ObjectRef,
  is: (object: KubeObject) => boolean,
): Promise<KubeObject> {
  return until(client, ref, ref.namespace, (objects) =>
    objects.find((object) => object.metadata.name === ref.name && is(object)),
  );
}

export async function untilAbsent(client: ClusterClient, ref: ObjectRef): Promise<void> {
  await until(client, ref, ref.namespace, (objects) =>
    objects.some((object) => object.metadata.name === ref.name) ? undefined : true,
  );
}

/** The error that `work` ends with; it must be a ProviderError. */
export async function failureOf(work: Promise<unknown>): Promise<ProviderError> {
  const error = await work.then(
    () => new Error('it succeeded'),
    (thrown: unknown) => thrown,
  );
  if (!ProviderError.is(error)) throw error;
  return error;
}

/** A value deep in an object: `at(deployment, 'spec.template.spec.containers.0.image')`. */
export function at(object: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], object);
}

/** Managers that own something in an object, sorted, as `name/operation` or `name/operation/subresource`. */
export function managersOf(object: KubeObject): readonly string[] {
  const fields = object.metadata.managedFields as readonly {
    readonly manager: string;
    readonly operation: string;
    readonly subresource?: string;
  }[];
  return fields
    .map(({ manager, operation, subresource }) =>
      [manager, operation, ...(subresource === undefined ? [] : [subresource])].join('/'),
    )
    .sort();
}

function nameOf({ metadata }: KubeObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
}
