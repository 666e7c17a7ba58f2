import { describeRef, refKey } from '../../engine/object.js';
import type { Manifest } from '../../engine/plan.js';
import { readiness } from '../../engine/rollout/index.js';
import { ReleaseFailed } from './result.js';
import type { WriteContext } from './write-context.js';

/**
 * Wait until CRDs are Established, so that their objects can follow, and look at the served kinds afresh.
 * @throws {@link ReleaseFailed} at the deadline, naming the first that is not.
 */
export async function waitForCrds(crds: readonly Manifest[], context: WriteContext): Promise<void> {
  const { board, client, clock, signal, deadlineAt } = context;
  for (const { resource } of crds) {
    for (let pause = 25; ; pause = Math.min(1_000, pause * 2)) {
      const live = await client.get(resource);
      board.saw(refKey(resource), live);
      const state = live === undefined ? undefined : readiness(live);
      if (state?.ready === true) break;
      if (signal.aborted || clock.now() >= deadlineAt) {
        throw new ReleaseFailed({
          code: 'OBJECT_NOT_READY',
          resource,
          message: `${describeRef(resource)} on ${client.cluster} is not served: it waits for ${state?.waitingFor ?? 'it to exist'}`,
        });
      }
      await clock.sleep(pause, signal);
    }
  }
  const keys = new Set(crds.map(({ resource }) => refKey(resource)));
  const isNew = board.results.some(
    ({ resource, action }) => keys.has(refKey(resource)) && action !== 'unchanged',
  );
  if (isNew) await client.discover({ refresh: true });
}
