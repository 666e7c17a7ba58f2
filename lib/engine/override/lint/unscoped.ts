import type { Finding, LintSubject } from './subject.js';

/** No selectors while there are several kinds: every object is changed, also those added later. */
export function findUnscoped({ policy, matched }: LintSubject): readonly Finding[] {
  const kinds = new Set(matched.map(({ kind }) => kind));
  if ((policy.spec.resourceSelectors ?? []).length > 0 || kinds.size < 2) return [];
  const { namespace, name = '' } = policy.metadata;
  const where = namespace === undefined ? 'of every namespace' : `of namespace ${namespace}`;
  return [
    {
      code: 'OVERRIDE_UNSCOPED',
      severity: 'warning',
      summary: `${policy.kind} ${name} has no resourceSelectors: it changes all ${matched.length} templates ${where}, of ${kinds.size} kinds.`,
      hint: 'Name in resourceSelectors what is to be changed.',
      path: ['spec', 'resourceSelectors'],
    },
  ];
}
