import { gunzipSync, gzipSync } from 'node:zlib';
import { canonicalJson } from '../../engine/canonical.js';
import type { KubeObject } from '../../engine/object.js';
import { refOf } from '../../engine/object.js';
import type { Manifest, Release } from '../../engine/plan.js';
import type { ClusterAccess, ManifestFacts, ReleaseFacts, ReleaseWire } from './wire.js';

/** A readable input key per object: `apps/v1 Deployment shop/web`. */
export function wireKey({ apiVersion, kind, namespace, name }: Manifest['resource']): string {
  return `${apiVersion} ${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;
}

/** A release in the form that travels. Secret data and revisions of Secrets stand in `__facts` only. */
export function toWire(
  release: Release,
  access: ClusterAccess,
  masked: readonly string[] = [],
): ReleaseWire {
  const manifests: Record<string, string> = {};
  const facts: Record<string, ManifestFacts> = {};
  for (const manifest of release.manifests) {
    const key = wireKey(manifest.resource);
    const { shown, secret } = withoutSecretData(manifest.object);
    manifests[key] = canonicalJson(shown);
    facts[key] = {
      revision: manifest.revision,
      generation: manifest.generation,
      conflictResolution: manifest.conflictResolution,
      preserveOnDeletion: manifest.preserveOnDeletion,
      shared: manifest.shared,
      rank: manifest.rank,
      ...(manifest.memberFields !== undefined && { memberFields: manifest.memberFields }),
      ...(secret !== undefined && { secret }),
      ...(manifest.growing !== undefined && { growing: manifest.growing }),
    };
  }
  return {
    ...access,
    manifests,
    __facts: JSON.stringify({
      wave: release.wave,
      manifests: facts,
      ...(masked.length > 0 && { masked }),
    } satisfies ReleaseFacts),
  };
}

/** Whether any of it must not be shown. */
export function hasSecretData(release: Release): boolean {
  return release.manifests.some(({ object }) => isSecret(object));
}

/** The release again, on the other side. */
export function fromWire(
  owner: { readonly application: string; readonly environment: string },
  wire: ReleaseWire,
  deletions: Release['deletions'] = [],
): Release {
  const facts = JSON.parse(wire.__facts) as ReleaseFacts;
  const manifests = Object.entries(wire.manifests).map(([key, text]): Manifest => {
    const fact = facts.manifests[key];
    if (fact === undefined) throw new TypeError(`${key}: the manifest has no facts`);
    const { secret, growing, ...rest } = fact;
    const object = withSecretData(JSON.parse(text) as KubeObject, fact, secret);
    return {
      ...rest,
      resource: refOf(object),
      object,
      ...(growing !== undefined && { growing: growing as KubeObject }),
      action: 'update',
    };
  });
  return {
    ...ownerOf(owner),
    cluster: wire.cluster,
    wave: facts.wave,
    manifests: manifests.sort(
      (a, b) => a.rank - b.rank || (wireKey(a.resource) < wireKey(b.resource) ? -1 : 1),
    ),
    deletions,
  };
}

/** Whose a release is. State has an empty text where there is no environment. */
export function ownerOf({
  application,
  environment,
}: {
  readonly application: string;
  readonly environment: string;
}): Pick<Release, 'application' | 'environment'> {
  return { application, ...(environment !== '' && { environment }) };
}

/** What must not be said aloud: a server may quote a value that it refuses. */
export function maskOf(wires: readonly Pick<ReleaseWire, '__facts'>[]): (text: string) => string {
  const values = wires.flatMap(({ __facts }) => {
    const { masked = [], manifests } = JSON.parse(__facts) as ReleaseFacts;
    return [...masked, ...Object.values(manifests).flatMap(({ secret }) => valuesOf(secret))];
  });
  // Shorter ones would tear holes into every sentence; longer first, since one may contain another.
  const long = [...new Set(values)].filter((value) => value.length >= 4);
  long.sort((a, b) => b.length - a.length);
  return (text) => long.reduce((masked, value) => masked.replaceAll(value, '[secret]'), text);
}

function valuesOf(secret: ManifestFacts['secret']): string[] {
  const encoded = Object.values((secret?.data ?? {}) as Record<string, string>);
  const decoded = encoded.map((value) => Buffer.from(value, 'base64').toString('utf8'));
  return [
    ...encoded,
    ...decoded,
    ...Object.values((secret?.stringData ?? {}) as Record<string, string>),
  ];
}

/** Any JSON value as a short text: what is only read by machines should not fill the state. */
export function pack(value: unknown): string {
  return gzipSync(JSON.stringify(value)).toString('base64');
}

/** The value again. The type is what {@link pack} was given: nobody else writes these texts. */
export function unpack<T>(text: string): T {
  return JSON.parse(
    gunzipSync(Buffer.from(text, 'base64'), { maxOutputLength: 512 * 1024 * 1024 }).toString(
      'utf8',
    ),
  ) as T;
}

const REVISION = 'fleetwright.dev/revision';

function isSecret({ apiVersion, kind }: KubeObject): boolean {
  return apiVersion === 'v1' && kind === 'Secret';
}

/** A short secret can be guessed from its hash, so the revision goes with the data. */
function withoutSecretData(object: KubeObject): {
  readonly shown: KubeObject;
  readonly secret?: ManifestFacts['secret'];
} {
  if (!isSecret(object)) return { shown: object };
  const { data, stringData, ...rest } = object;
  const { [REVISION]: _revision, ...annotations } = { ...rest.metadata.annotations };
  return {
    shown: { ...rest, metadata: { ...rest.metadata, annotations } },
    secret: {
      ...(data !== undefined && { data }),
      ...(stringData !== undefined && { stringData }),
    },
  };
}

function withSecretData(
  shown: KubeObject,
  { revision }: ManifestFacts,
  secret: ManifestFacts['secret'],
): KubeObject {
  if (secret === undefined) return shown;
  const annotations = { ...shown.metadata.annotations, [REVISION]: revision };
  return { ...shown, ...secret, metadata: { ...shown.metadata, annotations } };
}
