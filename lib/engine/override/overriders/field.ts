import type { KubeObject } from '../../../api/object.js';
import type { DocumentPatch, FieldOverrider } from '../../../api/overriders.js';
import type { Edited } from '../fault.js';
import { edited, faulty } from '../fault.js';
import type { PatchOperation } from '../json-patch.js';
import { applyPatch, indexOf, pointerTokens } from '../json-patch.js';

/** What field overriders need from libraries. */
export interface DocumentTools {
  readonly parseYaml: (text: string) => unknown;
  /** Block style, keys sorted. */
  readonly printYaml: (value: unknown) => string;
}

/**
 * Edit a YAML or JSON document that a text field holds. The whole document is written anew: comments and layout are
 * lost, YAML keys are sorted, JSON is compact. Source: lifecycle reference §7.6.
 */
export function overrideField(
  object: KubeObject,
  overrider: FieldOverrider,
  tools: DocumentTools,
): Edited<KubeObject> {
  const { fieldPath, json, yaml } = overrider;
  const text = textAtPointer(object, fieldPath);
  if (!text.ok) return text;
  const format = (yaml ?? []).length > 0 ? yamlFormat(tools) : JSON_FORMAT;
  const edits = (yaml ?? []).length > 0 ? yaml : json;
  const result =
    (edits ?? []).length === 0
      ? edited('')
      : editDocument(text.value, edits ?? [], format, fieldPath);
  if (!result.ok) return result;
  return applyPatch(object, [
    { op: 'replace', path: fieldPath, value: result.value },
  ]) as Edited<KubeObject>;
}

interface Format {
  readonly name: string;
  readonly parse: (text: string) => unknown;
  readonly print: (value: unknown) => string;
}

const JSON_FORMAT: Format = {
  name: 'JSON',
  parse: parseJson,
  print: (value) => JSON.stringify(value),
};

/** JSON with access to each value's own text (ES2026; Node 22 and later have it). */
interface JsonWithSource {
  parse(
    text: string,
    revive: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown;
  /** Printed as it is. */
  rawJSON(text: string): object;
}

/** Numbers that JavaScript cannot hold keep their digits: an edit elsewhere in the document must not round them. */
function parseJson(text: string): unknown {
  const json = JSON as unknown as JsonWithSource;
  return json.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && losesDigits(value, source)
      ? json.rawJSON(source)
      : value,
  );
}

/** A double holds whole numbers up to 2^53, and 15 digits of any number. */
function losesDigits(value: number, source: string): boolean {
  if (!Number.isFinite(value)) return true;
  if (Number.isInteger(value)) return !Number.isSafeInteger(value);
  const [mantissa = ''] = source.split(/[eE]/);
  return (
    mantissa.replace(/[-.]/g, '').replace(/^0+|0+$/g, '').length > 15 && String(value) !== source
  );
}

function yamlFormat(tools: DocumentTools): Format {
  return { name: 'YAML', parse: tools.parseYaml, print: tools.printYaml };
}

function editDocument(
  text: string,
  edits: readonly DocumentPatch[],
  format: Format,
  fieldPath: string,
): Edited<string> {
  let document: unknown;
  try {
    document = format.parse(text);
  } catch {
    // The text may be secret: say where it is, not what it is.
    return faulty('syntax', fieldPath, `the text is not valid ${format.name}`);
  }
  const patched = applyPatch(
    document,
    edits.map(({ operator, subPath, value }): PatchOperation => ({
      op: operator,
      path: subPath,
      value,
    })),
  );
  if (!patched.ok)
    return faulty(patched.fault.kind, `${fieldPath} ${patched.fault.path}`, patched.fault.message);
  return edited(format.print(patched.value));
}

function textAtPointer(object: KubeObject, pointer: string): Edited<string> {
  if (pointer !== '' && !pointer.startsWith('/'))
    return faulty('syntax', pointer, 'a JSON pointer begins with a slash');
  let node: unknown = object;
  for (const token of pointerTokens(pointer)) {
    const key = Array.isArray(node) ? indexOf(token, node.length) : token;
    if (
      typeof node !== 'object' ||
      node === null ||
      key === undefined ||
      !Object.hasOwn(node, key)
    ) {
      return faulty('missing', pointer, 'the path leads nowhere');
    }
    node = (node as Record<string | number, unknown>)[key];
  }
  return typeof node === 'string'
    ? edited(node)
    : faulty('type', pointer, 'a text is expected there');
}
