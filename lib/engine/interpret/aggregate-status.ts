import type { KubeObject } from '../../api/object.js';
import { compareBy, sorted } from '../compare.js';
import { countAt, fieldAt, textAt } from './field.js';
import { TEMPLATE_GENERATION } from './aggregate/generation.js';
import { InterpretError } from './interpret-error.js';
import type { AggregatedStatusItem, Health, Interpreter } from './interpreter.js';

/** What one assigned cluster holds of a template. */
export interface MemberState {
  readonly cluster: string;
  /** The object as read; absent: it is not there. */
  readonly object?: KubeObject;
  /** Why it could not be applied or read; then the cluster reports nothing. */
  readonly failure?: string;
}

export interface StatusRequest {
  /** Its `status` is the last aggregate, where there is one. */
  readonly template: KubeObject;
  /** The template's generation that the clusters should observe; positive. */
  readonly generation: number;
  /** One per assigned cluster, in any order. */
  readonly members: readonly MemberState[];
  readonly interpreter: Interpreter;
  /** Our observed generation so far; 0 when there is none. */
  readonly previous?: number;
  /** RFC 3339; dates new conditions. */
  readonly now: string;
}

export interface TemplateStatus {
  readonly generation: number;
  /** This generation has been observed by all assigned clusters, whatever the kind; 0 while there was none. */
  readonly observedGeneration: number;
  /** Assigned clusters that have not observed it yet, sorted. */
  readonly behind: readonly string[];
  /** Per cluster, sorted by name; as Karmada would report it. */
  readonly items: readonly AggregatedStatusItem[];
  /** The status that Karmada would write to the template; absent for kinds that it does not aggregate. */
  readonly karmada?: unknown;
}

/**
 * The status of a template over all its clusters, twice: Karmada's aggregate with its oddities, and our own observed
 * generation that keeps one promise for every kind.
 *
 * A cluster has observed generation G when its object carries G or a later one and, for kinds whose controller says so,
 * the controller has seen the object as it is. With no clusters nobody has observed anything, so ours stays as it was, where
 * Karmada's jumps to G. Source: lifecycle reference §3.6, §9; ADR 0042.
 */
export function aggregateStatus(request: StatusRequest): TemplateStatus {
  const { generation, interpreter, previous = 0, now } = request;
  const members = sorted(
    request.members,
    compareBy(({ cluster }) => cluster),
  );
  const behind = members
    .filter((member) => !hasObserved(member, generation))
    .map(({ cluster }) => cluster);
  const items = members.map((member) => itemOf(member, interpreter));
  const template = { ...request.template, metadata: { ...request.template.metadata, generation } };
  const hasAll = members.length > 0 && behind.length === 0;
  return {
    generation,
    observedGeneration: hasAll ? generation : Math.min(previous, generation),
    behind,
    items,
    ...(interpreter.aggregateStatus !== undefined && {
      karmada: aggregate(interpreter.aggregateStatus, template, items, now),
    }),
  };
}

/** What Karmada would report of one member object (lifecycle reference §9.1, §9.2). */
export function itemOf(member: MemberState, interpreter: Interpreter): AggregatedStatusItem {
  const { cluster: clusterName, object, failure } = member;
  if (failure !== undefined) return { clusterName, appliedMessage: failure, health: 'Unknown' };
  if (object === undefined) return { clusterName, health: 'Unknown' };
  const status = answered(() => interpreter.interpretStatus?.(object));
  return {
    clusterName,
    applied: true,
    health: healthOf(object, interpreter),
    ...(status !== undefined && status !== null && { status }),
  };
}

/** Kinds whose controllers write `status.observedGeneration`; of others carrying the generation is all there is to observe. */
const OBSERVING: ReadonlySet<string> = new Set([
  'apps/v1/DaemonSet',
  'apps/v1/Deployment',
  'apps/v1/ReplicaSet',
  'apps/v1/StatefulSet',
  'policy/v1/PodDisruptionBudget',
  'apps.kruise.io/v1alpha1/CloneSet',
  'apps.kruise.io/v1alpha1/DaemonSet',
  'apps.kruise.io/v1alpha1/UnitedDeployment',
  'apps.kruise.io/v1beta1/StatefulSet',
  'helm.toolkit.fluxcd.io/v2beta1/HelmRelease',
  'kustomize.toolkit.fluxcd.io/v1/Kustomization',
  'source.toolkit.fluxcd.io/v1/GitRepository',
  'source.toolkit.fluxcd.io/v1beta2/Bucket',
  'source.toolkit.fluxcd.io/v1beta2/HelmChart',
  'source.toolkit.fluxcd.io/v1beta2/HelmRepository',
  'source.toolkit.fluxcd.io/v1beta2/OCIRepository',
]);

function hasObserved({ object, failure }: MemberState, generation: number): boolean {
  if (object === undefined || failure !== undefined) return false;
  const carried = Number(textAt(object.metadata.annotations, TEMPLATE_GENERATION) || '0');
  if (!(carried >= generation)) return false;
  const observed = fieldAt(object, 'status', 'observedGeneration');
  if (observed === undefined) return !OBSERVING.has(`${object.apiVersion}/${object.kind}`);
  return countAt(object, 'status', 'observedGeneration') >= (object.metadata.generation ?? 0);
}

function healthOf(object: KubeObject, interpreter: Interpreter): Health {
  if (interpreter.interpretHealth === undefined) return 'Healthy';
  const healthy = answered(() => interpreter.interpretHealth?.(object));
  return healthy === undefined ? 'Unknown' : healthy ? 'Healthy' : 'Unhealthy';
}

function aggregate(
  operation: NonNullable<Interpreter['aggregateStatus']>,
  template: KubeObject,
  items: readonly AggregatedStatusItem[],
  now: string,
): unknown {
  const updated = answered(() => operation(template, items, now));
  return (updated ?? template)['status'];
}

/** An interpreter's answer; `undefined` when it has none for this object: the old status stays, as in Karmada. */
function answered<T>(ask: () => T): T | undefined {
  try {
    return ask();
  } catch (error) {
    if (InterpretError.is(error)) return undefined;
    throw error;
  }
}
