import type { KubeObject } from '../../api/object.js';
import type { Interpreter } from '../interpret/index.js';
import { InterpretError, interpreterFor, isTaught } from '../interpret/index.js';
import type { RenderFault } from './member.js';

/**
 * What is wrong with a taught `Retain` whoever the member is: asked about a cluster that has exactly what is planned, it
 * must give the same object back. A rule that fails is left to the apply step, which asks it about the real object: that
 * one has a status, say, that the plan does not know.
 */
export function findRetainFault(
  object: KubeObject,
  interpreters: readonly Interpreter[] | undefined,
): RenderFault | undefined {
  if (!isTaught(object, 'retain', interpreters)) return undefined;
  try {
    interpreterFor(object, interpreters).retain?.(object, object);
    return undefined;
  } catch (error) {
    if (!InterpretError.is(error)) throw error;
    const { message, rule, what } = error;
    return rule === undefined || what !== 'answer'
      ? undefined
      : { kind: 'interpreter', message, rule };
  }
}
