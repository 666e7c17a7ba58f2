import type { ClusterOverridePolicy } from '../../api/cluster-override-policy.js';
import type { OverridePolicy } from '../../api/override-policy.js';
import type { Overriders } from '../../api/overriders.js';
import { canonicalJson } from '../canonical.js';
import type { ClusterPredicate } from '../schedule/affinity.js';
import { compileAffinity } from '../schedule/affinity.js';

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
}

/** A rule, ready to be asked about clusters. */
export interface CompiledRule extends OverrideRule {
  readonly hash: string;
  /** The same without values. */
  readonly valuelessHash: string;
  readonly matches: ClusterPredicate;
}

/** The rules of a policy, in their order; without any, its deprecated fields act as one. */
export function compileRules(
  { kind, metadata, spec }: OverridePolicy | ClusterOverridePolicy,
  hash: (text: string) => string,
): readonly CompiledRule[] {
  const { name = '', namespace = '' } = metadata;
  const listed = spec.overrideRules ?? [];
  const deprecated = [{ overriders: spec.overriders ?? {}, targetCluster: spec.targetCluster }];
  const rules = listed.length > 0 ? listed : deprecated;
  return rules.map(({ overriders, targetCluster }, position) => ({
    policy: { kind, ...(namespace !== '' && { namespace }), name },
    position,
    overriders,
    hash: hash(canonicalJson(overriders)),
    valuelessHash: hash(canonicalJson(withoutValues(overriders))),
    matches:
      targetCluster === undefined || targetCluster === null
        ? () => true
        : compileAffinity(targetCluster),
  }));
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
