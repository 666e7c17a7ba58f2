import { createHash } from 'node:crypto';
import { parse } from 'yaml';
import type { Cluster } from '../../../lib/api/cluster.js';
import type { ClusterOverridePolicy } from '../../../lib/api/cluster-override-policy.js';
import type { OverridePolicy, OverrideSpec } from '../../../lib/api/override-policy.js';
import type { Overriders } from '../../../lib/api/overriders.js';
import type { OverrideTools } from '../../../lib/engine/override/index.js';
import { printYaml } from '../../../lib/providers/source/print.js';

export { anObject, aWorkload, deepFreeze } from '../interpret/builders.js';
export type { KubeObject } from '../interpret/builders.js';

export const TOOLS: OverrideTools = {
  hash: (text) => createHash('sha256').update(text).digest('hex'),
  parseYaml: (text) => parse(text) as unknown,
  printYaml,
};

export function aCluster(
  name: string,
  spec: Partial<Cluster['spec']> = {},
  labels: Record<string, string> = {},
): Cluster {
  return {
    apiVersion: 'cluster.karmada.io/v1alpha1',
    kind: 'Cluster',
    metadata: { name, labels },
    spec: { syncMode: 'Push', ...spec },
  };
}

export const M1 = aCluster('m1', { region: 'eu', zones: ['z1', 'z2'] });

/** An OverridePolicy in `shop` with one rule for every cluster. */
export function aPolicy(
  name: string,
  overriders: Overriders,
  spec: Partial<OverrideSpec> = {},
): OverridePolicy {
  return {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'OverridePolicy',
    metadata: { namespace: 'shop', name },
    spec: { overrideRules: [{ overriders }], ...spec },
  };
}

export function aClusterPolicy(
  name: string,
  overriders: Overriders,
  spec: Partial<OverrideSpec> = {},
): ClusterOverridePolicy {
  return {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'ClusterOverridePolicy',
    metadata: { name },
    spec: { overrideRules: [{ overriders }], ...spec },
  };
}

/** Sets one label, so that the last writer shows. */
export function label(value: string): Overriders {
  return { labelsOverrider: [{ operator: 'add', value: { by: value } }] };
}
