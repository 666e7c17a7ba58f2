import { compareBy, sorted } from '../../engine/compare.js';
import type { Diagnostic } from '../../engine/diagnostic.js';
import { describePolicy } from '../../engine/karmada/index.js';
import type { Plan } from '../../engine/plan.js';
import { reportOf, withOpening } from '../rollout/report.js';
import type { KarmadaWaves } from './karmada-waves.js';
import type { Mirror } from './mirror.js';
import type { KarmadaReport } from './options.js';

interface Ending {
  readonly plan: Plan;
  readonly waves: KarmadaWaves;
  readonly diagnostics: readonly Diagnostic[];
  readonly durationMs: number;
  /** What ended it early. */
  readonly problem?: Diagnostic;
  readonly suspended: KarmadaReport['suspended'];
  readonly isAborted: boolean;
  /** From the machine's time to milliseconds since 1970. */
  readonly toWall: (at: number) => number;
}

/** The report of every rollout, plus what was stopped or is kept by others; hints become findings of their own. */
export function toReport(ending: Ending): KarmadaReport {
  const { plan, waves, problem, suspended, isAborted } = ending;
  const report = withOpening(
    reportOf(plan, waves.state, waves.board.results, ending.durationMs),
    waves.state,
    ending.toWall,
  );
  const keepers = [...waves.kept.keys()].sort();
  const isDone = report.outcome === 'done';
  const stopped = problem !== undefined && !isAborted;
  const outcome = stopped ? 'failed' : isDone && keepers.length > 0 ? 'held' : report.outcome;
  const kept = plan.waves.flatMap(({ name, clusters }) =>
    clusters
      .filter((cluster) => waves.kept.has(cluster))
      .map((cluster) => ({
        cluster,
        wave: name,
        why: `kept suspended by somebody else on ${[...(waves.kept.get(cluster) ?? [])].join(', ')}`,
      })),
  );
  const keptNames = new Set(kept.map(({ cluster }) => cluster));
  const notDone = [
    ...report.notDone
      .filter(({ cluster }) => !keptNames.has(cluster))
      .map((entry) => ({ ...entry, why: whyOf(entry.cluster, entry.why, waves) })),
    ...kept,
  ];
  const [first] = kept;
  return {
    ...report,
    outcome,
    notDone,
    ...(outcome === 'held' &&
      isDone &&
      first !== undefined && {
        heldBy: { wave: first.wave, reason: `${keepers.join(', ')}, suspended by somebody else` },
      }),
    diagnostics: [...ending.diagnostics, ...hintsOf(notDone, waves)],
    suspended,
  };
}

/** What the object waits for says more than that the deadline has passed. */
function whyOf(cluster: string, why: string, waves: KarmadaWaves): string {
  const open = waves.board.results.get(cluster)?.objects.find(({ ready }) => !ready);
  return open === undefined || why.includes(open.waitingFor) ? why : `${why}: ${open.waitingFor}`;
}

function hintsOf(notDone: KarmadaReport['notDone'], waves: KarmadaWaves): readonly Diagnostic[] {
  return notDone.flatMap(({ cluster, why }) => {
    const hint = waves.board.hintOf(cluster);
    if (hint === undefined) return [];
    return [
      {
        code: 'KARMADA_MANIFEST_MISSING' as const,
        severity: 'error' as const,
        summary: `${cluster}: ${why}.`,
        hint,
      },
    ];
  });
}

/** What is suspended now, on the policies of the plan. */
export function suspensions(plan: Plan, mirror: Mirror): KarmadaReport['suspended'] {
  const policies = new Map(
    plan.bindings.flatMap(({ policy }) =>
      policy === null ? [] : [[describePolicy(policy), policy] as const],
    ),
  );
  const rows = [...policies].flatMap(([name, policy]) => {
    const view = mirror.policy(policy);
    if (view === undefined || view.suspended.length === 0) return [];
    const held = new Set(view.memory?.held ?? []);
    return [
      {
        policy: name,
        byRollout: view.suspended.filter((cluster) => held.has(cluster)),
        byOthers: view.suspended.filter((cluster) => !held.has(cluster)),
      },
    ];
  });
  return sorted(
    rows,
    compareBy((row) => row.policy),
  );
}
