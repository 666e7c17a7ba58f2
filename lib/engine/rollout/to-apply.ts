import type { KubeObject } from '../../api/object.js';
import { fieldAt, withField } from '../interpret/field.js';
import type { Interpreter } from '../interpret/index.js';
import { interpreterFor } from '../interpret/index.js';
import type { Manifest } from '../plan.js';
import { MARKS } from '../plan.js';
import type { FieldPath } from '../render/field-path.js';
import { valueAt, withoutValueAt, withValueAt } from '../render/field-path.js';
import type { Retained } from '../render/retained.js';
import { retainAt, withoutRetained } from '../render/retained.js';
import { PRESERVE_MARK } from './apply-set.js';
import { driftedFields } from './drift.js';
import { lostFields } from './lost-fields.js';
import { managersAt } from './managers-at.js';
import { FIELD_MANAGERS } from './ownership.js';

/**
 * `grow`: what shrinks stays as large as it is. `settle`: the plan's object as it is.
 */
export type ApplyMode = 'grow' | 'settle';

export interface ApplyContext {
  readonly mode: ApplyMode;
  readonly setId: string;
  /** Some autoscaler of the cluster decides its replicas. */
  readonly isAutoscaled: boolean;
  /** Of the user; their `Retain` comes before the built-in one of the kind. */
  readonly interpreters?: readonly Interpreter[];
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
 * killed and planned anew still shrinks nothing before the settle step. What the member decides is left out (ADR 0046).
 *
 * @throws {@link InterpretError} when the kind's `Retain` fails
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
  const { object, left } = withoutMemberFields(full, manifest, live, context);
  const orphaned = left.filter((path) => isOursAlone(live, path));
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

function withoutMemberFields(
  full: KubeObject,
  { memberFields }: Manifest,
  live: KubeObject,
  { isAutoscaled, interpreters = [] }: ApplyContext,
): Retained {
  const retain =
    memberFields === undefined ? interpreterFor(full, interpreters).retain : retainAt(memberFields);
  const retained =
    retain === undefined ? { object: full, left: [] } : withoutRetained(full, live, retain);
  const planned = fieldAt(retained.object, ...REPLICAS);
  // Equal replicas cost nothing and stay ours.
  if (!isAutoscaled || planned === undefined || planned === fieldAt(live, ...REPLICAS))
    return retained;
  return {
    object: withoutValueAt(retained.object, REPLICAS),
    left: [...retained.left, REPLICAS],
  };
}

/**
 * Whether dropping the field would reset it. Of maps and lists others may own only a part, so they are handed over
 * whenever some of it is ours.
 */
function isOursAlone(live: KubeObject, path: FieldPath): boolean {
  const steps = path.map((step) =>
    typeof step === 'string'
      ? { kind: 'member' as const, name: step }
      : { kind: 'item' as const, index: 0, name: step.name },
  );
  const managers = managersAt(live, steps);
  const value = valueAt(live, path);
  const isWhole = typeof value === 'object' && value !== null;
  return managers.includes(FIELD_MANAGERS.own) && (isWhole || managers.length === 1);
}

function handoverOf(live: KubeObject, paths: readonly FieldPath[]): KubeObject {
  const { apiVersion, kind } = live;
  const { name = '', namespace } = live.metadata;
  const bare: KubeObject = {
    apiVersion,
    kind,
    metadata: { name, ...(namespace !== undefined && { namespace }) },
  };
  return paths.reduce((object, path) => withValueAt(object, path, valueAt(live, path)), bare);
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
