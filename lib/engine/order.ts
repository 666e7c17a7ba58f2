import type { Rollout } from '../api/rollout.js';
import { compareBy, compareStrings, sorted } from './compare.js';
import type { Diagnostic } from './diagnostic.js';
import type { Difference } from './diff.js';
import { describeRef, groupOf, refOf } from './object.js';
import type { Change, Deletion, Manifest, PlannedWave, Release } from './plan.js';
import { freezeWaves } from './rollout/index.js';
import type { RenderedContent, RenderedManifest } from './rendered.js';
import type { Snapshot } from './snapshot.js';
import { about } from './validate.js';

/** The differences as what is done: waves in order, one release per cluster, each in apply order. */
export interface Ordered {
  readonly waves: readonly PlannedWave[];
  readonly releases: readonly Release[];
  readonly changes: readonly Change[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Put every cluster into a wave and every object into its place within the release. */
export function order(snapshot: Snapshot, differences: readonly Difference[]): Ordered {
  const byCluster = runsOf(differences);
  const fleet = new Map(snapshot.clusters.map((c) => [c.metadata.name as string, c]));
  const [rolloutDocument] = snapshot.rollouts;
  const rollout = rolloutDocument?.object as unknown as Rollout | undefined;
  const members = sorted(
    byCluster.keys(),
    compareBy((name) => name),
  ).map((name) => ({ name, cluster: fleet.get(name) }));
  const frozen = freezeWaves(rollout, members);
  const waveOf = new Map(
    frozen.waves.flatMap((wave) => wave.clusters.map((cluster) => [cluster, wave.name] as const)),
  );
  const manifestOf = manifestMaker();
  const releases = members.map(({ name }) => {
    const own = byCluster.get(name) ?? [];
    return releaseOf(snapshot, name, waveOf.get(name) ?? '', { differences: own, manifestOf });
  });
  // Differences come sorted by cluster and key, so that going over waves and clusters gives the documented order.
  const changes: Change[] = [];
  for (const { name: wave, clusters } of frozen.waves) {
    for (const cluster of [...clusters].sort(compareStrings)) {
      for (const { resource, action, class: kind } of byCluster.get(cluster) ?? [])
        changes.push({ cluster, resource, action, class: kind, wave });
    }
  }
  return {
    waves: frozen.waves,
    releases,
    changes,
    diagnostics: [
      ...frozen.diagnostics.map((d) => located(d, rolloutDocument)),
      ...severalRollouts(snapshot),
    ],
  };
}

/** Differences come sorted by cluster: each cluster's are one run, cut out whole. */
function runsOf(differences: readonly Difference[]): ReadonlyMap<string, readonly Difference[]> {
  const runs = new Map<string, readonly Difference[]>();
  for (let start = 0, end = 0; start < differences.length; start = end) {
    const { cluster } = differences[start] as Difference;
    while (differences[end]?.cluster === cluster) end += 1;
    runs.set(cluster, differences.slice(start, end));
  }
  return runs;
}

function located(
  diagnostic: Diagnostic,
  document: Snapshot['rollouts'][number] | undefined,
): Diagnostic {
  return document === undefined ? diagnostic : about(document, diagnostic);
}

function severalRollouts(snapshot: Snapshot): Diagnostic[] {
  return snapshot.rollouts.slice(1).map((document) =>
    about(document, {
      severity: 'error',
      code: 'ROLLOUT_DUPLICATE',
      summary: `${describeRef(refOf(document.object))} is a second Rollout of application "${snapshot.options.application}"; one application has one Rollout.`,
      hint: 'Merge the waves into one Rollout, or give the other templates an application of their own.',
    }),
  );
}

function releaseOf(
  snapshot: Snapshot,
  cluster: string,
  wave: string,
  { differences, manifestOf }: { differences: readonly Difference[]; manifestOf: ManifestOf },
): Release {
  const { application, environment } = snapshot.options;
  const manifests: Manifest[] = [];
  const deletions: Deletion[] = [];
  for (const { manifest, action, resource, class: kind } of differences) {
    if (action !== 'delete') {
      if (manifest !== undefined) manifests.push(manifestOf(manifest, action));
      continue;
    }
    const reason =
      kind === 'placement' ? 'this cluster is no longer chosen' : 'the template is gone';
    deletions.push({ resource, reason });
  }
  return {
    application,
    ...(environment !== undefined && { environment }),
    cluster,
    wave,
    manifests: byRank(manifests),
    deletions: deletions.reverse(),
  };
}

/** Equal ranks stay in the order of their keys; most releases are in order as they come. */
function byRank(manifests: Manifest[]): Manifest[] {
  let last = -Infinity;
  for (const { rank } of manifests) {
    if (rank < last) return manifests.sort((a, b) => a.rank - b.rank);
    last = rank;
  }
  return manifests;
}

type ManifestOf = (rendered: RenderedManifest, action: Manifest['action']) => Manifest;

/** Clusters that get the same content in the same way share one manifest. */
function manifestMaker(): ManifestOf {
  const maps = () => new Map<RenderedContent, Manifest>();
  const known = { create: maps(), update: maps(), replace: maps(), none: maps() };
  return ({ content, growing }, action) => {
    if (growing !== undefined) return toManifest(content, action, growing);
    let manifest = known[action].get(content);
    if (manifest === undefined)
      known[action].set(content, (manifest = toManifest(content, action)));
    return manifest;
  };
}

function toManifest(
  content: RenderedContent,
  action: Manifest['action'],
  growing?: Manifest['growing'],
): Manifest {
  const { key: _k, binding: _b, renderKey: _r, ...rest } = content;
  return { ...rest, ...(growing !== undefined && { growing }), action };
}

/** Kinds that hold what cannot be made again; deleting them needs an acknowledgement by name. */
export function isPrecious(resource: {
  readonly apiVersion: string;
  readonly kind: string;
}): boolean {
  return PRECIOUS.has(`${groupOf(resource.apiVersion)}/${resource.kind}`);
}

const PRECIOUS = new Set([
  '/Namespace',
  '/PersistentVolume',
  '/PersistentVolumeClaim',
  'apiextensions.k8s.io/CustomResourceDefinition',
]);
