import type { Cluster } from '../api/cluster.js';
import { compareStrings } from './compare.js';
import type { Diagnostic } from './diagnostic.js';
import type { SchemaFinding, SourcedObject } from './input.js';
import { lockRepeats } from './lock-repeats.js';
import type { KubeObject } from './object.js';
import { describeRef, refKey, refOf } from './object.js';
import type { Snapshot } from './snapshot.js';

/** Findings, and the snapshot without the documents that no later step could read. */
export interface Checked {
  readonly snapshot: Snapshot;
  readonly diagnostics: readonly Diagnostic[];
}

const STALE_AFTER_HOURS = 24;

/** Codes after which a document cannot be trusted to have its schema's shape. */
const UNREADABLE = new Set(['DOCUMENT_MISPLACED_FIELD', 'FIELD_INVALID', 'FIELD_REQUIRED']);

/**
 * Reject input that no later step could explain. Everything wrong is reported at once; broken documents are left out
 * of what follows, so that the rest of the plan can still be shown.
 */
export function validate(snapshot: Snapshot): Checked {
  const broken = new Set<string>();
  const ofCluster = new Map(snapshot.clusters.map((c) => [c, clusterFindings(snapshot, c)]));
  const diagnostics = [
    ...schemaFindings(snapshot, ofCluster, broken),
    ...duplicates(snapshot),
    ...lockRepeats(snapshot.lock).map(({ diagnostic }) => diagnostic),
    ...fleetFindings(snapshot),
    ...unknownClusters(snapshot),
  ];
  const keep = (documents: readonly SourcedObject[]): readonly SourcedObject[] =>
    unique(documents.filter((d) => !broken.has(refKey(refOf(d.object)))));
  return {
    diagnostics,
    snapshot: {
      ...snapshot,
      templates: keep(snapshot.templates),
      policies: keep(snapshot.policies),
      overrides: keep(snapshot.overrides),
      rollouts: keep(snapshot.rollouts),
      checks: keep(snapshot.checks),
      customizations: keep(snapshot.customizations),
      rebalancers: keep(snapshot.rebalancers),
      federated: keep(snapshot.federated),
      clusters: snapshot.clusters
        .filter((_, i) => isReadable(snapshot, ofCluster, i))
        .map(
          (cluster) =>
            snapshot.tools.withDefaults(cluster as unknown as KubeObject) as unknown as Cluster,
        ),
    },
  };
}

type ClusterFindings = ReadonlyMap<Cluster, readonly SchemaFinding[]>;

/** The first cluster of each name, if its schema holds. */
function isReadable({ clusters }: Snapshot, ofCluster: ClusterFindings, position: number): boolean {
  const [cluster, before] = [clusters[position], clusters[position - 1]];
  if (cluster === undefined || cluster.metadata.name === before?.metadata.name) return false;
  return (ofCluster.get(cluster) ?? []).every(({ code }) => !UNREADABLE.has(code));
}

/** What Karmada takes and ignores is an error where it can only be a mistake. */
function diagnosticOf(finding: SchemaFinding, { options }: Snapshot): Omit<Diagnostic, 'resource'> {
  const { admission: _admission, ignored = false, suspected = false, ...rest } = finding;
  const isHarmless = suspected || (ignored && options.profile === 'karmada');
  return { severity: isHarmless ? 'warning' : 'error', ...rest };
}

/** Rules of Karmada's admission, such as those for cluster names, bind only where a control plane takes the cluster. */
function clusterFindings({ tools, options }: Snapshot, cluster: Cluster): readonly SchemaFinding[] {
  const findings = tools.validate(cluster as unknown as KubeObject);
  return options.target === 'karmada'
    ? findings
    : findings.filter(({ admission }) => admission !== true);
}

/** A diagnostic about a document, with its place. */
export function about(
  document: SourcedObject,
  finding: Omit<Diagnostic, 'resource' | 'file' | 'line' | 'column' | 'construct'>,
): Diagnostic {
  const { file, line, column, construct } = document.source ?? {};
  return {
    ...finding,
    resource: refOf(document.object),
    ...(file !== undefined && { file }),
    ...(line !== undefined && { line }),
    ...(column !== undefined && { column }),
    ...(construct !== undefined && { construct }),
  };
}

function* schemaFindings(
  snapshot: Snapshot,
  ofCluster: ClusterFindings,
  broken: Set<string>,
): Generator<Diagnostic> {
  for (const document of snapshot.documents) {
    for (const finding of snapshot.tools.validate(document.object)) {
      if (UNREADABLE.has(finding.code)) broken.add(refKey(refOf(document.object)));
      yield about(document, diagnosticOf(finding, snapshot));
    }
  }
  for (const [cluster, findings] of ofCluster) {
    for (const finding of findings) {
      yield about({ object: cluster as unknown as KubeObject }, diagnosticOf(finding, snapshot));
    }
  }
}

function* duplicates(snapshot: Snapshot): Generator<Diagnostic> {
  let previous: SourcedObject | undefined;
  for (const document of snapshot.documents) {
    const ref = refOf(document.object);
    if (previous !== undefined && refKey(refOf(previous.object)) === refKey(ref)) {
      yield about(document, {
        severity: 'error',
        code: 'DOCUMENT_DUPLICATE',
        summary: `${describeRef(ref)} is described twice; the other is ${place(previous)}.`,
        hint: 'Remove one of the two, or give it another name.',
      });
    } else {
      previous = document;
    }
  }
}

function place(document: SourcedObject): string {
  const { file, line, construct } = document.source ?? {};
  if (construct !== undefined) return `construct ${construct}`;
  if (file === undefined) return 'in the same input';
  return line === undefined ? `in ${file}` : `at ${file}:${line}`;
}

function* fleetFindings(snapshot: Snapshot): Generator<Diagnostic> {
  const { clusters, fleet, now } = snapshot;
  if (clusters.length === 0) {
    yield {
      severity: 'error',
      code: 'FLEET_EMPTY',
      summary: 'The fleet has no clusters, so nothing can be placed.',
      hint: 'Write fleet.yaml with `fleetwright fleet snapshot`, or add Cluster documents to it.',
      ...(fleet.file !== undefined && { file: fleet.file, line: 1, column: 1 }),
    };
  }
  for (const [i, cluster] of clusters.entries()) {
    const { name } = cluster.metadata;
    if (i > 0 && clusters[i - 1]?.metadata.name === name) {
      yield {
        severity: 'error',
        code: 'FLEET_DUPLICATE_CLUSTER',
        summary: `The fleet lists cluster "${name}" twice.`,
        hint: 'Cluster names are unique: remove or rename one of the two.',
        resource: refOf(cluster),
        path: ['metadata', 'name'],
      };
    }
  }
  const hours =
    fleet.observedAt === undefined
      ? 0
      : (Date.parse(now) - Date.parse(fleet.observedAt)) / 3_600_000;
  if (hours > STALE_AFTER_HOURS) {
    yield {
      severity: 'warning',
      code: 'FLEET_STALE',
      summary: `The fleet snapshot is ${describeAge(hours)} old; capacity and conditions may have changed since.`,
      hint: 'Refresh it with `fleetwright fleet snapshot`.',
    };
  }
}

function describeAge(hours: number): string {
  return hours < 48 ? `${Math.floor(hours)} h` : `${Math.floor(hours / 24)} days`;
}

interface NamedClusters {
  readonly path: readonly (string | number)[];
  readonly names: readonly string[];
}

function* unknownClusters(snapshot: Snapshot): Generator<Diagnostic> {
  const known = new Set(snapshot.clusters.map((c) => c.metadata.name as string));
  if (known.size === 0) return;
  const documents = [...snapshot.policies, ...snapshot.overrides, ...snapshot.rollouts];
  for (const document of documents) {
    for (const { path, names } of namedClusters(document.object)) {
      for (const [i, name] of names.entries()) {
        if (known.has(name)) continue;
        yield about(document, {
          severity: snapshot.options.profile === 'karmada' ? 'warning' : 'error',
          code: 'PLACEMENT_UNKNOWN_CLUSTER',
          path: [...path, i],
          summary: `${describeRef(refOf(document.object))} names cluster "${name}", which the fleet does not have (it has ${listed(known)}).`,
          hint: 'Correct the name, or add the cluster to the fleet.',
        });
      }
    }
  }
}

function listed(names: ReadonlySet<string>): string {
  const all = [...names].sort(compareStrings);
  return all.length <= 6
    ? all.join(', ')
    : `${all.slice(0, 6).join(', ')} and ${all.length - 6} more`;
}

/** Every `clusterNames` list of placements, override rules and waves, wherever it stands; `exclude` may name strangers. */
function* namedClusters(
  value: unknown,
  path: readonly (string | number)[] = [],
): Generator<NamedClusters> {
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) yield* namedClusters(item, [...path, i]);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      if (key === 'clusterNames' && isStrings(item)) yield { path: [...path, key], names: item };
      else if (key !== 'metadata' && key !== 'overriders')
        yield* namedClusters(item, [...path, key]);
    }
  }
}

function isStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** The first of each run of equal keys; the list is sorted by key. */
function unique(documents: readonly SourcedObject[]): readonly SourcedObject[] {
  return documents.filter((d, i) => {
    const before = documents[i - 1];
    return before === undefined || refKey(refOf(before.object)) !== refKey(refOf(d.object));
  });
}
