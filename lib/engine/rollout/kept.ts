import type { KubeObject, ObjectRef } from '../../api/object.js';
import { refKey, refOf } from '../object.js';
import type { Manifest, PlannedWave } from '../plan.js';
import { applySetParent } from './apply-set.js';

/** Revisions that stay on a cluster; older ones go when a new one comes. */
export const KEPT_LIMIT = 10;

/** On the objects that hold kept revisions: the id of the set they were kept for. They are no members of it. */
export const KEPT_FOR = 'fleetwright.dev/kept-for';

export const KEPT_TYPE = 'fleetwright.dev/kept-revision';

/**
 * One object of a kept revision. Of a Secret only its name is kept, and a proof that tells whether the Secret that is there
 * still is the one of that revision: its data stays where it lives (ADR 0072).
 */
export interface KeptManifest extends Pick<
  Manifest,
  | 'object'
  | 'revision'
  | 'generation'
  | 'conflictResolution'
  | 'preserveOnDeletion'
  | 'shared'
  | 'rank'
  | 'memberFields'
> {
  /** Of Secrets, whose `revision` is empty. See {@link secretProof}. */
  readonly proof?: string;
}

/** A wave as it was: who, and how many at once. In the order in which it rolled out. */
export interface KeptWave extends Pick<PlannedWave, 'name' | 'clusters' | 'maxConcurrent'> {
  readonly deadlineSeconds: number;
}

/** What one cluster had when a rollout was done. Plain data. */
export interface KeptRelease {
  readonly schemaVersion: 1;
  readonly application: string;
  readonly environment?: string;
  readonly cluster: string;
  /** Counts the states of the whole fleet, from 1. */
  readonly revision: number;
  /** RFC 3339, the plan's time. */
  readonly at: string;
  /** Serial of the lock it was planned with: leads to the lock in the history of the repository. */
  readonly lockSerial: number;
  /** Hash of the release of every cluster that had one then. A cluster that is not named here had nothing. */
  readonly fleet: Readonly<Record<string, string>>;
  /** What a rollback brought back: the revision that first had it. */
  readonly restores?: number;
  readonly waves: readonly KeptWave[];
  readonly manifests: readonly KeptManifest[];
}

/** One line of the list of revisions on a cluster. */
export interface KeptEntry {
  readonly revision: number;
  /** Hash of the release; empty: the application left the cluster. */
  readonly hash: string;
  readonly at: string;
  readonly lockSerial: number;
  /** See {@link KeptRelease.restores}. */
  readonly restores?: number;
  /** Secrets it takes; 0 when nothing was there to keep. */
  readonly chunks: number;
}

/**
 * A rollback that has begun and is not done: from the newest revision at that time, to an earlier one. Once a later revision is
 * kept it means nothing any more.
 */
export interface GoingBack {
  readonly from: number;
  readonly to: number;
  /** The revision that first had what `to` has. */
  readonly restores: number;
}

/** The last thing done here was to go back to the newest revision, after a rollout that was not done. `at`: RFC 3339. */
export interface WentBack {
  readonly restores: number;
  readonly at: string;
}

/** What a cluster keeps a list of. */
export interface KeptIndex {
  /** Oldest first. */
  readonly entries: readonly KeptEntry[];
  readonly goingBack?: GoingBack;
  /** Absent: something came after it. */
  readonly wentBack?: WentBack;
}

/** The object that lists the kept revisions of an application (with its environment) on a cluster. */
export function keptIndexRef(application: string): ObjectRef & { readonly namespace: string } {
  const parent = applySetParent(application);
  return { ...parent, name: `${parent.name}.revisions` };
}

export function keptSecretRef(application: string, revision: number, chunk: number): ObjectRef {
  const { namespace, name } = applySetParent(application);
  return { apiVersion: 'v1', kind: 'Secret', namespace, name: `${name}.v${revision}.${chunk}` };
}

/**
 * Tells whether a live Secret is the one that was kept: a hash of its UID and its revision. Who may read kept revisions but
 * not the Secret itself does not know the UID, and so cannot try out short values.
 */
export function secretProof(uid: string, revision: string, hash: (text: string) => string): string {
  return hash(`${uid}:${revision}`).slice(0, 16);
}

/** What is kept of a manifest. `uid`: of the object on the cluster, which only Secrets need. */
export function toKept(
  manifest: Manifest,
  uid: string | undefined,
  hash: (text: string) => string,
): KeptManifest {
  const { object, revision, generation, conflictResolution, preserveOnDeletion, shared, rank } =
    manifest;
  const { memberFields } = manifest;
  const rest = {
    generation,
    conflictResolution,
    preserveOnDeletion,
    shared,
    rank,
    ...(memberFields !== undefined && { memberFields }),
  };
  if (!isSecret(object)) return { object, revision, ...rest };
  const { name, namespace } = manifest.resource;
  const metadata = { name, ...(namespace !== undefined && { namespace }) };
  return {
    object: { apiVersion: object.apiVersion, kind: object.kind, metadata },
    revision: '',
    ...rest,
    proof: uid === undefined ? '' : secretProof(uid, revision, hash),
  };
}

export function isSecret({ apiVersion, kind }: Pick<KubeObject, 'apiVersion' | 'kind'>): boolean {
  return apiVersion === 'v1' && kind === 'Secret';
}

/** Entries with a new one, oldest first, and those that no longer fit. */
export function withEntry(
  entries: readonly KeptEntry[],
  entry: KeptEntry,
): { readonly entries: readonly KeptEntry[]; readonly dropped: readonly KeptEntry[] } {
  const others = entries.filter(({ revision }) => revision !== entry.revision);
  const all = [...others, entry].sort((a, b) => a.revision - b.revision);
  const surplus = Math.max(0, all.length - KEPT_LIMIT);
  return { entries: all.slice(surplus), dropped: all.slice(0, surplus) };
}

export function keyOfKept({ object }: KeptManifest): string {
  return refKey(refOf(object));
}
