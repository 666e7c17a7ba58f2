import type { KubeObject } from '../../../api/object.js';
import type { Readiness } from './readiness.js';
import { isLessQuantity } from '../same-quantity.js';
import {
  describeCondition,
  findCondition,
  hasFailed,
  part,
  READY,
  record,
  waiting,
} from './readiness.js';

/** The annotation a claim carries once a pod that uses it was scheduled. */
const SELECTED_NODE = 'volume.kubernetes.io/selected-node';

/**
 * Bound. A claim that waits for its first consumer is not an obstacle (it may be bound only by a pod that comes later),
 * and cannot be told from outside without its StorageClass: the events say so, the object does not. So Pending counts
 * as waiting only when a node was selected for it; otherwise the pods that use it show the trouble.
 * A bound claim that asks for more than its volume has waits until the volume has grown.
 */
export function volumeClaimReadiness(object: KubeObject): Readiness {
  const phase = part(object, 'status')['phase'];
  if (phase === 'Bound') return growth(object);
  if (phase === 'Lost') return hasFailed('the volume is lost');
  const selected = object.metadata.annotations?.[SELECTED_NODE] !== undefined;
  if (phase === 'Pending' && !selected) return READY;
  return waiting(`the volume to be bound (phase ${typeof phase === 'string' ? phase : 'unknown'})`);
}

/** Such a claim stays Bound with its old size: there is no generation to tell. */
function growth(object: KubeObject): Readiness {
  const wanted = record(record(part(object, 'spec')['resources'])['requests'])['storage'];
  const given = record(part(object, 'status')['capacity'])['storage'];
  if (!isLessQuantity(given, wanted)) return READY;
  const why = ['FileSystemResizePending', 'ControllerResizeError', 'NodeResizeError', 'Resizing']
    .map((type) => findCondition(object, type))
    .find((condition) => condition?.status === 'True');
  const because = why === undefined ? '' : `: ${describeCondition(why)}`;
  return waiting(`the volume to grow (${String(given)} of ${String(wanted)})${because}`);
}
