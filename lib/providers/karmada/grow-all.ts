import type { KubeObject } from '../../api/object.js';
import type { ControlPlaneView, Share } from '../../engine/karmada/index.js';
import { expand, policyKey } from '../../engine/karmada/index.js';
import { refKey } from '../../engine/object.js';
import type { PolicyRef } from '../../engine/plan.js';
import { currentOf, groupByPolicy, sharesOf, type Placed } from './goals.js';

/** What is written in place of the documents for the waves, policy by policy. */
export interface Grown {
  readonly policies: ReadonlyMap<string, KubeObject>;
  readonly templates: ReadonlyMap<string, KubeObject>;
  readonly shares: ReadonlyMap<string, readonly Share[]>;
  /** Policies that Karmada gives no way to grow first. */
  readonly impossible: readonly { readonly policy: PolicyRef; readonly reason: string }[];
}

export const NOTHING_GROWN: Grown = {
  policies: new Map(),
  templates: new Map(),
  shares: new Map(),
  impossible: [],
};

/** Widen every policy of which something would shrink while something else grows. */
export function growAll(
  placed: readonly Placed[],
  policies: ReadonlyMap<string, KubeObject>,
  templates: ReadonlyMap<string, KubeObject>,
  view: ControlPlaneView,
): Grown {
  const grown = {
    policies: new Map<string, KubeObject>(),
    templates: new Map<string, KubeObject>(),
    shares: new Map<string, readonly Share[]>(),
    impossible: [] as { policy: PolicyRef; reason: string }[],
  };
  for (const { policy, bindings } of groupByPolicy(placed)) {
    const document = policies.get(policyKey(policy));
    if (document === undefined) continue;
    const expansion = expand(
      document,
      bindings.flatMap((binding) => {
        const template = templates.get(refKey(binding.resource));
        if (template === undefined) return [];
        return [
          { template, current: currentOf(binding.resource, view), planned: sharesOf(binding) },
        ];
      }),
    );
    if (expansion.kind === 'impossible')
      grown.impossible.push({ policy, reason: expansion.reason });
    if (expansion.kind !== 'expanded') continue;
    grown.policies.set(policyKey(policy), expansion.policy);
    for (const [key, template] of expansion.templates) grown.templates.set(key, template);
    for (const [key, shares] of expansion.shares) grown.shares.set(key, shares);
  }
  return grown;
}
