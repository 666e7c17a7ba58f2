import type { Command } from 'commander';
import type { Plan, PlannedWave } from '../../lib/engine/plan.js';
import type { ClusterClient } from '../../lib/providers/cluster/index.js';
import { interpretersFrom } from '../../lib/providers/lua/index.js';
import { type Access, withClusters } from '../access.js';
import { gather, type Gathered, needApplication } from '../gather.js';
import {
  decideOnControlPlane,
  KARMADA_CONTEXT,
  type KarmadaFlags,
  karmadaContextOption,
} from '../karmada.js';
import {
  argumentOf,
  type AccessFlags,
  type InputFlags,
  type OutputFlags,
  withAccess,
  withExample,
  withInputs,
  withOutput,
} from '../options.js';
import type { Outcome } from '../outcome.js';
import { decideLive, showPlan } from '../planning.js';
import { needApplicable, report } from '../report.js';
import { describeChanges } from '../rollout-changes.js';
import { settle } from '../settings.js';
import { canColour, type World } from '../world.js';

type Flags = InputFlags & AccessFlags & OutputFlags & KarmadaFlags & { readonly yes?: boolean };

export function addApprove(program: Command, world: World, outcome: Outcome): void {
  const command = program
    .command('approve')
    .argument('[wave]', 'the wave that waits for approval')
    .usage('[options] <wave>')
    .description('let a wave pass in a later up, for exactly what is planned now')
    .option('-y, --yes', 'do not ask')
    .addOption(karmadaContextOption())
    .action(async (given: string | undefined, all: Flags) => {
      const { argument: wave, flags } = argumentOf(given, 'which wave to approve', all);
      outcome.code = await withClusters(flags, world, (access) =>
        approve(wave, flags, world, access),
      );
    });
  withExample(
    withOutput(withAccess(withInputs(command))),
    'fleetwright approve rest -f karmada/ -f rollout.yaml --app nginx --yes',
  );
}

async function approve(name: string, flags: Flags, world: World, access: Access): Promise<number> {
  const settings = settle(flags, world);
  const gathered = await gather(settings, world);
  needApplication(settings, gathered.input);
  const controlPlane =
    settings.target === 'karmada'
      ? await access.connect(flags.karmadaContext ?? KARMADA_CONTEXT)
      : undefined;
  const { plan, input } =
    controlPlane === undefined
      ? await decideLive(gathered, settings, access)
      : await decideOnControlPlane(gathered, settings, controlPlane);
  const output = flags.json === true ? world.stderr : world.stdout;
  output.write(showPlan(plan, input, output, world, flags, 'changed'));
  needApplicable(plan, world, flags);
  report(plan.diagnostics, world, { ...flags, json: false });
  const wave = waveOf(plan, name);
  if (controlPlane === undefined) {
    const { interpreters } = interpretersFrom(input.documents, input.now);
    const color = canColour(output, world, flags);
    const showing = { color, clusters: wave.clusters, namesAll: true };
    const live = input.live ?? { members: {} };
    const changes = await describeChanges(plan, live, access.connect, interpreters, showing);
    output.write(`\nChanges in wave ${name}\n${changes === '' ? 'none\n' : changes}`);
    await tellOfOthers(plan, wave, world, access);
  }
  if (!(await isConfirmed(wave, flags, world))) return 1;

  const { approved, failed } =
    controlPlane === undefined
      ? await approveOnClusters(plan, wave, access)
      : await approveOnPolicies(plan, gathered, name, controlPlane);
  for (const { message } of failed) world.stderr.write(`error   ${message}\n`);
  const nowhere = controlPlane === undefined ? 'no cluster' : 'no policy';
  world.stdout.write(
    flags.json === true
      ? `${JSON.stringify({ schemaVersion: 1, wave: name, approved, failed })}\n`
      : `Approved: wave ${name} on ${approved.join(', ') || nowhere}, for what is planned now.\n`,
  );
  return failed.length === 0 ? 0 : 1;
}

/** An approval that is there for another release would look like none. */
async function tellOfOthers(
  plan: Plan,
  wave: PlannedWave,
  world: World,
  access: Access,
): Promise<void> {
  const { describeOtherApproval, readGateMarks } =
    await import('../../lib/providers/rollout/index.js');
  const releases = plan.releases.filter(({ cluster }) => wave.clusters.includes(cluster));
  const lines = await Promise.all(
    releases.map(async (release) => {
      try {
        const marks = await readGateMarks(release, await access.connect(release.cluster));
        const { approvedOther } = marks;
        return approvedOther === undefined
          ? ''
          : `note    ${release.cluster}: ${describeOtherApproval(approvedOther)}\n`;
      } catch {
        // Recording the approval there will say what is wrong with the cluster.
        return '';
      }
    }),
  );
  world.stderr.write(lines.join(''));
}

function waveOf(plan: Plan, name: string): PlannedWave {
  const waiting = plan.waves.filter(({ gate }) => gate.approval);
  const wave = waiting.find((one) => one.name === name);
  if (wave !== undefined) return wave;
  const names = waiting.map((one) => one.name).join(', ') || 'none';
  throw new Error(`No wave "${name}" waits for approval in this plan; those that do: ${names}.`);
}

/** Where the wave may pass now (clusters, or policies of a control plane), and where that could not be written down. */
interface Recorded {
  readonly approved: readonly string[];
  readonly failed: readonly { readonly message: string }[];
}

/** On each cluster of the wave: `up` looks there, whoever runs it and wherever. */
async function approveOnClusters(plan: Plan, wave: PlannedWave, access: Access): Promise<Recorded> {
  const { approveRelease } = await import('../../lib/providers/rollout/index.js');
  const releases = plan.releases.filter(({ cluster }) => wave.clusters.includes(cluster));
  const outcomes = await Promise.all(
    releases.map(async (release) => {
      try {
        await approveRelease(release, await access.connect(release.cluster));
        return [];
      } catch (error) {
        return [{ cluster: release.cluster, message: (error as Error).message }];
      }
    }),
  );
  const failed = outcomes.flat();
  const isFailed = (one: string): boolean => failed.some(({ cluster }) => cluster === one);
  return { approved: wave.clusters.filter((cluster) => !isFailed(cluster)), failed };
}

/** On the control plane's policies, which are one place for everybody too. */
async function approveOnPolicies(
  plan: Plan,
  { input }: Gathered,
  wave: string,
  client: ClusterClient,
): Promise<Recorded> {
  const { approveOnControlPlane } = await import('../../lib/providers/karmada/index.js');
  const documents = input.documents.map(({ object }) => object);
  return approveOnControlPlane(plan, documents, wave, client);
}

async function isConfirmed(wave: PlannedWave, flags: Flags, world: World): Promise<boolean> {
  if (flags.yes === true) return true;
  const answer = await world.ask(
    `\nApprove wave ${wave.name} (${wave.clusters.join(', ')}) for what is planned now? [y/N] `,
  );
  if (answer !== undefined && /^y(es)?$/i.test(answer.trim())) return true;
  world.stderr.write('Nothing was approved.\n');
  return false;
}
