import { createHash } from 'node:crypto';
import { parse } from 'yaml';
import { applyOverrides, type OverrideTools } from '../../../lib/engine/override/index.js';
import { printYaml } from '../../../lib/providers/source/print.js';
import type { Area } from '../area.js';
import { difference } from '../difference.js';

export const TOOLS: OverrideTools = {
  hash: (text) => createHash('sha256').update(text).digest('hex'),
  parseYaml: (text) => parse(text) as unknown,
  printYaml,
};

/** One manifest for one cluster. Of a failure only the fact counts: the texts are those of a library. */
export const area: Area = {
  checks: {
    cases(row) {
      const { object, cluster, clusterOverridePolicies = [], overridePolicies = [], want } = row;
      const outcome = applyOverrides(
        object,
        cluster,
        { clusterOverridePolicies, overridePolicies },
        TOOLS,
      );
      if (!outcome.ok || want.error !== undefined) {
        const failed = outcome.ok ? undefined : outcome.fault.message;
        return !outcome.ok && want.error !== undefined
          ? undefined
          : `got ${failed ?? 'success'}, want ${want.error ?? 'success'}`;
      }
      return difference(
        {
          object: outcome.object,
          appliedClusterOverrides: outcome.appliedClusterOverrides,
          appliedOverrides: outcome.appliedOverrides,
        },
        {
          object: want.object,
          appliedClusterOverrides: recorded(want.appliedClusterOverrides),
          appliedOverrides: recorded(want.appliedOverrides),
        },
      );
    },
  },
};

function recorded(annotation: string | undefined): unknown {
  return annotation === undefined ? undefined : JSON.parse(annotation);
}
