import type { KubeObject } from '../../api/object.js';
import { refKey, refOf } from '../../engine/object.js';
import { explainPods, findCrash } from '../../engine/rollout/index.js';
import { ProviderError, type ClusterClient } from '../cluster/client.js';
import type { Board } from './board.js';

const POD = { apiVersion: 'v1', kind: 'Pod' } as const;
/** Objects looked at in one round: their reasons are most often the same. */
const AT_MOST = 5;
/** Enough to see why it ended. */
const LOG_LINES = 3;
const LINE_LENGTH = 200;

/** Look at the pods of workloads that are not ready and put on the board why. Failing to look is no failure. */
export async function explainWaiting(client: ClusterClient, board: Board): Promise<void> {
  const workloads = board.waiting
    .filter((object) => selectorOf(object) !== undefined)
    .slice(0, AT_MOST);
  for (const workload of workloads) {
    const labelSelector = selectorOf(workload);
    const { namespace } = workload.metadata;
    if (labelSelector === undefined || namespace === undefined) continue;
    try {
      const pods = await client.list(POD, { namespace, labelSelector });
      const log = await readLog(client, pods);
      board.explain(refKey(refOf(workload)), {
        pods: explainPods(pods),
        ...(log.length > 0 && { log }),
      });
    } catch (error) {
      // Only an explanation is lost, e.g. when pods may not be listed.
      if (!ProviderError.is(error)) throw error;
      return;
    }
  }
}

/** The last lines of one container that ended by itself and is started again and again; none when they cannot be had. */
async function readLog(
  client: ClusterClient,
  pods: readonly KubeObject[],
): Promise<readonly string[]> {
  const crash = findCrash(pods);
  if (crash === undefined) return [];
  const { namespace, pod, container } = crash;
  const query = `container=${encodeURIComponent(container)}&previous=true&tailLines=${LOG_LINES}`;
  try {
    const text = await client.raw(`/api/v1/namespaces/${namespace}/pods/${pod}/log?${query}`);
    return linesOf(text).map((line) => line.slice(0, LINE_LENGTH));
  } catch (error) {
    // Reading logs is a permission of its own, and what ended long ago has none.
    if (!ProviderError.is(error)) throw error;
    return [];
  }
}

/** A log of one line of JSON was taken for a document. */
function linesOf(log: unknown): readonly string[] {
  if (log === undefined) return [];
  const text = typeof log === 'string' ? log : JSON.stringify(log);
  return text.split('\n').filter((line) => line.trim() !== '');
}

/** `spec.selector.matchLabels` as a selector; `undefined` for what selects no pods. */
function selectorOf(object: KubeObject): string | undefined {
  const spec = object['spec'] as
    { selector?: { matchLabels?: Record<string, string> } } | undefined;
  const labels = Object.entries(spec?.selector?.matchLabels ?? {});
  return labels.length === 0
    ? undefined
    : labels.map(([key, value]) => `${key}=${value}`).join(',');
}
