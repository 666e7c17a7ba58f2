import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { LiveState } from '../../lib/engine/input.js';
import type { Interpreter } from '../../lib/engine/interpret/index.js';
import type { KubeObject } from '../../lib/engine/object.js';
import type { Plan, PlannedWave } from '../../lib/engine/plan.js';
import { countDrift, keepDrift } from '../../lib/engine/rollout/index.js';
import type { ClusterClient } from '../../lib/providers/cluster/index.js';
import type { KarmadaReport } from '../../lib/providers/karmada/index.js';
import { writeLock } from '../../lib/providers/lock/index.js';
import { interpretersFrom } from '../../lib/providers/lua/index.js';
import type { RolloutReport } from '../../lib/providers/rollout/index.js';
import { type Access, withClusters } from '../access.js';
import { describeCorrections, describeKept } from '../drift.js';
import { needWaves } from '../flag-values.js';
import { gather, needApplication } from '../gather.js';
import { stoppable } from '../interruption.js';
import {
  decideOnControlPlane,
  findingsOf,
  KARMADA_CONTEXT,
  type KarmadaFlags,
  karmadaContextOption,
  showSteps,
} from '../karmada.js';
import { isNothingToDo } from '../nothing-to-do.js';
import { driftFrom } from '../live-drift.js';
import {
  type AccessFlags,
  type InputFlags,
  repeat,
  withAccess,
  withExample,
  withInputs,
  withOutput,
} from '../options.js';
import type { Outcome } from '../outcome.js';
import { decideLive, hasChanges, showPlan } from '../planning.js';
import { type ProgressFlags, showProgress } from '../progress.js';
import { report } from '../report.js';
import { describeRolledBackClusters } from '../rollback-report.js';
import { describeChanges } from '../rollout-changes.js';
import { describeReport, exitCodeOfReport } from '../rollout-report.js';
import { settle } from '../settings.js';
import { canColour, type World } from '../world.js';

export type UpFlags = InputFlags &
  AccessFlags &
  ProgressFlags &
  KarmadaFlags & {
    readonly yes?: boolean;
    readonly approve?: readonly string[];
    readonly ignoreWindows?: boolean;
    readonly keepDrift?: readonly string[];
    readonly patience: string;
  };

export function addUp(program: Command, world: World, outcome: Outcome): void {
  const command = program
    .command('up')
    .description('plan, ask, write the lock, and roll out wave by wave')
    .option('-y, --yes', 'do not ask')
    .addOption(
      new Option(
        '--approve <wave>',
        'let a wave pass that waits for approval, or "all"; repeatable',
      ).argParser(repeat),
    )
    .addOption(
      new Option(
        '--keep-drift <field>',
        'leave a field that somebody changed on the clusters, as diff --live shows it; repeatable',
      ).argParser(repeat),
    )
    .option(
      '--patience <seconds>',
      'how long a cluster may give no answer before it counts as failed',
      '30',
    )
    .addOption(karmadaContextOption())
    .option(
      '--take-over',
      'with --target karmada: take fields that others own, e.g. after kubectl apply',
    )
    .option('--ignore-windows', 'start waves outside their time windows too')
    .option('--events-json', 'print progress as one JSON object a line on stdout')
    .action(async (flags: UpFlags) => {
      outcome.code = await withClusters(flags, world, (access) =>
        up(flags, world, access, outcome),
      );
    });
  withExample(
    withOutput(withAccess(withInputs(command))),
    'fleetwright up -f karmada/ --app nginx --yes',
  );
}

async function up(flags: UpFlags, world: World, access: Access, outcome: Outcome): Promise<number> {
  const settings = settle(flags, world);
  const gathered = await gather(settings, world);
  needApplication(settings, gathered.input);
  const controlPlane =
    settings.target === 'karmada'
      ? await access.connect(flags.karmadaContext ?? KARMADA_CONTEXT)
      : undefined;
  const { plan: decided, input } =
    controlPlane === undefined
      ? await decideLive(gathered, settings, access, Math.min(10, secondsOf(flags.patience)))
      : await decideOnControlPlane(gathered, settings, controlPlane);
  needWaves(flags.approve, decided, input.documents);
  const live = input.live ?? { members: {} };
  const { plan: wished, kept, unmatched } = keepDrift(decided, live, flags.keepDrift ?? []);
  const { interpreters } = interpretersFrom(input.documents, input.now);
  const drift = controlPlane === undefined ? await driftFrom({ plan: wished, input }, access) : [];
  const plan = countDrift(wished, drift);
  const quiet = flags.json === true || flags.eventsJson === true;
  const output = quiet ? world.stderr : world.stdout;
  output.write(
    showPlan(plan, input, output, world, flags, 'changed') + showSteps(plan, input, settings),
  );
  output.write(describeCorrections(plan, drift));
  // For whoever decides or watches; a pipeline has its diff in the pull request.
  if (controlPlane === undefined && (flags.yes !== true || (output.isTerminal && !quiet))) {
    const color = canColour(output, world, flags);
    const changes = await describeChanges(plan, live, access.connect, interpreters, { color });
    output.write(changes === '' ? '' : `\nChanges\n${changes}`);
  }
  world.stderr.write(describeKept(kept, unmatched));
  const said = [...plan.diagnostics, ...findingsOf(plan, input, settings)];
  report(said, world, { ...flags, json: false });
  if (said.some(({ severity }) => severity === 'error') || !plan.applicable) {
    const refused = { kind: 'report', outcome: 'refused', diagnostics: said };
    if (quiet) world.stdout.write(`${JSON.stringify(refused)}\n`);
    return 1;
  }
  if (controlPlane === undefined) await tellOfRollback(plan, world, access);
  const isIdle =
    flags.yes !== true && controlPlane === undefined && (await isNothingToDo(plan, access));
  if (isIdle) output.write(`\nNothing to change. Verifying ${plan.releases.length} clusters.\n`);
  else if (!(await isConfirmed(plan, flags, world))) return 1;

  // Decisions before deeds: what a killed run has begun, the next one continues from this lock.
  if (!settings.frozen) writeLock(resolve(world.cwd, settings.lock), plan.lock);
  const documents = gathered.input.documents.map(({ object }) => object);
  const through = { controlPlane, documents, live, interpreters };
  const result = await rollOut(plan, flags, world, access, through);
  if ('diagnostics' in result) {
    const news = result.diagnostics.filter((one) =>
      said.every(({ summary }) => summary !== one.summary),
    );
    report(news, world, { ...flags, json: false });
  }
  if (quiet)
    world.stdout.write(
      `${JSON.stringify(flags.eventsJson === true ? { kind: 'report', ...result } : result)}\n`,
    );
  else
    world.stdout.write(
      describeReport(plan, result, outcome.args, { color: canColour(world.stdout, world, flags) }),
    );
  return exitCodeOfReport(result);
}

/** What was rolled back goes forward again: templates and lock were not restored, or it is meant. */
async function tellOfRollback(plan: Plan, world: World, access: Access): Promise<void> {
  const { readRolledBack } = await import('../../lib/providers/rollout/index.js');
  const changed = plan.changes.filter(({ action }) => action !== 'none');
  const clusters = new Set(changed.map(({ cluster }) => cluster));
  const found = await readRolledBack(plan, clusters, access.connect);
  for (const line of describeRolledBackClusters(found)) world.stderr.write(`warning ${line}\n`);
}

/** Nobody there to ask is a no: a pipeline says `--yes`. */
async function isConfirmed(plan: Plan, flags: UpFlags, world: World): Promise<boolean> {
  if (flags.yes === true) return true;
  const what = hasChanges(plan)
    ? `Apply this to ${plan.releases.length} clusters?`
    : `Nothing to change. Verify ${plan.releases.length} clusters?`;
  const answer = await world.ask(`\n${what} [y/N] `);
  if (answer !== undefined && /^y(es)?$/i.test(answer.trim())) return true;
  world.stderr.write(
    answer === undefined
      ? 'Nobody to ask: nothing was applied. Give --yes to apply without asking.\n'
      : 'Nothing was applied.\n',
  );
  return false;
}

/** What a run has besides its plan: for `--target karmada` the way through and what goes there; else what was seen. */
interface Through {
  readonly interpreters: readonly Interpreter[];
  readonly controlPlane: ClusterClient | undefined;
  readonly documents: readonly KubeObject[];
  readonly live: LiveState;
}

async function rollOut(
  plan: Plan,
  flags: UpFlags,
  world: World,
  access: Access,
  { controlPlane, documents, live, interpreters }: Through,
): Promise<RolloutReport | KarmadaReport> {
  const view = await showProgress(plan, world, flags);
  return stoppable(world, view, async (signal) => {
    const approve: 'all' | readonly string[] =
      flags.approve?.includes('all') === true ? 'all' : (flags.approve ?? []);
    const askApproval = (wave: PlannedWave): Promise<boolean> =>
      view.standAside(() => isApproved(wave, world, signal));
    const options = {
      approve,
      ...(flags.yes !== true && { askApproval }),
      ignoreWindows: flags.ignoreWindows === true,
      wallNow: () => Date.parse(world.now()),
      signal,
      onEvent: view.onEvent,
    };
    if (controlPlane !== undefined) {
      const { runKarmadaRollout } = await import('../../lib/providers/karmada/index.js');
      const takeOver = flags.takeOver === true;
      const unreachableSeconds = secondsOf(flags.patience);
      const through = { ...options, takeOver, unreachableSeconds };
      return runKarmadaRollout(plan, documents, controlPlane, through);
    }
    const { runRollout, unreadyClusters } = await import('../../lib/providers/rollout/index.js');
    return runRollout(plan, access.connect, {
      ...options,
      unready: unreadyClusters(plan, live, interpreters),
      interpreters,
      unreachableSeconds: secondsOf(flags.patience),
    });
  });
}

function secondsOf(text: string): number {
  const seconds = Number(text);
  if (Number.isFinite(seconds) && seconds > 0) return seconds;
  throw new Error(`--patience: expected seconds, found "${text}"`);
}

async function isApproved(wave: PlannedWave, world: World, signal: AbortSignal): Promise<boolean> {
  const answer = await world.ask(
    `\nWave ${wave.name} (${wave.clusters.join(', ')}) waits for approval. Go on? [y/N] `,
    signal,
  );
  return answer !== undefined && /^y(es)?$/i.test(answer.trim());
}
