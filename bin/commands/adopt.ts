import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { Cluster } from '../../lib/api/cluster.js';
import {
  adoptionFindings,
  describeAdoption,
  placementFindings,
  type PreviewedObject,
  proposeAdoption,
  type Proposal,
  skippedFindings,
} from '../../lib/engine/adopt/index.js';
import { compareDiagnostics, type Diagnostic } from '../../lib/engine/diagnostic.js';
import type { Plan } from '../../lib/engine/plan.js';
import type { Selection } from '../../lib/providers/adopt/index.js';
import { writeFileAtomic } from '../../lib/providers/lock/index.js';
import type { ReleaseFailure } from '../../lib/providers/rollout/index.js';
import { readFleet } from '../../lib/providers/source/index.js';
import { type Access, contextsOf, withClusters } from '../access.js';
import { gather } from '../gather.js';
import {
  type AccessFlags,
  type OutputFlags,
  repeat,
  withAccess,
  withExample,
  withOutput,
} from '../options.js';
import type { Outcome } from '../outcome.js';
import { decide } from '../planning.js';
import { Refusal } from '../refusal.js';
import { report } from '../report.js';
import { settle } from '../settings.js';
import type { World } from '../world.js';

type Flags = AccessFlags &
  OutputFlags & {
    readonly context?: readonly string[];
    readonly namespace?: readonly string[];
    readonly selector?: string;
    readonly kind?: readonly string[];
    readonly name?: readonly string[];
    readonly app?: string;
    readonly out: string;
    readonly check?: boolean;
    readonly allowRestart?: boolean;
  };

export function addAdopt(program: Command, world: World, outcome: Outcome): void {
  const command = program
    .command('adopt')
    .description(
      'describe what runs in clusters as a project, and show what applying it would change',
    )
    .addOption(repeatable('--context <name>', 'cluster to read; repeatable'))
    .addOption(repeatable('-n, --namespace <name>', 'only this namespace; repeatable'))
    .option('-l, --selector <labels>', 'only objects with these labels')
    .addOption(
      repeatable(
        '--kind <kind>',
        'only this kind, such as Deployment or Rollout.argoproj.io; repeatable',
      ),
    )
    .addOption(repeatable('--name <name>', 'only objects of this name; repeatable'))
    .option('--app <name>', 'name of the application that takes over (default: the namespace)')
    .option('--out <folder>', 'where to write the project', 'adopted')
    .option('--check', 'propose nothing: show what applying the folder as it is would change')
    .option('--allow-restart', 'go on although pods would restart')
    .action(async (flags: Flags) => {
      outcome.code = await withClusters(flags, world, (access) =>
        flags.check === true ? check(flags, world, access) : adopt(flags, world, access),
      );
    });
  withExample(
    withOutput(withAccess(command)),
    'fleetwright adopt --context member1 --context member2 --namespace shop --out adopted',
  );
}

function repeatable(flag: string, description: string): Option {
  return new Option(flag, description).argParser(repeat);
}

/** Reads, proposes, asks the servers, and only then writes: a refused proposal leaves no files. */
async function adopt(flags: Flags, world: World, access: Access): Promise<number> {
  const out = resolve(world.cwd, flags.out);
  if (existsSync(out) && readdirSync(out).length > 0)
    throw new Error(
      `${flags.out} is not empty: choose another folder with --out, or look at this one with --check.`,
    );
  const application = applicationOf(flags);
  const clusters = clustersOf(flags);
  const { readClusters, projectFiles } = await import('../../lib/providers/adopt/index.js');
  const { setIdOf } = await import('../../lib/providers/rollout/index.js');
  const { live, failures } = await readClusters(clusters, selectionOf(flags), access.connect);
  if (failures.length > 0) throw new Refusal(failures.map(toDiagnostic));
  const proposal = proposeAdoption(live, { application, setId: setIdOf({ application }) });
  const notes = skippedFindings(proposal.skipped);
  if (proposal.templates.length === 0)
    return show({ objects: [], diagnostics: notes, files: [] }, proposal, flags, world);

  // The snapshot closes its clients, so it has some of its own.
  const fleet = await withClusters(flags, world, (own) => fleetOf(clusters, world, own));
  const documents = [...proposal.templates, ...proposal.policies, ...proposal.overrides];
  const plan = decide(
    {
      documents: documents.map((object) => ({ object })),
      fleet: { clusters: fleet, observedAt: world.now() },
      now: world.now(),
      options: { application, profile: 'default', target: 'members' },
    },
    [],
    false,
  );
  const found = await preview(
    plan,
    [...notes, ...placementFindings(proposal, plan)],
    flags,
    access,
  );
  const isRefused = found.diagnostics.some(({ severity }) => severity === 'error');
  const files = isRefused
    ? new Map<string, string>()
    : projectFiles(proposal, application, fleet, plan);
  for (const [path, text] of files) writeFileAtomic(join(out, path), text);
  return show({ ...found, files: [...files.keys()] }, proposal, flags, world);
}

/** The folder as people have edited it, against the clusters as they are. */
async function check(flags: Flags, world: World, access: Access): Promise<number> {
  const inside: World = { ...world, cwd: resolve(world.cwd, flags.out) };
  const { input, places } = await gather(
    settle(flags.app === undefined ? {} : { app: flags.app }, inside),
    inside,
  );
  const found = await preview(decide(input, places, false), [], flags, access);
  return show({ ...found, files: [] }, undefined, flags, world);
}

interface Found {
  readonly objects: readonly PreviewedObject[];
  /** Sorted. */
  readonly diagnostics: readonly Diagnostic[];
}

async function preview(
  plan: Plan,
  notes: readonly Diagnostic[],
  flags: Flags,
  { connect }: Access,
): Promise<Found> {
  const { previewPlan } = await import('../../lib/providers/adopt/index.js');
  const { objects, failures } = await previewPlan(plan, connect);
  const restarts = adoptionFindings(objects, { allowRestart: flags.allowRestart === true });
  const diagnostics = [...plan.diagnostics, ...notes, ...failures.map(toDiagnostic), ...restarts];
  return { objects, diagnostics: diagnostics.sort(compareDiagnostics) };
}

/** What people wrote into the project's fleet about these clusters comes along. */
async function fleetOf(
  clusters: readonly string[],
  world: World,
  { connect }: Access,
): Promise<readonly Cluster[]> {
  const { fleet: file } = settle({}, world);
  const known = existsSync(resolve(world.cwd, file))
    ? (readFleet(file, { cwd: world.cwd }).fleet?.clusters ?? [])
    : [];
  const previous = known.filter(({ metadata }) => clusters.includes(metadata.name ?? ''));
  const { snapshotFleet } = await import('../../lib/providers/inventory/index.js');
  const fleet = await snapshotFleet(connect, clusters, { now: world.now(), previous });
  const errors = fleet.diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new Refusal(errors);
  return fleet.clusters;
}

function show(
  { objects, diagnostics, files }: Found & { readonly files: readonly string[] },
  proposal: Proposal | undefined,
  flags: Flags,
  world: World,
): number {
  const isRefused = diagnostics.some(({ severity }) => severity === 'error');
  const skipped = proposal?.skipped ?? [];
  if (flags.json === true)
    world.stdout.write(
      `${JSON.stringify({ schemaVersion: 1, objects, skipped, files, diagnostics }, null, 2)}\n`,
    );
  else
    world.stdout.write(
      `${describeAdoption(objects, skipped)}${outcomeOf(isRefused, files, proposal, flags)}`,
    );
  report(diagnostics, world, flags);
  return isRefused ? 1 : 0;
}

function outcomeOf(
  isRefused: boolean,
  files: readonly string[],
  proposal: Proposal | undefined,
  { out }: Flags,
): string {
  if (proposal?.templates.length === 0) return 'Nothing to adopt.\n';
  if (proposal === undefined) return '';
  if (isRefused) return '\nNothing was written.\n';
  const list = files.map((path) => `+ ${join(out, path)}\n`).join('');
  return `\n${list}Next: cd ${out} && fleetwright up\n`;
}

function clustersOf(flags: Flags): readonly string[] {
  const clusters = new Set([...(flags.context ?? []), ...Object.keys(contextsOf(flags))]);
  if (clusters.size === 0)
    throw new Error('No cluster to read: name contexts with --context or --context-map.');
  return [...clusters].sort();
}

function selectionOf({ namespace, selector, kind, name }: Flags): Selection {
  return {
    namespaces: namespace ?? [],
    ...(selector !== undefined && { labelSelector: selector }),
    kinds: kind ?? [],
    names: name ?? [],
  };
}

function applicationOf({ app, namespace = [] }: Flags): string {
  const [only, ...more] = namespace;
  const application = app ?? (more.length === 0 ? only : undefined);
  if (application === undefined)
    throw new Error('Which application takes over? Name it with --app.');
  if (/^[a-z0-9]([-a-z0-9]{0,51}[a-z0-9])?$/.test(application)) return application;
  throw new Error(
    `--app: expected lower-case letters, digits and "-", at most 53, found "${application}"`,
  );
}

function toDiagnostic({
  code,
  cluster,
  message,
  resource,
}: ReleaseFailure & { readonly cluster: string }): Diagnostic {
  return {
    code,
    severity: 'error',
    summary: message.includes(cluster) ? message : `${cluster}: ${message}`,
    ...(resource !== undefined && { resource }),
  };
}
