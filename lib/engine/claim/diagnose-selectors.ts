import type { KubeObject } from '../../api/object.js';
import type { ResourceSelector } from '../../api/resource-selector.js';
import { compareBy, compareStrings, inOrder, sorted } from '../compare.js';
import type { Diagnostic } from '../diagnostic.js';
import type { SourcedObject } from '../input.js';
import { describeRef, refKey, refOf } from '../object.js';
import { about } from '../validate.js';
import type { ClaimInput, DecidedClaim } from './decided-claim.js';
import { findNearMiss, type NearMiss } from './near-miss.js';
import { asPolicy, describePolicy, isBeingDeleted, policyRef, type Policy } from './policy.js';
import { matchLevel } from './selector.js';

/** The search for what came closest compares texts; beyond so many policies nobody reads on. */
const POLICIES_LOOKED_INTO = 100;
const TEMPLATES_LOOKED_AT = 2000;

/** Policies, and single selectors of policies, that select nothing, with what came closest. */
export function diagnoseSelectors(
  decided: readonly DecidedClaim[],
  input: ClaimInput,
): readonly Diagnostic[] {
  const idle = idleSelectors(decided, input);
  const templates = byKind(decided);
  return idle.map(({ document, selectors, isWhole }, i) => {
    const policy = asPolicy(document.object);
    const closest = i < POLICIES_LOOKED_INTO ? closestOf(policy, selectors, templates) : undefined;
    const [only] = selectors;
    const name = describePolicy(policyRef(policy));
    const subject =
      isWhole || only === undefined ? name : `Selector ${only.position + 1} of ${name}`;
    const cause = closest?.cause ?? noneSuch(selectors, templates);
    return about(document, {
      code: isWhole ? 'POLICY_MATCHES_NOTHING' : 'POLICY_SELECTOR_MATCHES_NOTHING',
      severity: isWhole && input.profile !== 'karmada' ? 'error' : 'warning',
      path: [
        'spec',
        'resourceSelectors',
        ...(closest?.path ?? (isWhole || only === undefined ? [] : [only.position])),
      ],
      summary: `${subject} selects no template: ${cause}.`,
      hint: closest?.hint ?? 'Correct the selector, add the template, or remove the policy.',
    });
  });
}

interface PlacedSelector {
  readonly position: number;
  readonly selector: ResourceSelector;
}

interface Idle {
  readonly document: SourcedObject;
  readonly selectors: readonly PlacedSelector[];
  /** The whole policy, not one selector of several. */
  readonly isWhole: boolean;
}

function idleSelectors(decided: readonly DecidedClaim[], input: ClaimInput): Idle[] {
  const waiting = new Map<Policy, Set<ResourceSelector>>();
  const matched = new Set<Policy>();
  const owners = new Set<string>();
  for (const { claim, matches } of decided) {
    if (claim.policyDocument !== undefined) owners.add(refKey(refOf(claim.policyDocument.object)));
    for (const { policy } of matches) {
      matched.add(policy);
      if (policy.spec.resourceSelectors.length === 1) continue;
      const open = waiting.get(policy) ?? new Set(policy.spec.resourceSelectors);
      waiting.set(policy, open);
      for (const selector of open) {
        if (matchLevel(selector, claim.template.object) > 0) open.delete(selector);
      }
    }
  }
  const idle = input.policies.flatMap((document): Idle[] => {
    const policy = asPolicy(document.object);
    const all = policy.spec.resourceSelectors.map((selector, position) => ({ position, selector }));
    if (isBeingDeleted(policy) || all.length === 0) return [];
    if (!matched.has(policy)) {
      // An owner that matches nothing any more is reported as frozen.
      if (owners.has(refKey(refOf(document.object)))) return [];
      return [{ document, selectors: all, isWhole: true }];
    }
    const open = all.filter(({ selector }) => waiting.get(policy)?.has(selector) === true);
    return open.map((one) => ({ document, selectors: [one], isWhole: false }));
  });
  return sorted(
    idle,
    compareBy(({ document }) => refKey(refOf(document.object))),
  );
}

type ByKind = ReadonlyMap<string, readonly DecidedClaim[]>;

/** Template kinds in lower case, so that a mistyped kind finds its neighbours. */
function byKind(decided: readonly DecidedClaim[]): ByKind {
  const groups = new Map<string, DecidedClaim[]>();
  for (const one of decided) {
    const kind = one.claim.resource.kind.toLowerCase();
    const list = groups.get(kind);
    if (list === undefined) groups.set(kind, [one]);
    else if (list.length < TEMPLATES_LOOKED_AT) list.push(one);
  }
  return groups;
}

interface Closest extends NearMiss {
  readonly path: readonly [number];
  readonly key: string;
}

const nearestFirst = inOrder<Closest>(
  compareBy((one) => one.rank),
  compareBy((one) => one.path[0]),
  compareBy((one) => one.key),
);

function closestOf(
  policy: Policy,
  selectors: readonly PlacedSelector[],
  templates: ByKind,
): Closest | undefined {
  const found: Closest[] = [];
  for (const { position, selector } of selectors) {
    for (const { claim } of candidates(selector, templates)) {
      const miss =
        skippedMiss(selector, claim) ?? findNearMiss(policy, selector, claim.template.object);
      if (miss !== undefined) found.push({ ...miss, path: [position], key: claim.key });
    }
  }
  return sorted(found, nearestFirst)[0];
}

function candidates(selector: ResourceSelector, templates: ByKind): readonly DecidedClaim[] {
  const exact = templates.get(selector.kind.toLowerCase());
  return exact ?? [...templates.values()].flat().slice(0, TEMPLATES_LOOKED_AT);
}

/** It would match, but policies do not look at such templates. */
function skippedMiss(
  selector: ResourceSelector,
  claim: DecidedClaim['claim'],
): NearMiss | undefined {
  if (claim.outcome !== 'ignored') return undefined;
  if (matchLevel(selector, claim.template.object) === 0) return undefined;
  return {
    rank: 0,
    cause: `${describeRef(claim.resource)} would match, but ${claim.why}`,
    hint: 'Move the template to another namespace, or change the skipped namespaces.',
  };
}

function noneSuch(selectors: readonly PlacedSelector[], templates: ByKind): string {
  const wanted = selectors.map(({ selector: { kind, name = '' } }) => {
    const isThere = templates.has(kind.toLowerCase());
    return { kind, isThere, name: isThere ? name : '' };
  });
  const [only, ...others] = wanted;
  if (only === undefined) return 'it has no selectors';
  if (others.length === 0) {
    if (!only.isThere) return `there is no ${only.kind} among the templates`;
    return only.name === ''
      ? `no ${only.kind} has what the selector asks for`
      : `there is no ${only.kind} of that name, "${only.name}"`;
  }
  const lacks = new Set(
    wanted.map(({ kind, isThere, name }) => {
      if (!isThere) return `no ${kind}`;
      return name === '' ? `no ${kind} with what its selector asks for` : `no ${kind} "${name}"`;
    }),
  );
  return `there is ${listed(sorted(lacks, compareStrings))}`;
}

const LISTED = 6;

function listed(all: readonly string[]): string {
  const shown = all.slice(0, LISTED);
  if (all.length > LISTED) return `${shown.join(', ')} and ${all.length - LISTED} more missing`;
  const last = shown.pop();
  return shown.length === 0 ? (last ?? '') : `${shown.join(', ')} and ${last ?? ''}`;
}

/** Of a template without a policy: what keeps the policies from it. @internal */
export function closestPolicy(
  template: KubeObject,
  policies: readonly Policy[],
): { readonly policy: Policy; readonly miss: NearMiss } | undefined {
  const found = policies.slice(0, TEMPLATES_LOOKED_AT).flatMap((policy) =>
    policy.spec.resourceSelectors.flatMap((selector, position) => {
      const miss = findNearMiss(policy, selector, template);
      return miss === undefined ? [] : [{ policy, miss, position }];
    }),
  );
  const [best] = sorted(
    found,
    inOrder(
      compareBy((one) => one.miss.rank),
      compareBy((one) => refKey(refOf(one.policy as unknown as KubeObject))),
      compareBy((one) => one.position),
    ),
  );
  return best;
}
