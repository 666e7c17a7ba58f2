import { type Command, Option } from 'commander';
import { describeDiagnostics } from '../../lib/engine/describe/index.js';
import type { Plan } from '../../lib/engine/plan.js';
import { readCommitted } from '../../lib/providers/git/index.js';
import { parseLock } from '../../lib/providers/lock/index.js';
import { parseFleet, readDocuments } from '../../lib/providers/source/index.js';
import { withClusters } from '../access.js';
import { toComment } from '../comment.js';
import { describeDifferences, type Difference, differences } from '../difference.js';
import { describeVerdict } from '../drift.js';
import { askServers, type DryRunFlags, dryRunOption } from '../dry-run.js';
import { gather, selectClusters, toInput } from '../gather.js';
import { driftFrom } from '../live-drift.js';
import {
  type AccessFlags,
  type InputFlags,
  withAccess,
  type OutputFlags,
  withExample,
  withInputs,
  withOutput,
} from '../options.js';
import { decide, decideLive } from '../planning.js';
import type { Outcome } from '../outcome.js';
import { Refusal } from '../refusal.js';
import { report } from '../report.js';
import { type Settings, settle } from '../settings.js';
import { canColour, type World } from '../world.js';

type Flags = InputFlags &
  AccessFlags &
  OutputFlags &
  DryRunFlags & {
    readonly base: string;
    readonly format?: 'text' | 'markdown' | 'json';
    readonly detailedExitcode?: boolean;
    readonly live?: boolean;
  };

export function addDiff(program: Command, world: World, outcome: Outcome): void {
  const command = program
    .command('diff')
    .description('show what a change does to every cluster, against a commit')
    .option('--base <ref>', 'the commit to compare with', 'HEAD')
    .addOption(
      new Option('--format <format>', 'markdown makes a pull-request comment').choices([
        'text',
        'markdown',
        'json',
      ]),
    )
    .addOption(dryRunOption())
    .option('--live', 'compare the plan with what is on the clusters, in place of a commit')
    .option('--detailed-exitcode', 'exit with 2 when there are differences')
    .action(async (flags: Flags) => {
      outcome.code = await (flags.live === true
        ? showDrift(flags, world)
        : showDifferences(flags, world));
    });
  withExample(
    withOutput(withAccess(withInputs(command))),
    'fleetwright diff --base origin/main --format markdown',
  );
}

async function showDifferences(flags: Flags, world: World): Promise<number> {
  const settings = settle(flags, world);
  const { input, places } = await gather(settings, world);
  // A lock that is about to change is what a diff is there to show.
  const planned = decide(input, places, false);
  const head =
    flags.dryRun === undefined
      ? planned
      : await withClusters(flags, world, (access) => askServers(planned, input, access));
  const base = planCommitted(flags.base, settings, world);
  const found = differences(base, head);

  const format = flags.json === true ? 'json' : (flags.format ?? 'text');
  world.stdout.write(FORMATS[format](head, base, found, canColour(world.stdout, world, flags)));
  if (format === 'text') report(head.diagnostics, world, flags);
  if (!head.applicable) return 1;
  return flags.detailedExitcode === true && found.length > 0 ? 2 : 0;
}

async function showDrift(flags: Flags, world: World): Promise<number> {
  const settings = settle(flags, world);
  const gathered = await gather(settings, world);
  const { plan, found, unread, read } = await withClusters(flags, world, async (access) => {
    const decided = await decideLive(gathered, settings, access);
    const found = await driftFrom(decided, access);
    const plan =
      flags.dryRun === undefined
        ? decided.plan
        : await askServers(decided.plan, decided.input, access);
    return {
      plan,
      found,
      unread: decided.unread,
      read: Object.keys(decided.input.live?.members ?? {}).length,
    };
  });
  const isJson = flags.json === true || flags.format === 'json';
  const { applicable, diagnostics } = plan;
  world.stdout.write(
    isJson
      ? `${JSON.stringify({ schemaVersion: 1, applicable, drift: found, unread, diagnostics }, null, 2)}\n`
      : describeVerdict(found, unread, read),
  );
  if (!isJson) report(diagnostics, world, flags);
  if (!applicable || (unread.length > 0 && read === 0)) return 1;
  return flags.detailedExitcode === true && found.length > 0 ? 2 : 0;
}

const FORMATS = {
  text: (_head, _base, found, color) => toText(found, color),
  markdown: (head, base, found) => toComment(head, base, found),
  json: (head, _base, found) =>
    `${JSON.stringify({ schemaVersion: 1, applicable: head.applicable, differences: found, diagnostics: head.diagnostics }, null, 2)}\n`,
} satisfies Record<
  string,
  (head: Plan, base: Plan | undefined, found: readonly Difference[], color: boolean) => string
>;

function toText(found: readonly Difference[], color: boolean): string {
  return found.length === 0 ? 'No differences.\n' : describeDifferences(found, color);
}

/** The plan of the base commit; `undefined` when it had nothing to plan yet. */
function planCommitted(ref: string, settings: Settings, world: World): Plan | undefined {
  const at = { ref, note: `in ${ref}` };
  const one = (path: string): string | undefined =>
    readCommitted(world.cwd, at.ref, [path])[0]?.text;
  const exclude = [
    settings.fleet,
    settings.lock,
    ...(settings.projectFile === undefined ? [] : [settings.projectFile]),
  ];
  const paths = settings.sources.filter((path) => path !== '-');
  const { documents, diagnostics, places } = readDocuments(
    readCommitted(world.cwd, ref, paths, exclude),
  );
  const fleetText = one(settings.fleet);
  const lockText = one(settings.lock);
  if (documents.length === 0 || fleetText === undefined) return undefined;
  const fleet = parseFleet(fleetText, settings.fleet);
  const lock = lockText === undefined ? undefined : parseLock(lockText, settings.lock);
  const found = [
    ...diagnostics,
    ...fleet.diagnostics,
    ...(lock?.ok === false ? lock.diagnostics : []),
  ];
  if (
    fleet.fleet === undefined ||
    lock?.ok === false ||
    found.some((d) => d.severity === 'error')
  ) {
    throw new Refusal(found.map((d) => ({ ...d, summary: `${at.note}: ${d.summary}` })));
  }
  const known = lock?.ok === true ? lock.value : undefined;
  const plan = decide(
    toInput(settings, documents, selectClusters(fleet.fleet, settings), known),
    [...places, ...fleet.places],
    false,
  );
  const errors = plan.diagnostics.filter((d) => d.severity === 'error');
  if (errors.length > 0)
    world.stderr.write(
      `The plan ${at.note} has errors of its own:\n${describeDiagnostics(errors)}`,
    );
  return plan;
}
