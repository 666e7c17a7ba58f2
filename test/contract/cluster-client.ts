import { applying } from './applying.js';
import { customResources } from './custom-resources.js';
import { deleting } from './deleting.js';
import { ownership } from './ownership.js';
import { reading } from './reading.js';
import { refusals } from './refusals.js';
import type { Subject } from './subject.js';
import { watching } from './watching.js';
import { workloads } from './workloads.js';

/**
 * What every cluster behind a {@link ClusterClient} does: written down from real API servers, and held against the sandbox, so that
 * the sandbox cannot lie. Call it inside a `describe`.
 */
export function clusterClientContract(subject: Subject): void {
  reading(subject);
  applying(subject);
  ownership(subject);
  watching(subject);
  deleting(subject);
  workloads(subject);
  customResources(subject);
  refusals(subject);
}
