import type { Finding } from '../finding.js';
import type { ResourceSelector } from '../resource-selector.js';
import { each, refused } from './report.js';

/** Selectors of a namespaced policy stay in its namespace. An absent namespace on either side is not known yet. */
export function selectorNamespaceRules(
  namespace: string | undefined,
  selectors: readonly ResourceSelector[] | undefined,
): readonly Finding[] {
  if (namespace === undefined || namespace === '') return [];
  return each(['spec', 'resourceSelectors'], selectors, (selector, at) =>
    [undefined, '', namespace].includes(selector.namespace)
      ? []
      : [
          refused(
            [...at, 'namespace'],
            `must be the policy's own namespace ${JSON.stringify(namespace)}`,
            selector.namespace,
            { hint: 'Only the cluster-wide policy kind reaches other namespaces.' },
          ),
        ],
  );
}
