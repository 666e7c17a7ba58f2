import type { KubeObject } from '../../api/object.js';
import { conditionsOf } from './readiness/readiness.js';

/** What keeps an object from going that is being deleted: its finalizers, and for a namespace what is still in it. */
export function whatHolds(object: KubeObject): string {
  const finalizers = (object.metadata.finalizers ?? []).map((name) => `"${name}"`);
  if (finalizers.length > 0)
    return `the finalizer${finalizers.length === 1 ? '' : 's'} ${finalizers.join(', ')}`;
  const messages = conditionsOf(object)
    .filter(({ type, status }) => status === 'True' && CONTENT.has(type))
    .flatMap(({ message }) => message ?? []);
  return messages.length > 0 ? `its contents (${messages.join(' ')})` : 'what it owns';
}

const CONTENT = new Set([
  'NamespaceContentRemaining',
  'NamespaceDeletionContentFailure',
  'NamespaceDeletionDiscoveryFailure',
  'NamespaceFinalizersRemaining',
]);
