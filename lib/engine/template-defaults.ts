import type { KubeObject } from './object.js';

/**
 * Field that an API server fills in with 1 when a template leaves it out, by kind. Karmada reads templates from its own
 * API server and so always sees it; without it a Deployment of one replica would count as none.
 */
const ONE_BY_DEFAULT: Readonly<Record<string, string>> = {
  'apps/v1/Deployment': 'replicas',
  'apps/v1/ReplicaSet': 'replicas',
  'apps/v1/StatefulSet': 'replicas',
  'batch/v1/Job': 'parallelism',
  'v1/ReplicationController': 'replicas',
};

/** The template with the counts that an API server would default; the same object when nothing is missing. */
export function withDefaultCounts(template: KubeObject): KubeObject {
  const field = ONE_BY_DEFAULT[`${template.apiVersion}/${template.kind}`];
  const { spec } = template as { readonly spec?: unknown };
  if (field === undefined || typeof spec !== 'object' || spec === null) return template;
  const current = (spec as Readonly<Record<string, unknown>>)[field];
  return current === undefined || current === null
    ? { ...template, spec: { ...spec, [field]: 1 } }
    : template;
}
