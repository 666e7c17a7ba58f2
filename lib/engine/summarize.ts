import type { PlacedBinding } from './binding.js';
import { clustersLeft } from './binding.js';
import type { Checks } from './check.js';
import { compareBy, sorted } from './compare.js';
import type { Diagnostic } from './diagnostic.js';
import { compareDiagnostics } from './diagnostic.js';
import { summarizeFleet } from './fleet-hash.js';
import type { NextLock } from './next-lock.js';
import type { Ordered } from './order.js';
import type { Assignment, Plan, PlannedBinding } from './plan.js';
import type { Snapshot } from './snapshot.js';
import type { SplitBounds } from './split-autoscalers.js';
import { describeStrategy } from './strategy.js';
import { own } from './own.js';

/** What the steps found. */
export interface Findings {
  readonly bindings: readonly PlacedBinding[];
  readonly bounds: SplitBounds;
  readonly ordered: Ordered;
  readonly checked: Checks;
  readonly next: NextLock;
  readonly diagnostics: readonly Diagnostic[];
}

type BoundsByCluster = NonNullable<ReturnType<SplitBounds['get']>>;

/** Put the steps' findings together into the plan. */
export function summarize(snapshot: Snapshot, findings: Findings): Plan {
  const { ordered, checked, next } = findings;
  const { application, environment } = snapshot.options;
  const waveOf = new Map(
    ordered.waves.flatMap((wave) => wave.clusters.map((cluster) => [cluster, wave.name] as const)),
  );
  const diagnostics = sorted(unique(findings.diagnostics), compareDiagnostics);
  return {
    schemaVersion: 1,
    application,
    ...(environment !== undefined && { environment }),
    now: snapshot.now,
    applicable: diagnostics.every((d) => d.severity !== 'error'),
    fleet: summarizeFleet(snapshot),
    bindings: sorted(
      findings.bindings,
      compareBy((b) => b.key),
    ).map((binding) => plannedBinding(binding, waveOf, findings.bounds.get(binding.key))),
    changes: ordered.changes,
    waves: ordered.waves,
    releases: ordered.releases,
    checks: checked.results,
    diagnostics,
    lock: next.lock,
    lockChanges: next.changes,
  };
}

function plannedBinding(
  binding: PlacedBinding,
  waveOf: ReadonlyMap<string, string>,
  bounds: BoundsByCluster | undefined,
): PlannedBinding {
  const { resource, policy, shadowed, why, follows, spec, decision, version } = binding;
  let assignments: readonly Assignment[] | undefined;
  return {
    resource,
    policy,
    shadowed,
    claim: why,
    follows,
    ...(spec?.replicas !== undefined && { replicas: spec.replicas }),
    strategy: describeStrategy(spec),
    generation: version.generation,
    revision: version.hash,
    decision,
    left: leftBy(binding),
    ...(binding.explanation !== undefined && { explanation: binding.explanation }),
    ...(binding.fresh !== undefined && { fresh: binding.fresh }),
    ...takenBy(binding),
    // Properties like any other to those who read them, and to JSON; most plans never look at most of them.
    get assignments() {
      return (assignments ??= assignmentsOf(binding, waveOf, bounds));
    },
    get verdicts() {
      return binding.verdicts();
    },
  };
}

/** Only those that found no room look for who took it. */
function takenBy({ takenBy: find }: PlacedBinding): Pick<PlannedBinding, 'takenBy'> {
  const takers = find?.() ?? [];
  return takers.length === 0 ? {} : { takenBy: takers };
}

function assignmentsOf(
  { clusters, spec, locked }: PlacedBinding,
  waveOf: ReadonlyMap<string, string>,
  bounds: BoundsByCluster | undefined,
): readonly Assignment[] {
  return clusters.map(({ name, replicas }) => {
    const previous = own(locked?.clusters, name);
    const share = bounds?.get(name);
    return {
      cluster: name,
      ...(spec?.replicas !== undefined && { replicas: replicas ?? 0 }),
      ...(previous !== undefined && { previous }),
      ...(share !== undefined && { bounds: share }),
      wave: waveOf.get(name) ?? '',
    };
  });
}

function leftBy(binding: PlacedBinding): PlannedBinding['left'] {
  const { locked } = binding;
  if (locked === undefined) return [];
  return clustersLeft(locked, binding).map((cluster) => ({
    cluster,
    ...(locked.replicas !== undefined && { replicas: locked.clusters[cluster] ?? 0 }),
  }));
}

/** Two steps may find the same thing. */
function unique(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const seen = new Set<string>();
  return diagnostics.filter((diagnostic) => {
    const key = JSON.stringify(diagnostic);
    return seen.has(key) ? false : seen.add(key);
  });
}
