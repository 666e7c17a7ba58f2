import type { KubeObject } from '../../api/object.js';
import { fieldAt, objectAt, textAt } from '../interpret/field.js';
import type { Labels } from '../label-selector.js';

/** What a workload's pods look like. */
export interface PodTemplate {
  readonly labels: Labels;
  readonly serviceAccount: string;
  readonly spec: unknown;
}

/** Where workloads keep their pod template; the empty path is the object itself. */
const PATHS: Readonly<Record<string, readonly string[]>> = {
  'batch/v1/CronJob': ['spec', 'jobTemplate', 'spec', 'template'],
  'v1/Pod': [],
};

/** The pod template of a workload; anything with pods in `spec.template` counts as one. */
export function podTemplateOf(template: KubeObject): PodTemplate | undefined {
  const path = PATHS[`${template.apiVersion}/${template.kind}`] ?? ['spec', 'template'];
  const pod = fieldAt(template, ...path);
  const spec = fieldAt(pod, 'spec');
  if (!Array.isArray(fieldAt(spec, 'containers'))) return undefined;
  const labels = (objectAt(pod, 'metadata', 'labels') ?? {}) as Labels;
  const account = textAt(spec, 'serviceAccountName');
  return { labels, serviceAccount: account === '' ? 'default' : account, spec };
}
