import type { ClusterOverridePolicy } from '../../api/cluster-override-policy.js';
import type { OverridePolicy } from '../../api/override-policy.js';
import type { Overriders } from '../../api/overriders.js';
import type { ClusterAffinity } from '../../api/placement.js';
import { canonicalJson } from '../canonical.js';
import type { ClusterPredicate } from '../schedule/affinity.js';
import { compileAffinity } from '../schedule/affinity.js';
import type { Diagnostic } from '../diagnostic.js';
import { describeRef } from '../object.js';
import type { ContainerOverride } from './container-override.js';
import { CONTAINER_OVERRIDES, parseContainerOverrides } from './container-override.js';

/** One rule of a policy, as it applies to a cluster. */
export interface OverrideRule {
  readonly policy: {
    readonly kind: 'ClusterOverridePolicy' | 'OverridePolicy';
    readonly namespace?: string;
    readonly name: string;
  };
  /** Position in `overrideRules`; 0 for the deprecated form. */
  readonly position: number;
  readonly overriders: Overriders;
  /** Set for an entry of the annotation {@link CONTAINER_OVERRIDES}; `overriders` is empty then. */
  readonly containers?: ContainerOverride;
}

/** A rule, ready to be asked about clusters. */
export interface CompiledRule extends OverrideRule {
  readonly hash: string;
  /** The same without values. */
  readonly valuelessHash: string;
  readonly matches: ClusterPredicate;
}

/**
 * The rules of a policy, in their order; without any, its deprecated fields act as one. Container overrides come last;
 * an annotation that cannot be read is left out (`lintOverrides` reports it).
 */
export function compileRules(
  policy: OverridePolicy | ClusterOverridePolicy,
  hash: (text: string) => string,
): readonly CompiledRule[] {
  const { kind, metadata, spec } = policy;
  const { name = '', namespace = '' } = metadata;
  const listed = spec.overrideRules ?? [];
  const containers = parseContainerOverrides(metadata.annotations) ?? [];
  const isOnlyContainers = containers.length > 0 && spec.overriders === undefined;
  const deprecated = [{ overriders: spec.overriders ?? {}, targetCluster: spec.targetCluster }];
  const rules = listed.length > 0 || isOnlyContainers ? listed : deprecated;
  const all: readonly Pick<CompiledRule, 'overriders' | 'containers'>[] = [
    ...rules.map(({ overriders }) => ({ overriders })),
    ...containers.map((override) => ({ overriders: {}, containers: override })),
  ];
  const targets = [...rules, ...containers].map(({ targetCluster }) => targetCluster);
  return all.map((rule, position) => ({
    policy: { kind, ...(namespace !== '' && { namespace }), name },
    position,
    ...rule,
    hash: hash(canonicalJson(rule.containers ?? rule.overriders)),
    valuelessHash: hash(canonicalJson(rule.containers ?? withoutValues(rule.overriders))),
    matches: predicateOf(targets[position]),
  }));
}

function predicateOf(targetCluster: ClusterAffinity | null | undefined): ClusterPredicate {
  return targetCluster === undefined || targetCluster === null
    ? () => true
    : compileAffinity(targetCluster);
}

/** `OverridePolicy shop/web (rule 2)`. */
export function describeRule(rule: OverrideRule): string {
  return `${describeRef({ apiVersion: '', ...rule.policy })} (${nameRule(rule)})`;
}

/** `rule 2`; entries of the annotation are counted on after the rules. */
export function nameRule({ position, containers }: OverrideRule): string {
  return containers === undefined ? `rule ${position + 1}` : `rule ${position + 1}, by container`;
}

/** The policy, and where in it the rule stands. */
export function placeOfRule(rule: OverrideRule): Pick<Diagnostic, 'resource' | 'path'> {
  return {
    resource: { apiVersion: 'policy.karmada.io/v1alpha1', ...rule.policy },
    path:
      rule.containers === undefined
        ? ['spec', 'overrideRules', rule.position]
        : ['metadata', 'annotations', CONTAINER_OVERRIDES],
  };
}

/** Plaintext and field overriders without what they write; the others cannot reach the data of a Secret. */
function withoutValues(overriders: Overriders): unknown {
  const { plaintext = [], fieldOverrider = [], ...rest } = overriders;
  const bare = ({ value: _, ...edit }: { readonly value?: unknown }): object => edit;
  return {
    ...rest,
    plaintext: plaintext.map(bare),
    fieldOverrider: fieldOverrider.map(({ fieldPath, json = [], yaml = [] }) => ({
      fieldPath,
      json: json.map(bare),
      yaml: yaml.map(bare),
    })),
  };
}
