import {
  CONTAINER_OVERRIDES,
  CONTAINER_OVERRIDES_FORM,
  parseContainerOverrides,
} from '../container-override.js';
import type { Finding, LintSubject } from './subject.js';

/** An annotation that cannot be read, or that nobody will act on: a control plane knows only Karmada's overriders. */
export function findContainerOverrides({ policy, target }: LintSubject): readonly Finding[] {
  const { annotations, name = '' } = policy.metadata;
  const overrides = parseContainerOverrides(annotations);
  const path = ['metadata', 'annotations', CONTAINER_OVERRIDES];
  if (overrides === undefined) {
    return [
      {
        code: 'HINT_INVALID',
        severity: 'error',
        summary: `Annotation ${CONTAINER_OVERRIDES} of ${policy.kind} ${name} cannot be read; it must be ${CONTAINER_OVERRIDES_FORM}.`,
        hint: 'Correct the annotation; each entry has env, plaintext or both, and optionally containerName and targetCluster.',
        path,
      },
    ];
  }
  if (overrides.length === 0 || target !== 'karmada') return [];
  return [
    {
      code: 'OVERRIDE_CONTAINER_IGNORED',
      severity: 'error',
      summary: `${policy.kind} ${name} has container overrides, which a Karmada control plane ignores.`,
      hint: "Use Karmada's overriders for what goes through a control plane, e.g. plaintext with a path.",
      path,
    },
  ];
}
