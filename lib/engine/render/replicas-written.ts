/**
 * Whether manifests ask for the replicas that the plan gives their clusters. A kind that nobody taught to write a count, a
 * rule that does not, and an override of the count make the plan say one number and the clusters run another.
 *
 * @module
 */
import type { KubeObject, ObjectRef } from '../../api/object.js';
import type { ResourceBindingSpec } from '../../api/resource-binding.js';
import { compareBy, compareStrings, sorted } from '../compare.js';
import type { Diagnostic } from '../diagnostic.js';
import { fieldAt, objectAt, textAt } from '../interpret/field.js';
import type { Interpreter } from '../interpret/index.js';
import { InterpretError, isTaught } from '../interpret/index.js';
import { wholeNumberAt } from '../interpret/pod/workload.js';
import { describeRef } from '../object.js';
import type { OverrideRule, OverrideTools } from '../override/index.js';
import { applyRules, describeRule, nameClusters, placeOfRule } from '../override/index.js';
import { withDefaultCounts } from '../template-defaults.js';
import { renderCore } from './core.js';
import type { MemberRequest } from './member.js';

/** A manifest that asks for other replicas than the share it was rendered for. */
export interface UnwrittenShare {
  /** `undefined`: what asks for the count cannot read it any more. */
  readonly written: number | undefined;
  /** `unwritable`: the kind has no ReviseReplica. `unrevised`: it has one that writes something else. Else who overrode it. */
  readonly cause: 'unwritable' | 'unrevised' | OverrideRule;
}

/**
 * The difference between a cluster's share and what its manifest asks for; `undefined`: none.
 *
 * Only divided replicas have shares: duplicated ones are what the template says, and overrides are how their counts
 * differ. Of a Job its parallelism counts, since it runs no more pods than completions are left for it. Kinds made of
 * components are not divided.
 */
export function findUnwrittenShare(
  request: MemberRequest,
  object: KubeObject,
  spec: ResourceBindingSpec | undefined,
  interpreters: readonly Interpreter[] | undefined,
): UnwrittenShare | undefined {
  const { replicas, template, interpreter, overrides, tools } = request;
  const isDivided = spec?.placement?.replicaScheduling?.replicaSchedulingType === 'Divided';
  if (replicas === undefined || !isDivided || (spec.components ?? []).length > 0) return undefined;
  const isTaughtCount = hasTaughtCount(template, interpreters);
  // Most kinds keep it there, and it costs nothing to look.
  if (!isTaughtCount && fieldAt(object, 'spec', 'replicas') === replicas) return undefined;
  const count = counterOf(request, isTaughtCount);
  if (count === undefined) return undefined;
  const written = count(object);
  if (written === replicas) return undefined;
  const revised = renderCore({ ...request, rules: [] });
  if (!revised.ok) return undefined;
  const cause =
    count(revised.value) === replicas
      ? overriderOf(revised.value, replicas, overrides.rules, count, tools)
      : interpreter.reviseReplica === undefined
        ? 'unwritable'
        : 'unrevised';
  // A value that no cluster takes is a finding of its own (OVERRIDE_VALUE_INVALID).
  const isInvalid = written === undefined || objectAt(object, 'spec') === undefined;
  return cause === undefined || (isInvalid && !isTaughtCount) ? undefined : { written, cause };
}

/** One cluster of a binding and what it is given. */
interface Given {
  readonly cluster: string;
  readonly replicas: number;
  readonly content: {
    readonly key: string;
    readonly resource: ObjectRef;
    readonly object: KubeObject;
  };
}

/**
 * `REPLICAS_NOT_WRITTEN`, one for each object, about the override where one is to blame. Not for workloads that an
 * autoscaler counts: what it is given is where it begins.
 */
export function findReplicasNotWritten(
  shares: ReadonlyMap<Given['content'], UnwrittenShare>,
  manifests: readonly Given[],
): readonly Diagnostic[] {
  if (shares.size === 0) return [];
  const keys = new Set([...shares.keys()].map(({ key }) => key));
  const scaled = new Set(manifests.map(({ content }) => targetOf(content.object)));
  const byKey = new Map<string, Given[]>();
  for (const given of manifests) {
    const { key, resource } = given.content;
    if (!keys.has(key) || scaled.has(idOf(resource))) continue;
    const group = byKey.get(key);
    if (group === undefined) byKey.set(key, [given]);
    else group.push(given);
  }
  return [...byKey.values()].map((group) => describe(group, shares));
}

function hasTaughtCount(
  template: KubeObject,
  interpreters: readonly Interpreter[] | undefined,
): boolean {
  return (
    isTaught(template, 'interpretReplica', interpreters) ||
    isTaught(template, 'reviseReplica', interpreters)
  );
}

type Count = (object: KubeObject) => number | undefined;

/** How to read the count of an object; `undefined`: its kind has none, or runs other numbers than it is given. */
function counterOf(
  { template, completions, interpreter }: MemberRequest,
  isTaughtCount: boolean,
): Count | undefined {
  const isJob = template.apiVersion === 'batch/v1' && template.kind === 'Job';
  if (isJob && !isTaughtCount) return reading((object) => wholeNumberAt(object, 'parallelism'));
  const { interpretReplica } = interpreter;
  return interpretReplica === undefined || completions !== undefined
    ? undefined
    : reading((object) => interpretReplica(object).replicas);
}

/** With what API servers fill in; `undefined` where an override left nothing that can be counted. */
function reading(count: Count): Count {
  return (object) => {
    try {
      return count(withDefaultCounts(object));
    } catch (error) {
      if (InterpretError.is(error) || error instanceof TypeError) return undefined;
      throw error;
    }
  };
}

/** The rule after which the count never was right again. */
function overriderOf(
  revised: KubeObject,
  replicas: number,
  rules: readonly OverrideRule[],
  count: Count,
  tools: OverrideTools,
): OverrideRule | undefined {
  let current = revised;
  let overrider: OverrideRule | undefined;
  for (const rule of rules) {
    const next = applyRules(current, [rule], tools);
    if (!next.ok) return overrider;
    current = next.value;
    if (count(current) === replicas) overrider = undefined;
    else overrider ??= rule;
  }
  return overrider;
}

function describe(
  group: readonly Given[],
  shares: ReadonlyMap<Given['content'], UnwrittenShare>,
): Diagnostic {
  const found = group.flatMap(({ cluster, replicas, content }) => {
    const share = shares.get(content);
    return share === undefined ? [] : [{ cluster, replicas, ...share }];
  });
  const [first] = found as [(typeof found)[number]];
  const { resource } = (group as [Given])[0].content;
  const planned = group.reduce((sum, { replicas }) => sum + replicas, 0);
  const differing = found.reduce((sum, { replicas }) => sum + replicas, 0);
  const isReadable = found.every(({ written }) => written !== undefined);
  const total = planned - differing + found.reduce((sum, { written = 0 }) => sum + written, 0);
  return {
    code: 'REPLICAS_NOT_WRITTEN',
    severity: 'warning',
    summary: `The plan divides ${planned} replicas of ${describeRef(resource)}, but its manifests ask for ${isReadable ? total : 'another number'}: ${listOf(found)}.`,
    ...wayOut(first.cause, resource),
  };
}

const MOST_LISTED = 3;

function listOf(
  found: readonly {
    readonly cluster: string;
    readonly replicas: number;
    readonly written: number | undefined;
  }[],
): string {
  const groups = new Map<string, string[]>();
  for (const { cluster, replicas, written } of sorted(
    found,
    compareBy((share) => share.cluster),
  )) {
    const what = `${written ?? 'something unreadable'} instead of ${replicas}`;
    groups.set(what, [...(groups.get(what) ?? []), cluster]);
  }
  const largest = sorted(
    groups,
    (a, b) => b[1].length - a[1].length || compareStrings(a[0], b[0]),
  ).slice(0, MOST_LISTED);
  const rest = found.length - largest.reduce((sum, [, clusters]) => sum + clusters.length, 0);
  const listed = largest.map(([what, clusters]) => `${what} on ${nameClusters(clusters)}`);
  return [...listed, ...(rest > 0 ? [`others on ${rest} more`] : [])].join('; ');
}

function wayOut(
  cause: UnwrittenShare['cause'],
  resource: ObjectRef,
): Pick<Diagnostic, 'hint' | 'resource' | 'path'> {
  if (cause === 'unwritable')
    return {
      hint: `Nothing says where a ${resource.kind} keeps its count. Teach the kind ReviseReplica (replicaRevision), or duplicate it: replicaSchedulingType: Duplicated.`,
      resource,
    };
  if (cause === 'unrevised')
    return {
      hint: `ReviseReplica of this kind does not write the count it is given: correct it (\`fleetwright interpret\` shows what it returns), or duplicate the object: replicaSchedulingType: Duplicated.`,
      resource,
    };
  return {
    hint: `${describeRule(cause)} changes the count after the division: give the clusters their replicas by weights, or duplicate the object and override what differs.`,
    ...placeOfRule(cause),
  };
}

/** What an autoscaler counts, whatever kind of autoscaler it is; empty for all else. */
function targetOf(object: KubeObject): string {
  const target = fieldAt(object, 'spec', 'scaleTargetRef');
  const name = textAt(target, 'name');
  if (name === '') return '';
  const kind = textAt(target, 'kind');
  return idOf({
    kind: kind === '' ? 'Deployment' : kind,
    namespace: object.metadata.namespace ?? '',
    name,
  });
}

function idOf({ kind, namespace = '', name }: Omit<ObjectRef, 'apiVersion'>): string {
  return `${kind}/${namespace}/${name}`;
}
