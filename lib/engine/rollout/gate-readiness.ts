import type { KubeObject } from '../../api/object.js';
import { InterpretError, interpreterFor, isTaught, type Interpreter } from '../interpret/index.js';
import { isWaived } from './object-hints.js';
import { isWatched, readiness, type Readiness } from './readiness/index.js';

/**
 * How far an object is, as a gate asks: an object whose *planned* state waives the question is ready once it is stored.
 * What somebody annotates on the cluster opens no gate.
 *
 * A user's `InterpretHealth` is asked on top of the kind's own rule: it can hold a gate, and opens none by itself, since
 * it does not know which generation it looks at. One that fails holds it too, and says so.
 */
export function gateReadiness(
  planned: KubeObject,
  live: KubeObject,
  interpreters: readonly Interpreter[] = [],
): Readiness {
  const isGoing = live.metadata.deletionTimestamp !== undefined;
  if (isWaived(planned) && !isGoing) return { ready: true, waitingFor: '' };
  const state = readiness(live);
  if (!state.ready || !isTaught(live, 'interpretHealth', interpreters)) return state;
  const why = whyUnhealthy(live, interpreters);
  return why === undefined ? state : { ready: false, waitingFor: why };
}

/** Whether a gate has to see this kind again after it was stored. */
export function isWatchedAtGates(
  kind: Pick<KubeObject, 'apiVersion' | 'kind'>,
  interpreters: readonly Interpreter[],
): boolean {
  return isWatched(kind) || isTaught(kind, 'interpretHealth', interpreters);
}

function whyUnhealthy(live: KubeObject, interpreters: readonly Interpreter[]): string | undefined {
  try {
    return interpreterFor(live, interpreters).interpretHealth?.(live) === true
      ? undefined
      : 'its InterpretHealth rule to call it healthy';
  } catch (error) {
    if (InterpretError.is(error)) return `its InterpretHealth rule, which fails: ${error.message}`;
    throw error;
  }
}
