import type { KubeObject } from '../../api/object.js';
import { refKey, refOf } from '../../engine/object.js';
import { explainPods } from '../../engine/rollout/index.js';
import { ProviderError, type ClusterClient } from '../cluster/client.js';
import type { Board } from './board.js';

const POD = { apiVersion: 'v1', kind: 'Pod' } as const;
/** Objects looked at in one round: their reasons are most often the same. */
const AT_MOST = 5;

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
      board.explain(refKey(refOf(workload)), explainPods(pods));
    } catch (error) {
      // Only an explanation is lost, e.g. when pods may not be listed.
      if (!ProviderError.is(error)) throw error;
      return;
    }
  }
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
