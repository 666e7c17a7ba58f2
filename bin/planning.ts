import { describePlan } from '../lib/engine/describe/index.js';
import { compareDiagnostics, type Diagnostic } from '../lib/engine/diagnostic.js';
import type { PlanInput } from '../lib/engine/input.js';
import type { Plan } from '../lib/engine/plan.js';
import { planApplication } from '../lib/providers/plan-application.js';
import { locate, type Place } from '../lib/providers/source/index.js';
import type { Access } from './access.js';
import { unknownClusters, unusedAcknowledgements } from './flag-values.js';
import type { Gathered } from './gather.js';
import { readLiveState } from './live.js';
import type { OutputFlags } from './options.js';
import type { Settings } from './settings.js';
import { canColour, type Output, type World } from './world.js';

/** Plan, with the place of every finding and the lock held against `frozen`. */
export function decide(input: PlanInput, places: readonly Place[], frozen: boolean): Plan {
  const plan = planApplication(input);
  const diagnostics = [
    ...plan.diagnostics,
    ...unusedAcknowledgements(plan, input),
    ...(frozen ? lockFindings(plan) : []),
  ];
  return {
    ...plan,
    applicable: plan.applicable && !(frozen && plan.lockChanges.length > 0),
    diagnostics: locate(diagnostics, places).sort(compareDiagnostics),
  };
}

/** A plan, and what it was made from. */
export interface Decided {
  readonly plan: Plan;
  readonly input: PlanInput;
}

/** A plan against clusters, and those of them that could not be read: about these it knows what the lock says. */
export interface DecidedLive extends Decided {
  readonly unread: readonly string[];
}

/** How long a cluster may give no answer to a look, in seconds. */
const LOOK_SECONDS = 10;

/**
 * Plan against what the clusters hold: first from the files, to know where to look, then with what was found there.
 * A cluster that cannot be read is an error, unless its code is acknowledged; a kubeconfig that cannot be used always is.
 */
export async function decideLive(
  { input, places, clusters }: Gathered,
  settings: Settings,
  access: Access,
  patience = LOOK_SECONDS,
): Promise<DecidedLive> {
  const first = decide(input, places, settings.frozen);
  const { live, unread, diagnostics } = await readLiveState(first, input, access, patience);
  const seen: PlanInput = { ...input, live };
  const plan = decide(seen, places, settings.frozen);
  const found = diagnostics.map((d) => {
    // A mistake on this side says nothing about clusters: none of them may be left out for it.
    if (d.code === 'KUBECONFIG_INVALID') return { ...d, hint: CORRECT_KUBECONFIG };
    return settings.acknowledge.includes(d.code) ? { ...d, severity: 'warning' as const } : d;
  });
  return {
    input: seen,
    unread,
    plan: {
      ...plan,
      applicable: plan.applicable && found.every((d) => d.severity !== 'error'),
      diagnostics: [
        ...plan.diagnostics,
        ...unknownClusters(access.contexts, clusters),
        ...found,
      ].sort(compareDiagnostics),
    },
  };
}

const CORRECT_KUBECONFIG =
  'Name the file with `--kubeconfig FILE` or KUBECONFIG, or the context with `--context-map CLUSTER=CONTEXT`. This is no fault of a cluster and cannot be acknowledged.';

/** Exit code of a command that only shows a plan. */
export function exitCodeOf(plan: Plan, detailed: boolean): number {
  if (!plan.applicable) return 1;
  return detailed && hasChanges(plan) ? 2 : 0;
}

export function hasChanges(plan: Plan): boolean {
  return plan.lockChanges.length > 0 || plan.changes.some((change) => change.action !== 'none');
}

/** The plan's text for one output: its colours, its width, the fleet's regions. */
export function showPlan(
  plan: Plan,
  input: PlanInput,
  output: Output,
  world: World,
  flags: OutputFlags,
  only: 'all' | 'changed' = 'all',
): string {
  return describePlan(plan, {
    color: canColour(output, world, flags),
    width: output.isTerminal ? output.columns : 120,
    regions: regionsOf(input),
    only,
  });
}

function regionsOf({ fleet }: PlanInput): Record<string, string> {
  return Object.fromEntries(
    fleet.clusters.flatMap(({ metadata, spec }) => {
      const region = (spec as { readonly region?: string } | undefined)?.region;
      return metadata.name === undefined || region === undefined ? [] : [[metadata.name, region]];
    }),
  );
}

function lockFindings(plan: Plan): Diagnostic[] {
  if (plan.lockChanges.length === 0) return [];
  const shown = plan.lockChanges.slice(0, 10);
  const more = plan.lockChanges.length - shown.length;
  return [
    {
      code: 'LOCK_WOULD_CHANGE',
      severity: 'error',
      summary: `The lock is frozen, and this plan would change it: ${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}.`,
      hint: 'Run `fleetwright lock` on a developer machine and commit the lock with the change.',
    },
  ];
}
