import type { ObjectRef } from '../../api/object.js';
import { compareBy, sorted } from '../compare.js';
import { refKey } from '../object.js';
import type { PlannedWave, PolicyRef } from '../plan.js';
import type { ControlPlaneView } from './action.js';
import { describePolicy, policyKey } from './goal.js';
import { keeperOf } from './suspension.js';
import {
  hasPassed,
  templateStatus,
  type DocumentState,
  type KarmadaTemplateStatus,
  type TemplateFacts,
} from './template-status.js';
import { wavePosition, type WavePosition } from './wave-position.js';

/** What was read of a control plane, for one application. */
export interface KarmadaFacts {
  readonly waves: readonly PlannedWave[];
  /** The change's id, as policies remember it. */
  readonly rollout: string;
  readonly templates: readonly TemplateFacts[];
  /** Every document that goes to the control plane, templates among them. */
  readonly documents: readonly DocumentStatus[];
  readonly plane: ControlPlaneView;
  readonly leftovers: readonly Leftover[];
}

export interface DocumentStatus {
  readonly resource: ObjectRef;
  readonly state: DocumentState;
  /** Why it differs or is unknown, where somebody said so. */
  readonly reason?: string;
}

/** An object of the application that the plan no longer has. */
export interface Leftover {
  readonly resource: ObjectRef;
  /** `plan`: the next `up` deletes it. `policy`: a policy of the plan still propagates it, and no plan remembers it. */
  readonly foundBy: 'plan' | 'policy';
  /** Clusters that still have it, sorted. */
  readonly clusters: readonly string[];
}

/** What a policy of the plan suspends; clusters sorted. */
export interface PolicySuspension {
  readonly policy: string;
  /** `spec.suspension.dispatching`: everything stands still. */
  readonly whole: boolean;
  readonly byRollout: readonly string[];
  readonly byDocument: readonly string[];
  readonly byOthers: readonly string[];
}

/** The answer of `status --target karmada`; `docs/karmada.md` describes it. */
export interface KarmadaStatus {
  /** Everything is as planned, observed and rolled out on every cluster, and nothing waits to be deleted. */
  readonly ready: boolean;
  readonly rollout: WavePosition;
  /** Policies that suspend something, sorted. */
  readonly suspensions: readonly PolicySuspension[];
  /** Sorted by resource. */
  readonly templates: readonly KarmadaTemplateStatus[];
  /** Documents that are not as planned, sorted by resource. */
  readonly documents: readonly DocumentStatus[];
  /** Sorted by resource. */
  readonly leftovers: readonly Leftover[];
}

/**
 * How an application does, from what its control plane holds. Pure.
 *
 * A suspended cluster is never ready, with the right generation neither: what it has is not kept, and an override may have
 * changed its manifest without a trace (ADR 0140). Leftovers that only a policy shows do not count: they may be somebody else's.
 */
export function karmadaStatus(facts: KarmadaFacts): KarmadaStatus {
  const templates = sorted(
    facts.templates.map((one) => templateStatus(one, facts.plane)),
    compareBy(({ resource }) => refKey(resource)),
  );
  const documents = facts.documents.filter(({ state }) => state !== 'same');
  const isPassed = (cluster: string): boolean =>
    facts.templates.every((one) => hasPassed(one, facts.plane, cluster));
  const suspensions = suspensionsIn(facts);
  const rollout = wavePosition(facts.waves, steppedIn(facts), facts.rollout, isPassed);
  return {
    ready:
      rollout.step === 'none' &&
      suspensions.every(({ whole }) => !whole) &&
      templates.every(({ ready }) => ready) &&
      documents.length === 0 &&
      facts.leftovers.every(({ foundBy }) => foundBy !== 'plan'),
    rollout,
    suspensions,
    templates,
    documents: sorted(
      documents,
      compareBy(({ resource }) => refKey(resource)),
    ),
    leftovers: sorted(
      facts.leftovers,
      compareBy(({ resource }) => refKey(resource)),
    ),
  };
}

function policiesIn({ templates }: KarmadaFacts): ReadonlyMap<string, PolicyRef> {
  return new Map(
    templates.flatMap(({ policy }) => (policy === null ? [] : [[policyKey(policy), policy]])),
  );
}

function steppedIn(facts: KarmadaFacts): Parameters<typeof wavePosition>[1] {
  return [...policiesIn(facts).keys()].flatMap((key) => {
    const view = facts.plane.policies.get(key);
    if (view === undefined) return [];
    const clusters = facts.templates
      .filter(({ policy }) => policy !== null && policyKey(policy) === key)
      .flatMap(({ planned }) => planned.map(({ cluster }) => cluster));
    return [{ view, clusters }];
  });
}

function suspensionsIn(facts: KarmadaFacts): readonly PolicySuspension[] {
  const rows = [...policiesIn(facts)].flatMap(([key, policy]): PolicySuspension[] => {
    const view = facts.plane.policies.get(key);
    if (view === undefined || (view.suspended.length === 0 && !view.isSuspendedWhole)) return [];
    const by = (keeper: ReturnType<typeof keeperOf>): readonly string[] =>
      view.suspended.filter((cluster) => keeperOf(view, cluster) === keeper);
    return [
      {
        policy: describePolicy(policy),
        whole: view.isSuspendedWhole,
        byRollout: by('rollout'),
        byDocument: by('document'),
        byOthers: by('others'),
      },
    ];
  });
  return sorted(
    rows,
    compareBy(({ policy }) => policy),
  );
}
