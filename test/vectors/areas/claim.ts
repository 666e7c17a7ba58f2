import type { KubeObject } from '../../../lib/api/object.js';
import type { BindingDocument } from '../../../lib/engine/claim/binding-document.js';
import {
  isChange,
  isKarmadasOwnChange,
  reasonToIgnore,
} from '../../../lib/engine/claim/considered.js';
import { claimOn, withClaim } from '../../../lib/engine/claim/marks.js';
import { indexPolicies } from '../../../lib/engine/claim/policy-index.js';
import { asPolicy, type Policy } from '../../../lib/engine/claim/policy.js';
import { preemptionBy, unblockedByLowering } from '../../../lib/engine/claim/preempt.js';
import { propagate } from '../../../lib/engine/claim/propagate.js';
import { interpreterFor } from '../../../lib/engine/interpret/index.js';
import { gatesFor } from '../../../lib/engine/schedule/gates.js';
import type { Area, Check, Row } from '../area.js';
import { difference } from '../difference.js';
import { equalQuantities } from '../quantity.js';

/** One control plane per row; what exists besides is the same in all of them. */
const propagateRow: Check = (row) => {
  const policies = policiesOf(row['propagationPolicies'], row['clusterPropagationPolicies']);
  const got = propagate(
    {
      template: row['template'] as KubeObject,
      ...(row['existingBinding'] !== undefined && {
        binding: row['existingBinding'] as BindingDocument,
      }),
      isWaiting: row['waiting'] === true,
      isKarmadasOwnChange: row['changedByKarmada'] === true,
    },
    {
      index: indexPolicies(policies),
      hasOverride: (_kind, _namespace, name) => name === 'ov-present',
      interpret,
      facts: {
        gates: gatesFor('karmada', row['gates'] as Record<string, boolean>),
        priorityClasses: new Map([['high', 1000]]),
      },
    },
  );
  const { labels, annotations } = got.template.metadata;
  const answer = {
    template: { labels, annotations },
    binding: got.binding,
    waiting: got.isWaiting,
    error: got.failure?.message,
  };
  return difference(answer, row['want'], equalQuantities);
};

const preemptRow: Check = (row) => {
  const policies = policiesOf(row['policies']);
  const { kind, name } = row['preemptor'] as { kind: string; name: string };
  const preemptor = policies.find((one) => one.kind === kind && one.metadata.name === name);
  if (preemptor === undefined) return `no policy ${kind} ${name}`;
  const gates = gatesFor('karmada', row['gates'] as Record<string, boolean>);
  const template = row['template'] as KubeObject;
  const owner = claimOn(template);
  const outcome =
    owner === undefined || !gates.PropagationPolicyPreemption
      ? 'stays'
      : preemptionBy(preemptor, template, owner, indexPolicies(policies));
  const after = outcome === 'takes-over' ? withClaim(template, preemptor) : template;
  const { labels, annotations } = after.metadata;
  const resource = preemptor.kind.toLowerCase().replace(/y$/, 'ies');
  const error = `${resource}.policy.karmada.io "${owner?.name ?? ''}" not found`;
  const got = {
    template: { labels, annotations },
    ...(outcome === 'owner-missing' && { error }),
  };
  return difference(got, row['want']);
};

const deprioritizedRow: Check = (row) => {
  const policies = policiesOf(row['policies']);
  const lowered = asPolicy(row['changed'] as KubeObject);
  const { oldPriority, newPriority } = row as Row & { oldPriority: number; newPriority: number };
  const got = unblockedByLowering(policies, lowered, oldPriority, newPriority);
  return difference(
    got.map((policy) => policy.metadata.name),
    row['want'],
  );
};

const eventsRow: Check = (row) => {
  const template = row['template'] as KubeObject;
  const updated = row['updated'] as KubeObject;
  const skipped = row['skippedPropagatingNamespaces'] as string[];
  const got = {
    considered: reasonToIgnore(template, skipped) === undefined,
    changed: isChange(template, updated),
    changedByKarmada: isKarmadasOwnChange(template, updated),
  };
  return difference(got, row['want']);
};

function policiesOf(...lists: unknown[]): Policy[] {
  return lists.flatMap((list) => ((list ?? []) as KubeObject[]).map(asPolicy));
}

function interpret(template: KubeObject): { replicas?: number; requirements?: never } {
  const answer = interpreterFor(template).interpretReplica?.(template);
  return (answer ?? {}) as { replicas?: number; requirements?: never };
}

export const area: Area = {
  checks: {
    deprioritized: deprioritizedRow,
    events: eventsRow,
    preempt: preemptRow,
    propagate: propagateRow,
  },
};
