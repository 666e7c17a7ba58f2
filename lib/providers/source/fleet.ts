import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Cluster } from '../../api/cluster.js';
import type { Diagnostic } from '../../engine/diagnostic.js';
import type { Fleet, SourcedObject } from '../../engine/input.js';
import type { Place } from './locate.js';
import { readDocuments, readSources, type Sources } from './read.js';

const OBSERVED_AT = 'fleetwright.dev/observed-at';

export interface ReadFleet {
  /** Absent when there are errors. Clusters in the order of the file; duplicates are left to the plan. */
  readonly fleet?: Fleet;
  readonly diagnostics: readonly Diagnostic[];
  readonly places: readonly Place[];
}

/** Read `fleet.yaml`: Karmada `Cluster` documents. Codes: `FLEET_MISSING`, and those of {@link readSources}. */
export function readFleet(
  path: string,
  options: { readonly cwd: string; readonly stdin?: string | Uint8Array },
): ReadFleet {
  if (path !== '-' && !existsSync(resolve(options.cwd, path))) {
    const missing: Diagnostic = {
      code: 'FLEET_MISSING',
      severity: 'error',
      summary: `The fleet "${path}" does not exist.`,
      hint: 'Write it with `fleetwright fleet snapshot`, or name another file with --fleet.',
      file: path,
    };
    return { diagnostics: [missing], places: [] };
  }
  return toFleet(readSources([path], options), path === '-' ? 'stdin' : path);
}

/** The same for a text already at hand. */
export function parseFleet(text: string, file: string): ReadFleet {
  return toFleet(readDocuments([{ file, text }]), file);
}

function toFleet({ documents, diagnostics, places }: Sources, file: string): ReadFleet {
  const strangers = documents.filter(({ object }) => !isCluster(object)).map(notACluster);
  const all = [...diagnostics, ...strangers];
  if (all.some((d) => d.severity === 'error')) return { diagnostics: all, places };
  // The plan checks each Cluster against its schema; here only the kind is known.
  const clusters = documents.map(({ object }) => object as unknown as Cluster);
  const times = documents
    .flatMap(({ object }) => object.metadata.annotations?.[OBSERVED_AT] ?? [])
    .sort();
  const [observedAt] = times;
  return {
    fleet: { clusters, file, ...(observedAt !== undefined && { observedAt }) },
    diagnostics: all,
    places,
  };
}

function isCluster({ apiVersion, kind }: SourcedObject['object']): boolean {
  return apiVersion.startsWith('cluster.karmada.io/') && kind === 'Cluster';
}

function notACluster({ object, source }: SourcedObject): Diagnostic {
  const { file, line, column } = source ?? {};
  return {
    code: 'DOCUMENT_INVALID',
    severity: 'error',
    summary: `The fleet may hold only Cluster documents of cluster.karmada.io, found ${object.kind} of ${object.apiVersion}.`,
    hint: 'Give templates and policies with -f.',
    ...(file !== undefined && { file }),
    ...(line !== undefined && { line }),
    ...(column !== undefined && { column }),
  };
}
