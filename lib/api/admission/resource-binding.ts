import type { Finding } from '../finding.js';
import { isRecord } from '../value.js';
import type { ResourceBinding } from '../resource-binding.js';
import { conflicting, duplicates, each, needed } from './report.js';

const DEPENDENCIES = 'resourcebinding.karmada.io/dependencies';

/** With gate `MultiplePodTemplatesScheduling` component names are unique; quota is not checked here. */
export function resourceBindingRules(binding: ResourceBinding): readonly Finding[] {
  const components = ['spec', 'components'];
  const dependencies = binding.metadata.annotations?.[DEPENDENCIES];
  return [
    ...(dependencies === undefined || isReferenceList(dependencies)
      ? []
      : [
          conflicting(
            ['metadata', 'annotations', DEPENDENCIES],
            'must be a JSON list of dependency references',
          ),
        ]),
    ...each(components, binding.spec.components, (component, at) =>
      component.name === '' ? [needed([...at, 'name'])] : [],
    ),
    ...duplicates(components, binding.spec.components, (component) => component.name, ['name']),
  ];
}

function isReferenceList(text: string): boolean {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) && list.every(isRecord);
  } catch {
    // Not JSON: that is the finding.
    return false;
  }
}
