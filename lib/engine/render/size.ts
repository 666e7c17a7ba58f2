import type { KubeObject, ObjectRef } from '../../api/object.js';
import { canonicalJson } from '../canonical.js';
import type { Diagnostic } from '../diagnostic.js';
import type { PlanOptions } from '../input.js';
import { fieldsOf, objectAt } from '../interpret/field.js';
import { describeRef, isOf } from '../object.js';

/** etcd takes requests of up to 1.5 MiB. */
const OBJECT_BYTES = 1.5 * 2 ** 20;
/** All annotations of an object together, keys and values. */
const ANNOTATION_BYTES = 256 * 2 ** 10;
/** Values of a ConfigMap or Secret together. */
const DATA_BYTES = 2 ** 20;

/** Below so many characters no limit can be reached, whatever the characters are: UTF-8 takes at most 3 bytes for one. */
const SMALL = Math.floor(ANNOTATION_BYTES / 3);

/** An object that may be beyond a limit; most are not worth measuring. `characters`: of its canonical JSON. */
export function mayBeLarge(characters: number): boolean {
  return characters > SMALL;
}

/**
 * What API servers would refuse for its size, and, for repositories, what clients cannot apply that keep a copy of the
 * object in an annotation (`kubectl apply`, Argo CD without server-side apply). We apply server-side and keep no such copy,
 * so a definition of a few hundred kilobytes is no trouble for target `members`.
 */
export function findOversize(
  object: KubeObject,
  resource: ObjectRef,
  target: PlanOptions['target'],
): readonly Diagnostic[] {
  const size = bytesOf(canonicalJson(object));
  const annotations = bytesOfEntries(objectAt(object, 'metadata', 'annotations'));
  const data = bytesOfEntries(object['data']) + bytesOfEntries(object['binaryData']);
  const name = describeRef(resource);
  const found = [
    size > OBJECT_BYTES && refused(`${name} takes ${size} bytes; a cluster stores ${OBJECT_BYTES}`),
    annotations > ANNOTATION_BYTES &&
      refused(`The annotations of ${name} take ${annotations} bytes of ${ANNOTATION_BYTES}`),
    isOf(object, '', 'ConfigMap') &&
      data > DATA_BYTES &&
      refused(`The data of ${name} takes ${data} bytes of ${DATA_BYTES}`),
  ].flatMap((finding) => (finding === false ? [] : [{ ...finding, resource }]));
  if (found.length > 0 || target !== 'git' || size + annotations <= ANNOTATION_BYTES) return found;
  return [
    {
      code: 'OBJECT_TOO_LARGE',
      severity: 'warning',
      summary: `${name} takes ${size} bytes: tools that keep what they applied in an annotation (at most ${ANNOTATION_BYTES}) cannot apply it.`,
      hint: 'Let the tool apply server-side (Flux and the written Argo CD ApplicationSet do; for kubectl: `--server-side`).',
      resource,
    },
  ];
}

function refused(what: string): Diagnostic {
  return {
    code: 'OBJECT_TOO_LARGE',
    severity: 'error',
    summary: `${what}; every cluster would refuse it.`,
    hint: 'Split the object, shorten descriptions in a definition, or keep large data in a volume or an image.',
  };
}

function bytesOfEntries(map: unknown): number {
  return Object.entries(fieldsOf(map)).reduce(
    (sum, [name, value]) => sum + bytesOf(name) + (typeof value === 'string' ? bytesOf(value) : 0),
    0,
  );
}

/** In UTF-8. */
function bytesOf(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    // Both halves of a pair count 2 each: four bytes together.
    if (unit > 0x7f) bytes += unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff) ? 2 : 1;
  }
  return bytes;
}
