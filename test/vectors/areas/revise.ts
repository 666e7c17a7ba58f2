import type { Cluster } from '../../../lib/api/cluster.js';
import { interpreterFor } from '../../../lib/engine/interpret/index.js';
import { compileOverrides } from '../../../lib/engine/override/index.js';
import { renderWorks } from '../../../lib/engine/render/karmada-works.js';
import type { Area } from '../area.js';
import { difference } from '../difference.js';
import { withoutEmpty } from './interpret.js';
import { TOOLS } from './override.js';

/** From a binding to its Works. Of a failed override only the fact counts. */
export const area: Area = {
  checks: {
    works(row) {
      const { binding, template, gates, want } = row;
      const clusters = (row['clusters'] ?? []) as readonly Cluster[];
      const { works, faults } = renderWorks({
        binding,
        template,
        clusters: new Map(clusters.map((cluster) => [cluster.metadata.name ?? '', cluster])),
        overrides: compileOverrides(
          {
            clusterOverridePolicies: row['clusterOverridePolicies'] ?? [],
            overridePolicies: row['overridePolicies'] ?? [],
          },
          TOOLS,
        ),
        statefulFailoverInjection: gates.StatefulFailoverInjection === true,
        interpreter: interpreterFor(template),
        tools: TOOLS,
      });
      if (faults.length > 0 !== (want.error !== undefined)) {
        return `got ${faults[0]?.fault.message ?? 'success'}, want ${want.error ?? 'success'}`;
      }
      return difference(comparable(works), comparable(want.works));
    },
  },
};

/** The records of applied overrides are compared as what they say, not by their notation. */
function comparable(works: readonly unknown[]): unknown {
  return withoutEmpty(
    works.map((work) => {
      const { metadata, ...rest } = work as { metadata: { annotations: Record<string, string> } };
      const annotations = Object.entries(metadata.annotations).map(([key, text]) =>
        /\/applied-(cluster-)?overrides$/.test(key) ? [key, JSON.parse(text)] : [key, text],
      );
      return { ...rest, metadata: { ...metadata, annotations: Object.fromEntries(annotations) } };
    }),
  );
}
