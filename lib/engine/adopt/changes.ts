import type { KubeObject } from '../../api/object.js';
import { equalData } from '../canonical.js';
import { fieldAt, withoutField, isFields } from '../interpret/field.js';
import { isOf } from '../object.js';
import { pointerTokens } from '../override/json-patch.js';
import { MARKS } from '../plan.js';
import { LEFT_BY_MARK, PRESERVE_MARK } from '../rollout/apply-set.js';
import { editsBetween } from './edits.js';

/** One field that an apply would change. */
export interface FieldChange {
  /** `.spec.template.spec.containers[web].image` */
  readonly path: string;
  /** Absent: the field is new. Never there for Secrets. */
  readonly before?: unknown;
  /** Absent: the field goes. Never there for Secrets. */
  readonly after?: unknown;
}

export interface ObjectChanges {
  /** Sorted by path; our marks are not among them. */
  readonly fields: readonly FieldChange[];
  /** Its pod template changes, so its pods are made anew. */
  readonly restartsPods: boolean;
}

const SERVER_FIELDS = [
  ['status'],
  ['metadata', 'managedFields'],
  ['metadata', 'resourceVersion'],
  ['metadata', 'generation'],
  ['metadata', 'labels', MARKS.partOf],
  ...[MARKS.revision, MARKS.application, MARKS.generation, LEFT_BY_MARK, PRESERVE_MARK].map(
    (mark) => ['metadata', 'annotations', mark],
  ),
] as const;

/**
 * What differs between an object as it is and as the API server says it would be after an apply (a server-side dry run,
 * so defaults are filled in on both sides). What the server itself and our marks change is left out.
 *
 * Pods restart where `spec.template` of a kind with pods changes; a CronJob's or Job's running pods are not touched.
 */
export function changesBetween(live: KubeObject, after: KubeObject): ObjectChanges {
  const [before, then] = [wishes(live), wishes(after)];
  const isSecret = live.apiVersion === 'v1' && live.kind === 'Secret';
  const fields = editsBetween(before, then).map(({ path }): FieldChange => {
    const tokens = pointerTokens(path);
    const [old, now] = [valueAt(before, tokens), valueAt(then, tokens)];
    return {
      path: describePath(before, tokens),
      ...(!isSecret && old !== undefined && { before: old }),
      ...(!isSecret && now !== undefined && { after: now }),
    };
  });
  return {
    fields: fields.sort((a, b) => (a.path < b.path ? -1 : 1)),
    restartsPods: hasPods(live) && !equalData(podTemplate(before), podTemplate(then)),
  };
}

function wishes(object: KubeObject): KubeObject {
  let result = SERVER_FIELDS.reduce<KubeObject>((kept, path) => withoutField(kept, path), object);
  for (const field of ['labels', 'annotations'] as const)
    if (Object.keys(result.metadata[field] ?? {}).length === 0)
      result = withoutField(result, ['metadata', field]);
  return result;
}

function podTemplate(object: KubeObject): unknown {
  return fieldAt(object, 'spec', 'template');
}

function hasPods(object: KubeObject): boolean {
  return (
    Array.isArray(fieldAt(object, 'spec', 'template', 'spec', 'containers')) &&
    !isOf(object, 'batch', 'Job')
  );
}

function valueAt(value: unknown, tokens: readonly string[]): unknown {
  let current = value;
  for (const token of tokens) {
    if (Array.isArray(current)) current = current[Number(token)];
    else if (isFields(current))
      current = Object.hasOwn(current, token) ? current[token] : undefined;
    else return undefined;
  }
  return current;
}

/** List items by their name where they have one. */
function describePath(value: unknown, tokens: readonly string[]): string {
  let text = '';
  let current = value;
  for (const token of tokens) {
    const isItem = Array.isArray(current);
    const next = valueAt(current, [token]);
    const name = isItem && isFields(next) ? next['name'] : undefined;
    if (isItem) text += `[${typeof name === 'string' ? name : token}]`;
    else text += /^[A-Za-z0-9_-]+$/.test(token) ? `.${token}` : `[${JSON.stringify(token)}]`;
    current = next;
  }
  return text;
}
