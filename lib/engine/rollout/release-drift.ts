import type { KubeObject, ObjectRef } from '../../api/object.js';
import { compareBy, sorted } from '../compare.js';
import type { Interpreter } from '../interpret/index.js';
import { InterpretError } from '../interpret/index.js';
import { refKey, refOf } from '../object.js';
import type { Manifest, Release } from '../plan.js';
import { MARKS } from '../plan.js';
import { findDrift } from './drift.js';
import { holdersAt, managersAt } from './managers-at.js';
import { isOurManager } from './ownership.js';
import { toApply, type ApplyContext } from './to-apply.js';

/** A field with another value than planned. Plain data. */
export interface FieldDrift {
  readonly path: string;
  /** Absent for Secrets. */
  readonly planned?: unknown;
  /** Absent: the cluster does not have the field; and for Secrets. */
  readonly live?: unknown;
  /** Who owns the field on the cluster now; empty: nobody. */
  readonly managers: readonly string[];
  /** Those of them, other than us, that an apply without force conflicts with; absent: none. */
  readonly holders?: readonly string[];
}

/** An object that is not on the cluster as the plan has it. Plain data. */
export interface ObjectDrift {
  readonly cluster: string;
  readonly resource: ObjectRef;
  /** `unwanted`: it belongs to the application's set and the plan does not have it. */
  readonly state: 'missing' | 'differs' | 'unwanted';
  /** Of `differs`; sorted as in the object. */
  readonly fields: readonly FieldDrift[];
}

export interface DriftContext {
  /** Id of the application's ApplySet. */
  readonly setId: string;
  /** Whether some autoscaler decides an object's replicas. */
  readonly isAutoscaled: (object: KubeObject) => boolean;
  /** Of the user. */
  readonly interpreters?: readonly Interpreter[];
}

const UNTOLD: readonly string[] = [MARKS.revision, MARKS.generation, MARKS.application].map(
  (mark) => `.metadata.annotations.${mark}`,
);

/**
 * How a cluster differs from a release: objects that are missing, fields with other values and who wrote them, and members
 * of the application's set that the plan lacks. Sorted by resource key.
 *
 * What the member cluster decides (replicas under an autoscaler, addresses, fields of others) is no drift; neither are
 * our own annotations. Shared objects are only missing or there.
 */
export function driftOfRelease(
  release: Release,
  live: readonly KubeObject[],
  context: DriftContext,
): readonly ObjectDrift[] {
  const there = new Map(live.map((object) => [refKey(refOf(object)), object]));
  const planned = new Set(release.manifests.map(({ resource }) => refKey(resource)));
  const doomed = new Set(release.deletions.map(({ resource }) => refKey(resource)));
  const { cluster } = release;
  const held = release.manifests.flatMap((manifest): readonly ObjectDrift[] => {
    const { resource } = manifest;
    const object = there.get(refKey(resource));
    if (object === undefined) return [{ cluster, resource, state: 'missing', fields: [] }];
    const fields = manifest.shared ? [] : fieldsOf(manifest, object, context);
    return fields.length === 0 ? [] : [{ cluster, resource, state: 'differs', fields }];
  });
  const unwanted = live.flatMap((object): readonly ObjectDrift[] => {
    const resource = refOf(object);
    const key = refKey(resource);
    const isOurs = object.metadata.labels?.[MARKS.partOf] === context.setId || doomed.has(key);
    if (planned.has(key) || !isOurs) return [];
    return [{ cluster, resource, state: 'unwanted', fields: [] }];
  });
  return sorted(
    [...held, ...unwanted],
    compareBy(({ resource }) => refKey(resource)),
  );
}

function fieldsOf(
  manifest: Manifest,
  live: KubeObject,
  { setId, isAutoscaled, interpreters = [] }: DriftContext,
): readonly FieldDrift[] {
  const settings: ApplyContext = {
    mode: 'settle',
    setId,
    isAutoscaled: isAutoscaled(manifest.object),
    interpreters,
  };
  const isSecret = live.apiVersion === 'v1' && live.kind === 'Secret';
  return findDrift(applied(manifest, live, settings), live)
    .filter(({ path }) => !UNTOLD.includes(path))
    .map(({ path, steps, desired, live: value }) => {
      const holders = holdersAt(live, steps).filter((manager) => !isOurManager(manager));
      return {
        path,
        ...(!isSecret && { planned: desired }),
        ...(!isSecret && value !== undefined && { live: value }),
        managers: managersAt(live, steps),
        ...(holders.length > 0 && { holders }),
      };
    });
}

/** What is applied for a manifest. Where the user's `Retain` fails the whole manifest is compared: applying it will say what is wrong with the rule. */
export function applied(manifest: Manifest, live: KubeObject, settings: ApplyContext): KubeObject {
  try {
    return toApply(manifest, live, settings).object;
  } catch (error) {
    if (InterpretError.is(error)) return manifest.object;
    throw error;
  }
}
