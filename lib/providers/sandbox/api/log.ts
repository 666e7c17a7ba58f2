import { itemsOf } from '../schema/pod-defaults.js';
import { objectAt, type JsonObject } from '../merge/json.js';
import type { ApiRequest } from './request.js';
import type { ApiResponse } from './response.js';
import { ApiFailure } from './status.js';

/** What the containers of a pod are to have written, on the pod. */
const LOG = 'rig/log';

/** The log of a pod, as plain text. Containers that have not run have none. */
export function logOf(pod: JsonObject, { query }: ApiRequest): ApiResponse {
  const name = String(objectAt(pod, 'metadata')['name']);
  const containers = itemsOf(objectAt(pod, 'spec'), 'containers').map((each) => each['name']);
  const container = query.get('container') ?? String(containers[0]);
  if (!containers.includes(container))
    throw badRequest(`container ${container} is not valid for pod ${name}`);
  const restarts = itemsOf(objectAt(pod, 'status'), 'containerStatuses').find(
    (status) => status['name'] === container,
  )?.['restartCount'];
  if (query.get('previous') === 'true' && !(Number(restarts) > 0))
    throw badRequest(`previous terminated container "${container}" in pod "${name}" not found`);
  const text = objectAt(pod, 'metadata', 'annotations')[LOG];
  const lines = typeof text === 'string' ? text.split('\n') : [];
  const tail = query.get('tailLines');
  const wanted = tail === null ? lines : lines.slice(Math.max(0, lines.length - Number(tail)));
  return { kind: 'text', code: 200, body: wanted.map((line) => `${line}\n`).join('') };
}

function badRequest(message: string): ApiFailure {
  return new ApiFailure(400, 'BadRequest', message, {});
}
