import type { ObjectRef } from '../../api/object.js';
import type { BindingSnapshot } from '../../api/resource-binding.js';
import { asPolicy } from '../claim/policy.js';
import { compareBy, compareStrings, inOrder, sorted } from '../compare.js';
import { compareDiagnostics, type Diagnostic } from '../diagnostic.js';
import type { Profile, SourcedObject } from '../input.js';
import type { DependentReference } from '../interpret/index.js';
import { bindingName, refKey, refOf } from '../object.js';
import type { Gates } from '../schedule/gates.js';
import {
  companionsAskedFor,
  companionsOf,
  FOLLOW_ANNOTATION,
  indexCompanions,
  rolesOf,
  type CompanionIndex,
} from './companions.js';
import { diagnoseFollowing } from './diagnose.js';
import type { Gathered, Leader, MissingReference, Step } from './gathered.js';
import { diagnoseLeftBehind } from './left-behind.js';
import { reasonFor } from './reason.js';
import { indexTemplates, resolve, type TemplateIndex } from './template-index.js';

export type { Leader } from './gathered.js';

export interface FollowInput {
  readonly templates: readonly SourcedObject[];
  readonly leaders: readonly Leader[];
  /** What a template refers to, by its kind's interpreter. */
  readonly references: (template: SourcedObject) => readonly DependentReference[];
  readonly profile: Profile;
  readonly gates: Pick<Gates, 'PropagateDeps'>;
}

/** A template that goes where others need it. It may have a policy of its own beside that. */
export interface Follower {
  readonly key: string;
  readonly resource: ObjectRef;
  readonly template: SourcedObject;
  /** Sorted by name; to be added to the clusters of its own policy, if it has one. */
  readonly clusters: readonly string[];
  /** The objects it follows, sorted by key, each with one reason. */
  readonly follows: readonly { readonly resource: ObjectRef; readonly reason: string }[];
  /** Karmada's record of it on the binding, sorted by namespace and name. */
  readonly requiredBy: readonly BindingSnapshot[];
  /** Holds only without a policy of its own: the bolder wish of those it follows. */
  readonly conflictResolution: 'Abort' | 'Overwrite';
  readonly preserveResourcesOnDeletion: boolean;
}

export interface Following {
  /** Sorted by key. */
  readonly followers: readonly Follower[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Which templates follow which, to which clusters.
 *
 * In profile `karmada` only direct references of namespaced leaders whose policy has `propagateDeps` are followed. In profile
 * `default` all are, also those of followers, and a policy's annotation `fleetwright.dev/follow` adds companions.
 * References to objects that are not among the templates are reported, not followed.
 * Source: lifecycle reference §10, scheduling reference §19, ADR 0031.
 */
export function followDependencies(input: FollowInput): Following {
  const index = indexTemplates(input.templates);
  const companions = indexCompanions(index);
  const steps = new Map<string, readonly Step[]>();
  const gathered = new Map<string, Gathered>();
  const missing: MissingReference[] = [];
  const leaders = sorted(
    input.leaders,
    compareBy((leader) => leader.key),
  ).filter((leader) => leader.clusters.length > 0 && leads(leader, input));
  for (const leader of leaders) {
    gather(leader, { input, index, companions, steps, gathered, missing });
  }
  const owned = new Set(input.leaders.map((leader) => leader.key));
  const entries = [...gathered.values()];
  const isPlaced = (key: string): boolean => owned.has(key) || gathered.has(key);
  const placed = input.leaders.filter((leader) => leader.clusters.length > 0);
  const findings = [
    ...diagnoseFollowing({ leaders: input.leaders, gathered: entries, missing, owned }),
    ...diagnoseLeftBehind(placed, companions, isPlaced, input.profile),
  ];
  return {
    followers: sorted(
      entries.map(settle),
      compareBy((follower) => follower.key),
    ),
    diagnostics: sorted(findings, compareDiagnostics),
  };
}

interface Work {
  readonly input: FollowInput;
  readonly index: TemplateIndex;
  readonly companions: CompanionIndex;
  /** Remembered by object and companions asked for. */
  readonly steps: Map<string, readonly Step[]>;
  readonly gathered: Map<string, Gathered>;
  readonly missing: MissingReference[];
}

/** Whether a leader takes along what it refers to. @internal */
export function leads(leader: Leader, { profile, gates }: FollowInput): boolean {
  if (profile === 'default') return true;
  const { propagateDeps } = asPolicy(leader.policyDocument.object).spec;
  return gates.PropagateDeps && propagateDeps === true && leader.resource.namespace !== undefined;
}

/** Breadth first, each object once per leader, so that circles end. */
function gather(leader: Leader, work: Work): void {
  const annotation = leader.policyDocument.object.metadata.annotations?.[FOLLOW_ANNOTATION];
  const asked = work.input.profile === 'default' ? annotation : undefined;
  const seen = new Set([leader.key]);
  let front: readonly SourcedObject[] = [leader.template];
  while (front.length > 0) {
    const next: SourcedObject[] = [];
    for (const from of front) {
      for (const step of stepsFrom(from, asked, work)) {
        record(step, from, leader, work.gathered);
        if (seen.has(step.key)) continue;
        seen.add(step.key);
        next.push(step.template);
      }
    }
    front = work.input.profile === 'default' ? next : [];
  }
}

/** What one object brings along: what it refers to, and the companions that its leader's policy asks for. */
function stepsFrom(from: SourcedObject, asked: string | undefined, work: Work): readonly Step[] {
  const key = `${refKey(refOf(from.object))} ${asked ?? ''}`;
  const known = work.steps.get(key);
  if (known !== undefined) return known;
  const steps = [...referenceSteps(from, work), ...companionSteps(from, asked, work.companions)];
  work.steps.set(key, steps);
  return steps;
}

function referenceSteps(from: SourcedObject, { input, index, missing }: Work): Step[] {
  return input.references(from).flatMap((reference) => {
    const found = resolve(index, reference);
    const reason = reasonFor(from.object, reference);
    if (found.length === 0) missing.push({ reference, from, reason });
    return found.map((template) => step(template, reason));
  });
}

function companionSteps(
  from: SourcedObject,
  asked: string | undefined,
  index: CompanionIndex,
): Step[] {
  const { kinds } = companionsAskedFor(asked);
  const roles = kinds.includes('rbac') ? rolesOf(index.templates, from.object) : [];
  return [...companionsOf(index, from.object, kinds), ...roles].map(({ template, reason }) =>
    step(template, reason),
  );
}

function step(template: SourcedObject, reason: string): Step {
  return { template, reason, key: refKey(refOf(template.object)) };
}

function record(
  { key, template, reason }: Step,
  from: SourcedObject,
  leader: Leader,
  gathered: Map<string, Gathered>,
): void {
  if (key === leader.key) return;
  const entry = gathered.get(key) ?? { key, template, leaders: new Map(), follows: new Map() };
  gathered.set(key, entry);
  entry.leaders.set(leader.key, leader);
  const resource = refOf(from.object);
  const predecessor = refKey(resource);
  if (!entry.follows.has(predecessor)) entry.follows.set(predecessor, { resource, reason });
}

function settle({ key, template, leaders, follows }: Gathered): Follower {
  const all = [...leaders.values()];
  const specs = all.map((leader) => asPolicy(leader.policyDocument.object).spec);
  return {
    key,
    resource: refOf(template.object),
    template,
    clusters: unionOf(all),
    follows: sorted(
      follows.values(),
      compareBy(({ resource }) => refKey(resource)),
    ),
    requiredBy: sorted(all.map(snapshotOf), bySnapshot),
    conflictResolution: specs.some((spec) => spec.conflictResolution === 'Overwrite')
      ? 'Overwrite'
      : 'Abort',
    preserveResourcesOnDeletion: specs.some((spec) => spec.preserveResourcesOnDeletion === true),
  };
}

function unionOf(leaders: readonly Leader[]): readonly string[] {
  const names = new Set(
    leaders.flatMap((leader) => leader.clusters.map((cluster) => cluster.name)),
  );
  return sorted(names, compareStrings);
}

function snapshotOf({ template, clusters, resource }: Leader): BindingSnapshot {
  const { namespace } = resource;
  return {
    ...(namespace !== undefined && { namespace }),
    name: bindingName(refOf(template.object)),
    clusters,
  };
}

const bySnapshot = inOrder<BindingSnapshot>(
  compareBy((snapshot) => snapshot.namespace ?? ''),
  compareBy((snapshot) => snapshot.name),
);
