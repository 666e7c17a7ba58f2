import type { Overriders } from '../../../api/overriders.js';
import type { Finding, LintSubject } from './subject.js';

/**
 * Deprecated fields beside `overrideRules`: Karmada then reads only the rules. Admission refuses most of these; it
 * lets through a top level with nothing but a fieldOverrider, which then does nothing.
 */
export function findIgnoredTopLevel({ policy, profile }: LintSubject): readonly Finding[] {
  const { overrideRules = [], overriders = {} } = policy.spec;
  if (overrideRules.length === 0 || !hasOnlyFieldOverriders(overriders)) return [];
  return [
    {
      code: 'OVERRIDE_TOP_LEVEL_IGNORED',
      severity: profile === 'karmada' ? 'warning' : 'error',
      summary: `${policy.kind} ${policy.metadata.name ?? ''} has overrideRules and spec.overriders; the latter is ignored.`,
      hint: 'Move spec.overriders into a rule of its own under overrideRules.',
      path: ['spec', 'overriders'],
    },
  ];
}

function hasOnlyFieldOverriders(overriders: Overriders): boolean {
  const used = Object.entries(overriders).filter(([, list]) => list.length > 0);
  return used.length === 1 && used[0]?.[0] === 'fieldOverrider';
}
