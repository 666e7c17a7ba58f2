import type { KubeObject } from '../../../api/object.js';
import type { Readiness } from './readiness.js';
import { count, notObserved, part, reached, record } from './readiness.js';

/** Rolled out on every node that should run it; with OnDelete the pods that exist must be available. */
export function daemonSetReadiness(object: KubeObject): Readiness {
  const unseen = notObserved(object);
  if (unseen !== undefined) return unseen;
  const status = part(object, 'status');
  const wanted = count(status['desiredNumberScheduled']);
  const onDelete = record(part(object, 'spec')['updateStrategy'])['type'] === 'OnDelete';
  return reached(
    ['pods of the new revision', count(status['updatedNumberScheduled']), onDelete ? 0 : wanted],
    ['available pods', count(status['numberAvailable']), wanted],
    ['ready pods', count(status['numberReady']), wanted],
  );
}
