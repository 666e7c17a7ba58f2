import type { KubeObject } from '../../api/object.js';
import type { Overriders } from '../../api/overriders.js';
import type { Edited } from './fault.js';
import { editEach, edited, faulty } from './fault.js';
import type { PatchOperation } from './json-patch.js';
import { applyPatch } from './json-patch.js';
import { overrideList } from './overriders/command-args.js';
import type { DocumentTools } from './overriders/field.js';
import { overrideField } from './overriders/field.js';
import { overrideImage } from './overriders/image.js';
import { overrideMetadata } from './overriders/metadata.js';

type Step = (
  object: KubeObject,
  overriders: Overriders,
  tools: DocumentTools,
) => Edited<KubeObject>;

/** One rule's edits, in Karmada's fixed order (lifecycle reference §7.2). */
const STEPS: readonly Step[] = [
  (object, { imageOverrider = [] }) => editEach(object, imageOverrider, overrideImage),
  (object, { commandOverrider = [] }) =>
    editEach(object, commandOverrider, overrideList('command')),
  (object, { argsOverrider = [] }) => editEach(object, argsOverrider, overrideList('args')),
  (object, { labelsOverrider = [] }) =>
    editEach(object, labelsOverrider, overrideMetadata('labels')),
  (object, { annotationsOverrider = [] }) =>
    editEach(object, annotationsOverrider, overrideMetadata('annotations')),
  (object, { fieldOverrider = [] }, tools) =>
    editEach(object, fieldOverrider, (value, overrider) => overrideField(value, overrider, tools)),
  (object, { plaintext = [] }) => applyPlaintext(object, plaintext),
];

/** All edits of one rule; the first fault ends it. */
export function applyOverriders(
  object: KubeObject,
  overriders: Overriders,
  tools: DocumentTools,
): Edited<KubeObject> {
  return editEach(object, STEPS, (value, step) => step(value, overriders, tools));
}

/** The whole list is one JSON patch. */
function applyPlaintext(
  object: KubeObject,
  plaintext: NonNullable<Overriders['plaintext']>,
): Edited<KubeObject> {
  if (plaintext.length === 0) return edited(object);
  const operations = plaintext.map(({ operator, path, value }): PatchOperation => ({
    op: operator,
    path,
    value,
  }));
  const patched = applyPatch(object, operations);
  if (!patched.ok) return patched;
  const { value } = patched;
  const isObject =
    typeof value === 'object' && value !== null && typeof (value as KubeObject).kind === 'string';
  return isObject
    ? edited(value as KubeObject)
    : faulty('type', '', 'what is left is no Kubernetes object');
}
