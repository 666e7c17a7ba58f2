import type { PlacedBinding } from './binding.js';
import { count } from './describe/style.js';
import type { Diagnostic } from './diagnostic.js';
import type { Profile } from './input.js';
import { describeRef } from './object.js';
import type { FleetIndex, GroupLack, SpreadLack } from './schedule/index.js';
import { lacksOf } from './schedule/index.js';
import { about } from './validate.js';

/** Names shown at most. */
const SHOWN = 8;

/** The numbers of a spread constraint for which there are too few groups to choose from. */
export function describeLack({ field, wanted, got, names }: SpreadLack): string {
  const which = got === 0 ? '' : ` (${listed(names)})`;
  return `The ${field} constraint wants ${wanted}, and clusters that fit make ${got}${which}.`;
}

/**
 * Constraints whose `minGroups` the division does not keep: enough groups were selected, but fewer hold replicas. Karmada
 * checks at the selection only and says nothing.
 *
 * An error where the replicas would allow it and the decision is new, in the default profile and unless the spread is soft;
 * else a warning. Code: PLACEMENT_SPREAD_UNMET.
 */
export function spreadFindings(
  binding: PlacedBinding,
  fleet: FleetIndex,
  profile: Profile,
): readonly Diagnostic[] {
  const { spec, clusters, decision, template, debts = [] } = binding;
  const placement = spec?.placement;
  if (placement?.spreadConstraints === undefined || decision.kind === 'failed') return [];
  const replicas = clusters.reduce((sum, cluster) => sum + (cluster.replicas ?? 0), 0);
  const compiled = fleet.compile(placement);
  if (replicas === 0 || compiled.strategy === 'Duplicated') return [];
  // Of what a soft spread could not choose, the debt speaks already.
  return lacksOf(fleet, compiled, clusters)
    .filter(({ field }) => debts.every((debt) => debt.field !== field))
    .map((lack) =>
      about(template, {
        severity: severityOf(binding, lack, replicas, profile),
        code: 'PLACEMENT_SPREAD_UNMET',
        summary: `${describeRef(binding.resource)}: the placement wants ${count(lack.wanted, lack.field)}, and after the division ${count(lack.groups.length, lack.field)} ${lack.groups.length === 1 ? 'holds' : 'hold'} all ${count(replicas, 'replica')}: ${listed(lack.groups)}.`,
        hint: hintFor(binding, lack, replicas),
      }),
    );
}

function severityOf(
  { decision, policyDocument }: PlacedBinding,
  { wanted }: GroupLack,
  replicas: number,
  profile: Profile,
): 'error' | 'warning' {
  const isSoft = policyDocument?.object.metadata.annotations?.['fleetwright.dev/spread'] === 'soft';
  const isPossible = replicas >= wanted && decision.kind === 'scheduled';
  return profile === 'default' && isPossible && !isSoft ? 'error' : 'warning';
}

function hintFor(
  { decision }: PlacedBinding,
  { wanted, field }: GroupLack,
  replicas: number,
): string {
  if (replicas < wanted) return `Give it ${wanted} replicas or more, or lower \`minGroups\`.`;
  return decision.kind === 'kept'
    ? 'It stays as the lock has it; decide it afresh with `--reschedule`, or lower `minGroups`.'
    : `Make room in another ${field}, lower \`minGroups\`, or take what there is with fleetwright.dev/spread: soft on the policy.`;
}

function listed(names: readonly string[]): string {
  const more = names.length > SHOWN ? ` and ${names.length - SHOWN} more` : '';
  return `${names.slice(0, SHOWN).join(', ')}${more}`;
}
