import jsonPatch, { type Operation } from 'fast-json-patch';
import { isObject, mergePatch, type JsonObject } from '../merge/json.js';
import { strategicMerge } from '../merge/strategic.js';
import type { Kind } from '../schema/kinds.js';
import { ApiFailure, badRequest, unsupportedMediaType } from './status.js';

/** The live object with a patch laid over it, by the patch's content type. Apply is not among them. */
export function patched(
  kind: Kind,
  live: JsonObject,
  body: unknown,
  contentType: string,
): JsonObject {
  switch (contentType) {
    case 'application/merge-patch+json':
      if (!isObject(body)) throw badRequest('the patch is not a JSON object');
      return mergePatch(live, body) as JsonObject;
    case 'application/strategic-merge-patch+json':
      if (kind.custom !== undefined) throw unsupportedMediaType(contentType);
      if (!isObject(body)) throw badRequest('the patch is not a JSON object');
      return strategicMerge(live, body, kind.schema) as JsonObject;
    case 'application/json-patch+json':
      return jsonPatched(live, body);
    default:
      throw unsupportedMediaType(contentType);
  }
}

function jsonPatched(live: JsonObject, body: unknown): JsonObject {
  if (!Array.isArray(body)) throw badRequest('json patch must be a list of operations');
  try {
    // The fourth argument leaves the live object alone, the fifth refuses paths through __proto__.
    return jsonPatch.applyPatch(live, body as Operation[], true, false, true).newDocument;
  } catch (error) {
    const [line = ''] = error instanceof Error ? error.message.split('\n') : [];
    throw new ApiFailure(
      422,
      'Invalid',
      `the server rejected our request due to an error in our request: ${line}`,
      {},
    );
  }
}
