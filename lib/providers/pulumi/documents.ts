import type { Cluster } from '../../api/cluster.js';
import type { FleetLock } from '../../api/fleet-lock.js';
import type { Diagnostic } from '../../engine/diagnostic.js';
import type { Fleet, SourcedObject } from '../../engine/input.js';
import type { KubeObject } from '../../engine/object.js';
import { readLock } from '../lock/index.js';
import { withTexts } from './late-values.js';
import type { Place } from '../source/index.js';
import { notAnObject, readFleet, readSources } from '../source/index.js';

/** Anything that holds documents: a FleetApp, or whatever else gives them. */
export interface HasDocuments {
  toDocuments(): readonly SourcedObject[];
}

/** Where the documents of a plan come from; all of them together. */
export interface DocumentSources {
  /** A FleetApp (or anything with `toDocuments()`). */
  readonly app?: HasDocuments;
  /** YAML files and folders, relative to the project. */
  readonly files?: readonly string[];
  /** Objects as they are. */
  readonly documents?: readonly object[];
  /** Path of `fleet.yaml`, or the Cluster documents. */
  readonly fleet: string | readonly object[];
  /** Path of the lock. */
  readonly lockFile: string;
}

export interface Gathered {
  readonly documents: readonly SourcedObject[];
  readonly fleet?: Fleet;
  readonly lock?: FleetLock;
  readonly diagnostics: readonly Diagnostic[];
  readonly places: readonly Place[];
}

/** Read everything a plan needs, synchronously: nothing may be registered before the plan is known to be good. */
export function gather(sources: DocumentSources, cwd: string): Gathered {
  const read = readSources([...(sources.files ?? [])], { cwd });
  const given = (sources.documents ?? []).map((document, i) =>
    withTexts(document, placeOf(document, i)),
  );
  const own = given.map((object) => ({ object: object as KubeObject }));
  const malformed = given.flatMap((object, i) => {
    const problem = notAnObject(object);
    return problem === undefined
      ? []
      : [{ ...problem, summary: `documents[${i}]: ${problem.summary}` }];
  });
  const fromApp = sources.app?.toDocuments() ?? [];
  const fleet =
    typeof sources.fleet === 'string'
      ? readFleet(sources.fleet, { cwd })
      : { fleet: { clusters: sources.fleet as readonly Cluster[] }, diagnostics: [], places: [] };
  const lock = readLock(resolvePath(cwd, sources.lockFile), sources.lockFile);
  return {
    documents: [...fromApp, ...read.documents, ...own],
    ...(fleet.fleet !== undefined && { fleet: fleet.fleet }),
    ...(lock.ok && lock.value !== undefined && { lock: lock.value }),
    diagnostics: [
      ...read.diagnostics,
      ...malformed,
      ...fleet.diagnostics,
      ...(lock.ok ? [] : lock.diagnostics),
    ],
    places: [...read.places, ...fleet.places],
  };
}

/** A name for the places in a document that lasts when others come and go. */
function placeOf(document: object, index: number): string {
  const { kind, metadata } = document as Partial<KubeObject>;
  const name = metadata?.name;
  return typeof kind === 'string' && typeof name === 'string'
    ? `${kind}/${String(metadata?.namespace ?? '')}/${name}`
    : `documents/${index}`;
}

function resolvePath(cwd: string, path: string): string {
  return path.startsWith('/') ? path : `${cwd}/${path}`;
}
