import type { PlacedBinding } from './binding.js';
import type { Diagnostic, DiagnosticCode } from './diagnostic.js';
import { asPolicy } from './claim/policy.js';
import { describeRef } from './object.js';
import { count } from './describe/style.js';
import type { FleetIndex, Gates } from './schedule/index.js';
import { debtFindings, parseHints, placementFindings } from './schedule/index.js';
import type { Snapshot } from './snapshot.js';
import { describeLack, spreadFindings } from './spread-findings.js';
import { describeStrategy } from './strategy.js';
import { about } from './validate.js';

/** What is to be said about placements: what Karmada ignores in them, what found no place, what has to leave. */
export function placementDiagnostics(
  snapshot: Snapshot,
  placed: readonly PlacedBinding[],
  fleet: FleetIndex,
  gates: Gates,
): readonly Diagnostic[] {
  // Without clusters everything fails for one reason, and that has been said.
  if (snapshot.clusters.length === 0) return [];
  return [
    ...quotaGates(gates),
    ...snapshot.policies.flatMap((document) =>
      placementFindings({
        placement: asPolicy(document.object).spec.placement ?? {},
        fleet,
        gates,
        profile: snapshot.options.profile,
      }).map((finding) => about(document, finding)),
    ),
    ...snapshot.policies.flatMap((document) =>
      parseHints(document.object.metadata.annotations).diagnostics.map((finding) =>
        about(document, finding),
      ),
    ),
    ...placed.flatMap((binding) => [
      ...notPlaced(binding),
      ...toLeave(binding),
      ...owed(binding),
      ...spreadFindings(binding, fleet, snapshot.options.profile),
      ...unknownRoom(binding, fleet, gates),
    ]),
  ];
}

/** Gates whose decisions are made by a running control plane, from what no snapshot shows. */
function quotaGates(gates: Gates): Diagnostic[] {
  return (['FederatedQuotaEnforcement', 'ResourceQuotaEstimate'] as const)
    .filter((gate) => gates[gate])
    .map((gate) => ({
      severity: 'warning',
      code: 'GATE_NOT_FORESEEN',
      summary: `Gate ${gate} is on, and quotas are kept by webhooks and estimators of a running control plane: the plan does not foresee what they refuse.`,
      hint: 'Compare the plan with the quota by hand, or leave the gate out.',
    }));
}

/** Divided by room that nobody knows: that is worth a word. */
function unknownRoom(binding: PlacedBinding, fleet: FleetIndex, gates: Gates): Diagnostic[] {
  if (
    !gates.unknownRoomIsEnough ||
    !/available replicas|aggregated/.test(describeStrategy(binding.spec))
  )
    return [];
  const unknown = binding.clusters
    .map(({ name }) => name)
    .filter((name) => {
      const cluster = fleet.clusters[fleet.positionOf.get(name) ?? -1];
      return cluster !== undefined && cluster.document.status?.resourceSummary === undefined;
    });
  if (unknown.length === 0) return [];
  const names =
    unknown.length <= 5
      ? unknown.join(', ')
      : `${unknown.slice(0, 5).join(', ')} and ${unknown.length - 5} more`;
  return [
    about(binding.template, {
      severity: 'info',
      code: 'CAPACITY_UNKNOWN',
      summary: `${describeRef(binding.resource)} is divided by free capacity, and that of ${names} is unknown: it counts as enough.`,
      hint: 'Take a snapshot (`fleetwright fleet snapshot`), or write `status.resourceSummary` of the clusters.',
    }),
  ];
}

function notPlaced(binding: PlacedBinding): Diagnostic[] {
  const { decision, clusters, template, leaving, spreadLack } = binding;
  if (decision.kind !== 'failed') return [];
  const names = clusters.map((c) => c.name).join(', ');
  const seen = `${decision.reason}${decision.reason.endsWith('.') ? '' : '.'}`;
  const lack = spreadLack === undefined ? '' : ` ${describeLack(spreadLack)}`;
  if (leaving !== undefined) {
    return [
      about(template, {
        severity: 'warning',
        code: 'EVICTION_NOWHERE_TO_GO',
        summary: `${describeRef(binding.resource)} should leave ${leaving.map((e) => `${e.cluster} (${e.reason})`).join(', ')} and fits nowhere else: ${seen}${lack} It stays on ${names}.`,
        hint: 'Make room on other clusters, add a toleration, or remove the taint.',
      }),
    ];
  }
  return [
    about(template, {
      severity: 'error',
      code: failureCode(binding),
      summary: `${describeRef(binding.resource)} cannot be placed: ${seen}${lack}${names === '' ? '' : ` It stays on ${names}.`}`,
      hint: hintFor(binding),
    }),
  ];
}

function failureCode({ isSpreadUnmet, verdicts }: PlacedBinding): DiagnosticCode {
  if (isSpreadUnmet === true) return 'PLACEMENT_SPREAD_UNMET';
  const fitsSomewhere = verdicts().some((v) => v.chosen || v.code === 'NotSelected');
  return fitsSomewhere ? 'PLACEMENT_NOT_ENOUGH_CAPACITY' : 'PLACEMENT_NO_CLUSTER_FITS';
}

function owed({ debts = [], template }: PlacedBinding): Diagnostic[] {
  return debtFindings(debts).map((finding) => about(template, finding));
}

function toLeave({ pending = [], template, resource }: PlacedBinding): Diagnostic[] {
  return pending.map(({ cluster, reason }) =>
    about(template, {
      severity: 'info',
      code: 'EVICTION_PENDING',
      summary: `${describeRef(resource)} will have to leave ${cluster}: ${reason}.`,
      hint: 'Plan again after that time to move it, or remove the taint.',
    }),
  );
}

const HINTS: Readonly<Record<string, string>> = {
  TaintToleration: 'Add a toleration to `placement.clusterTolerations`, or choose other clusters.',
  APIEnablement:
    'Karmada places a kind only where `status.apiEnablements` of the cluster lists it: refresh the fleet (fleetwright fleet snapshot). For a custom kind roll out its CRD first, then refresh, then its objects.',
  ClusterAffinity:
    'Check names, labels and fields in `placement.clusterAffinity` against the fleet.',
  SpreadConstraint: 'Give the clusters the field that the spread constraint groups by.',
};

function hintFor({ verdicts, isSpreadUnmet, takenBy }: PlacedBinding): string {
  if (isSpreadUnmet === true) {
    return 'Lower `minGroups`, let more clusters fit (labels, tolerations, taints), or take what there is with fleetwright.dev/spread: soft on the policy.';
  }
  const takers = takenBy?.() ?? [];
  if (takers.length > 0) {
    const names = takers
      .slice(0, 3)
      .map((t) => `${describeRef(t.resource)} (${count(t.replicas, 'replica')})`);
    const more = takers.length > 3 ? ` and ${takers.length - 3} more` : '';
    return `Decided before it in this plan: ${names.join(', ')}${more}. Lower requests or replicas, widen the placement, or give it a higher schedule priority.`;
  }
  const counts = new Map<string, number>();
  for (const { code } of verdicts())
    if (code !== undefined) counts.set(code, (counts.get(code) ?? 0) + 1);
  const [most] = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  return (
    (most === undefined ? undefined : HINTS[most[0]]) ??
    'Lower the requests or replicas, widen the placement, or refresh the fleet if it is old.'
  );
}
