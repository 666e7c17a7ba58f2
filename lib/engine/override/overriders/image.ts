import type { KubeObject } from '../../../api/object.js';
import type { ImageOverrider } from '../../../api/overriders.js';
import type { Edited } from '../fault.js';
import { edited, faulty } from '../fault.js';
import type { ImageReference } from '../image-reference.js';
import { parseImage, printImage, withVersion } from '../image-reference.js';
import type { PatchOperation } from '../json-patch.js';
import { applyPatch } from '../json-patch.js';
import { containersOf, findBrokenMap } from './pod-spec.js';

/**
 * Change one part of images: of all regular containers, or of the one text that `predicate.path` names.
 * Source: lifecycle reference §7.3.
 */
export function overrideImage(object: KubeObject, overrider: ImageOverrider): Edited<KubeObject> {
  const images =
    overrider.predicate === undefined
      ? imagesOf(object)
      : imageAt(object, overrider.predicate.path);
  if (!images.ok) return images;
  const operations: PatchOperation[] = [];
  for (const [path, image] of images.value) {
    const parsed = parseImage(image);
    if (!parsed.ok) return faulty(parsed.fault.kind, path, parsed.fault.message);
    operations.push({ op: 'replace', path, value: printImage(edit(parsed.value, overrider)) });
  }
  return applyPatch(object, operations) as Edited<KubeObject>;
}

function edit(
  image: ImageReference,
  { component, operator, value = '' }: ImageOverrider,
): ImageReference {
  if (component === 'Tag') {
    if (operator === 'remove')
      return image.tag === '' ? { ...image, digest: '' } : { ...image, tag: '' };
    const current = image.tag === '' ? image.digest : image.tag;
    return withVersion(image, operator === 'add' ? current + value : value);
  }
  const part = component === 'Registry' ? 'registry' : 'repository';
  const changed = { add: image[part] + value, replace: value, remove: '' } satisfies Record<
    typeof operator,
    string
  >;
  return { ...image, [part]: changed[operator] };
}

type Images = readonly (readonly [pointer: string, image: string])[];

function imagesOf(object: KubeObject): Edited<Images> {
  const containers = containersOf(object);
  if (!containers.ok) return containers;
  const { pointer, items } = containers.value;
  const broken = items.length > 0 ? findBrokenMap(object) : undefined;
  if (broken !== undefined) return faulty('type', broken, 'a map is expected there');
  const images: [string, string][] = [];
  for (const [position, container] of items.entries()) {
    const { image = '' } = container;
    if (typeof image !== 'string')
      return faulty('type', `${pointer}/${position}/image`, 'a text is expected there');
    images.push([`${pointer}/${position}/image`, image]);
  }
  return edited(images);
}

/** Slashes part the names; unlike a JSON pointer, nothing is decoded and the first slash may be missing. */
function imageAt(object: KubeObject, path: string): Edited<Images> {
  let node: unknown = object;
  for (const name of path.replace(/^\//, '').split('/')) {
    if (typeof node !== 'object' || node === null)
      return faulty('type', path, `there is nothing to look for "${name}" in`);
    node = (node as Record<string, unknown>)[name];
  }
  if (node === undefined) return faulty('missing', path, 'the path leads nowhere');
  if (typeof node !== 'string') return faulty('type', path, 'a text is expected there');
  return edited([[path, node]]);
}
