import type { ClusterAffinity } from '../../../api/placement.js';
import type { Diagnostic } from '../../diagnostic.js';
import { isFields } from '../../interpret/field.js';

/** Least and most replicas of one cluster. */
export interface ReplicaBound {
  /** Absent: every cluster. The first bound that matches a cluster counts. */
  readonly targetCluster?: ClusterAffinity;
  readonly min?: number;
  readonly max?: number;
}

/** A part of the replicas that goes to some of the clusters. */
export interface ReplicaGroup {
  readonly name: string;
  /** A cluster belongs to the first group that matches. */
  readonly targetCluster: ClusterAffinity;
  readonly replicas: number;
}

/** What a policy may ask for beyond Karmada. All of it is opt-in; Karmada keeps the annotations and ignores them. */
export interface PlacementHints {
  /** Equal shares, whatever room the clusters have. */
  readonly division?: 'even';
  /** Take fewer groups than `minGroups` where there are no more, and say what is owed. */
  readonly spread?: 'soft';
  readonly bounds?: readonly ReplicaBound[];
  /** Counts that sum to the replicas of the template. */
  readonly groups?: readonly ReplicaGroup[];
}

/** Annotations of a policy that hold hints. */
export const HINT_ANNOTATIONS = {
  division: 'fleetwright.dev/division',
  spread: 'fleetwright.dev/spread',
  bounds: 'fleetwright.dev/replica-bounds',
  groups: 'fleetwright.dev/replica-groups',
} as const satisfies Record<keyof PlacementHints, string>;

type Parse = (text: string) => unknown;

const PARSERS = {
  division: (text) => (text === 'even' ? text : undefined),
  spread: (text) => (text === 'soft' ? text : undefined),
  bounds: (text) => listOf(text, isBound),
  groups: (text) => listOf(text, isGroup),
} as const satisfies Record<keyof PlacementHints, Parse>;

const FORMS = {
  division: '"even"',
  spread: '"soft"',
  bounds: 'a JSON list such as [{"targetCluster":{"clusterNames":["eu-1"]},"min":1,"max":5}]',
  groups: 'a JSON list such as [{"name":"aws","targetCluster":{"labelSelector":{}},"replicas":3}]',
} as const satisfies Record<keyof PlacementHints, string>;

/**
 * The hints among a policy's annotations; `undefined` when there are none. What cannot be read is left out and reported as
 * `HINT_INVALID`, with a path from the policy's root.
 */
export function parseHints(annotations: Readonly<Record<string, string>> = {}): {
  readonly hints: PlacementHints | undefined;
  readonly diagnostics: readonly Diagnostic[];
} {
  const found: Record<string, unknown> = {};
  const diagnostics: Diagnostic[] = [];
  for (const name of Object.keys(HINT_ANNOTATIONS).sort() as (keyof PlacementHints)[]) {
    const key = HINT_ANNOTATIONS[name];
    const text = annotations[key];
    if (text === undefined) continue;
    const value = PARSERS[name](text);
    if (value !== undefined) found[name] = value;
    else diagnostics.push(invalid(key, text, FORMS[name]));
  }
  // The parsers checked the shapes.
  const hints = Object.keys(found).length === 0 ? undefined : (found as PlacementHints);
  return { hints, diagnostics };
}

function invalid(key: string, text: string, form: string): Diagnostic {
  const seen = text.length > 80 ? `${text.slice(0, 80)}…` : text;
  return {
    code: 'HINT_INVALID',
    severity: 'error',
    summary: `Annotation ${key} is ${JSON.stringify(seen)}, but must be ${form}.`,
    hint: 'Correct the annotation, or remove it to get what Karmada does.',
    path: ['metadata', 'annotations', key],
  };
}

function listOf(text: string, isItem: (item: object) => boolean): unknown {
  try {
    const value: unknown = JSON.parse(text);
    if (!Array.isArray(value) || value.length === 0) return undefined;
    return value.every((item) => isFields(item) && isItem(item)) ? value : undefined;
  } catch {
    // Not JSON: the caller reports the text as a whole.
    return undefined;
  }
}

function isBound(item: Partial<ReplicaBound>): boolean {
  const { targetCluster, min = 0, max = min } = item;
  const hasTarget = targetCluster === undefined || isFields(targetCluster);
  return hasTarget && isCount(min) && isCount(max) && min <= max;
}

function isGroup(item: Partial<ReplicaGroup>): boolean {
  const { name, targetCluster, replicas } = item;
  return typeof name === 'string' && isFields(targetCluster) && isCount(replicas);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
