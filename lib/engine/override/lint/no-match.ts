import type { ResourceSelector } from '../../../api/resource-selector.js';
import { compileAffinity } from '../../schedule/affinity.js';
import { factsOf } from '../../schedule/cluster-facts.js';
import type { Finding, LintSubject } from './subject.js';

/** A policy whose selectors take no template, or a rule whose clusters are not in the fleet. */
export function findNoMatch(subject: LintSubject): readonly Finding[] {
  const { policy, matched, profile } = subject;
  const name = `${policy.kind} ${policy.metadata.name ?? ''}`;
  if (matched.length > 0) return findRulesWithoutCluster(subject, name);
  const selectors = policy.spec.resourceSelectors ?? [];
  return [
    {
      code: 'OVERRIDE_MATCHES_NOTHING',
      severity: profile === 'karmada' ? 'warning' : 'error',
      summary: `${name} selects no template${selectors.length === 0 ? '' : `: ${selectors.map(describeSelector).join(', ')}`}.`,
      hint: nearMiss(subject) ?? 'Correct resourceSelectors, or remove the policy.',
      path: ['spec', 'resourceSelectors'],
    },
  ];
}

function findRulesWithoutCluster(
  { policy, clusters }: LintSubject,
  name: string,
): readonly Finding[] {
  const facts = clusters.map(factsOf);
  return (policy.spec.overrideRules ?? []).flatMap(({ targetCluster }, position) => {
    if (targetCluster === undefined || facts.some(compileAffinity(targetCluster))) return [];
    return [
      {
        code: 'OVERRIDE_MATCHES_NOTHING',
        severity: 'warning',
        summary: `Rule ${position + 1} of ${name} applies to no cluster of the fleet.`,
        hint: 'Correct targetCluster, or remove the rule.',
        path: ['spec', 'overrideRules', position, 'targetCluster'],
      } as const,
    ];
  });
}

/** The commonest mistakes: another apiVersion, another namespace. */
function nearMiss({ policy, templates }: LintSubject): string | undefined {
  const { namespace: own = '' } = policy.metadata;
  for (const [position, selector] of (policy.spec.resourceSelectors ?? []).entries()) {
    const named = templates.filter(
      ({ kind, metadata }) =>
        kind === selector.kind && ((selector.name ?? '') === '' || metadata.name === selector.name),
    );
    const other = named.find(({ apiVersion }) => apiVersion !== selector.apiVersion);
    const sameVersion = named.find(({ apiVersion }) => apiVersion === selector.apiVersion);
    if (sameVersion === undefined && other !== undefined) {
      return `Did you mean apiVersion ${other.apiVersion} in resourceSelectors[${position}]? That is the version of ${other.kind} ${other.metadata.name ?? ''}.`;
    }
    const { namespace = '' } = sameVersion?.metadata ?? {};
    if (sameVersion !== undefined && own !== '' && namespace !== own) {
      return `${sameVersion.kind} ${sameVersion.metadata.name ?? ''} is in namespace ${namespace}; an OverridePolicy reaches only its own, ${own}.`;
    }
  }
  return undefined;
}

function describeSelector({ apiVersion, kind, namespace, name }: ResourceSelector): string {
  const what = name === undefined || name === '' ? 'all' : name;
  return `${apiVersion} ${kind} ${namespace === undefined ? what : `${namespace}/${what}`}`;
}
