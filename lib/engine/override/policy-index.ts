import type { ClusterOverridePolicy } from '../../api/cluster-override-policy.js';
import type { KubeObject } from '../../api/object.js';
import type { OverridePolicy } from '../../api/override-policy.js';
import { compareBy, inOrder, sorted } from '../compare.js';
import type { CompiledRule } from './rule.js';
import { compileRules } from './rule.js';
import type { Selection } from './select.js';
import { compileSelection } from './select.js';

/** A policy, ready to be asked about objects. */
export interface CompiledPolicy {
  readonly name: string;
  readonly selection: Selection;
  readonly rules: readonly CompiledRule[];
}

/** Policies of one kind, to be asked for objects. */
export type PolicyIndex = ReadonlyMap<string, readonly CompiledPolicy[]>;

/** By namespace and what the selectors name, so that thousands of policies cost an object nothing. */
export function indexPolicies(
  policies: readonly (OverridePolicy | ClusterOverridePolicy)[],
  hash: (text: string) => string,
): PolicyIndex {
  const index = new Map<string, CompiledPolicy[]>();
  for (const policy of policies) {
    const { name = '', namespace = '' } = policy.metadata;
    const { resourceSelectors = [] } = policy.spec;
    const selection = compileSelection(resourceSelectors);
    const compiled = { name, selection, rules: compileRules(policy, hash) };
    const keys = resourceSelectors.map((s) =>
      indexKey(namespace, s.apiVersion, s.kind, s.name ?? ''),
    );
    for (const key of new Set(keys.length > 0 ? keys : [indexKey(namespace)])) {
      const list = index.get(key);
      if (list === undefined) index.set(key, [compiled]);
      else list.push(compiled);
    }
  }
  return index;
}

function indexKey(...parts: readonly string[]): string {
  return parts.join('\n');
}

/**
 * Policies of a namespace that select an object (the empty namespace: cluster-wide ones), in the order they are applied:
 * (1) precision of the best selector, (2) name.
 */
export function findPolicies(
  index: PolicyIndex,
  object: KubeObject,
  namespace: string,
): readonly CompiledPolicy[] {
  const { apiVersion, kind } = object;
  const { name = '' } = object.metadata;
  const keys = [
    indexKey(namespace),
    indexKey(namespace, apiVersion, kind, ''),
    ...(name === '' ? [] : [indexKey(namespace, apiVersion, kind, name)]),
  ];
  const candidates = new Set(keys.flatMap((key) => index.get(key) ?? []));
  const matching = [...candidates]
    .map((policy) => ({ policy, precision: policy.selection(object) }))
    .filter(({ precision }) => precision > 0);
  const order = inOrder<(typeof matching)[number]>(
    compareBy(({ precision }) => precision),
    compareBy(({ policy }) => policy.name),
  );
  return sorted(matching, order).map(({ policy }) => policy);
}
