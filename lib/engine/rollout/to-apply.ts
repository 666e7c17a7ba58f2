import type { KubeObject } from '../../api/object.js';
import { equalData } from '../canonical.js';
import { fieldAt, withField } from '../interpret/field.js';
import type { Manifest } from '../plan.js';
import { MARKS } from '../plan.js';
import { fieldsNotToApply, withoutFields } from '../render/not-applied.js';
import { PRESERVE_MARK } from './apply-set.js';
import { driftedFields } from './drift.js';
import { lostFields } from './lost-fields.js';
import { isOwnedByOthers, isOwnedByUs } from './ownership.js';

/**
 * `grow`: what shrinks stays as large as it is. `settle`: the plan's object as it is.
 */
export type ApplyMode = 'grow' | 'settle';

export interface ApplyContext {
  readonly mode: ApplyMode;
  readonly setId: string;
  /** Some autoscaler of the cluster decides its replicas. */
  readonly isAutoscaled: boolean;
}

/** What to send for one manifest. */
export interface ToApply {
  readonly object: KubeObject;
  /**
   * Fields whose value must first be taken over by a second manager, because only we own them and `object` no longer has
   * them: a minimal object with just these. Absent: nothing to hand over.
   */
  readonly handover?: KubeObject;
  /** Why it has to be sent; empty: the cluster has it already. */
  readonly because: readonly string[];
  /** It stays larger than the plan has it: the settle step shrinks it. */
  readonly isGrown: boolean;
}

const REPLICAS = ['spec', 'replicas'] as const;

/**
 * Decide what to send for a manifest, given what the cluster has (`undefined`: nothing).
 *
 * Replicas in mode `grow` are the largest of the plan's, the growing manifest's and the live ones, so that a run that was
 * killed and planned anew still shrinks nothing before the settle step. A member's own fields are left out (ADR 0071).
 */
export function toApply(
  manifest: Manifest,
  live: KubeObject | undefined,
  context: ApplyContext,
): ToApply {
  const large = grown(manifest, live, context);
  const full = marked(large, manifest, context.setId);
  const isGrown = !context.isAutoscaled && large !== manifest.object;
  if (live === undefined) return { object: full, because: ['it does not exist'], isGrown };
  const left = fieldsLeftToMember(full, live, context.isAutoscaled);
  const object = withoutFields(full, left);
  const orphaned = left.filter((path) => isOwnedByUs(live, path) && !isOwnedByOthers(live, path));
  return {
    object,
    ...(orphaned.length > 0 && { handover: handoverOf(live, orphaned) }),
    because: reasons(object, manifest, live),
    isGrown,
  };
}

function grown(
  manifest: Manifest,
  live: KubeObject | undefined,
  { mode }: ApplyContext,
): KubeObject {
  if (mode === 'settle') return manifest.object;
  const object = manifest.growing ?? manifest.object;
  const planned = fieldAt(object, ...REPLICAS);
  const running = fieldAt(live, ...REPLICAS);
  const isLarger = typeof planned === 'number' && typeof running === 'number' && running > planned;
  return isLarger ? withField(object, REPLICAS, running) : object;
}

/** The marks are the plan's, also on the growing variant, which is a stage of the same revision. */
function marked(object: KubeObject, manifest: Manifest, setId: string): KubeObject {
  const { annotations, labels, ...metadata } = object.metadata;
  return {
    ...object,
    metadata: {
      ...metadata,
      annotations: {
        ...annotations,
        [MARKS.revision]: manifest.revision,
        [MARKS.generation]: String(manifest.generation),
        ...(isPreserved(manifest) && { [PRESERVE_MARK]: 'true' }),
      },
      // A shared object belongs to nobody's prune set.
      labels: manifest.shared
        ? without(labels, MARKS.partOf)
        : { ...labels, [MARKS.partOf]: setId },
    },
  };
}

/** Only fields that differ: one that is equal costs nothing and stays ours. */
function fieldsLeftToMember(
  desired: KubeObject,
  live: KubeObject,
  isAutoscaled: boolean,
): readonly (readonly string[])[] {
  const fields = [...fieldsNotToApply(desired, live), ...(isAutoscaled ? [REPLICAS] : [])];
  return fields.filter((path) => {
    const value = fieldAt(desired, ...path);
    return value !== undefined && !equalData(value, fieldAt(live, ...path));
  });
}

function handoverOf(live: KubeObject, paths: readonly (readonly string[])[]): KubeObject {
  const { apiVersion, kind } = live;
  const { name = '', namespace } = live.metadata;
  const bare: KubeObject = {
    apiVersion,
    kind,
    metadata: { name, ...(namespace !== undefined && { namespace }) },
  };
  return paths.reduce((object, path) => withField(object, path, fieldAt(live, ...path)), bare);
}

/** Shared objects are never removed anyway. */
function isPreserved({ preserveOnDeletion, shared }: Manifest): boolean {
  return preserveOnDeletion && !shared;
}

function reasons(object: KubeObject, manifest: Manifest, live: KubeObject): readonly string[] {
  const annotations = live.metadata.annotations ?? {};
  if (annotations[MARKS.revision] !== manifest.revision) return ['its revision differs'];
  // All else that we no longer want comes with a new revision.
  const isOverPreserved = annotations[PRESERVE_MARK] !== undefined && !isPreserved(manifest);
  if (isOverPreserved) return ['it need no longer be preserved'];
  const drifted = driftedFields(object, live).map((path) => `${path} differs`);
  return drifted.length > 0
    ? drifted
    : lostFields(object, live).map((path) => `${path} is not ours`);
}

function without(
  labels: Readonly<Record<string, string>> | undefined,
  key: string,
): Readonly<Record<string, string>> {
  const { [key]: _, ...rest } = labels ?? {};
  return rest;
}
