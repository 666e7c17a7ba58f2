import type { Command } from 'commander';
import type { FleetLock } from '../../lib/api/fleet-lock.js';
import {
  aggregateStatus,
  type Interpreter,
  interpreterFor,
  itemOf,
  type TemplateStatus,
} from '../../lib/engine/interpret/index.js';
import { describeRef, refKey, refOf } from '../../lib/engine/object.js';
import type { Plan } from '../../lib/engine/plan.js';
import { interpretersFrom } from '../../lib/providers/lua/index.js';
import type { Observation, TemplateObservation } from '../../lib/providers/rollout/index.js';
import { type Access, withClusters } from '../access.js';
import { type KarmadaFlags, karmadaContextOption } from '../karmada.js';
import { showOnControlPlane } from '../karmada-status.js';
import { describeUnfinished } from '../destroy-report.js';
import { describeField } from '../drift.js';
import { type Gathered, gather, needApplication } from '../gather.js';
import {
  type AccessFlags,
  type InputFlags,
  type OutputFlags,
  withAccess,
  withExample,
  withInputs,
  withOutput,
} from '../options.js';
import { withDrift } from '../observed-drift.js';
import type { Outcome } from '../outcome.js';
import { decide } from '../planning.js';
import { printable } from '../printable.js';
import { describeRolledBackClusters } from '../rollback-report.js';
import { settle } from '../settings.js';
import { describeTemplates } from '../template-lines.js';
import { describeWaiting, type WaitingWave, waitingWaves } from '../waiting-waves.js';
import type { World } from '../world.js';

type Flags = InputFlags & AccessFlags & OutputFlags & KarmadaFlags;

export function addStatus(program: Command, world: World, outcome: Outcome): void {
  const command = program
    .command('status')
    .description('show how every object does on its clusters: generation, observed, health')
    .addOption(karmadaContextOption())
    .action(async (flags: Flags) => {
      outcome.code = await withClusters(flags, world, (access) =>
        showStatus(flags, world, access, outcome.args),
      );
    });
  withExample(
    withOutput(
      withAccess(withInputs(command, { unread: ['frozen', 'acknowledge', 'reschedule'] })),
    ),
    'fleetwright status -f karmada/ --app nginx',
  );
}

interface Row {
  readonly observation: TemplateObservation;
  /** Our observed generation, and what Karmada would report and write to the template. */
  readonly status: TemplateStatus;
}

/** 0 when everything is observed and ready everywhere, or destroyed; else 1. */
async function showStatus(
  flags: Flags,
  world: World,
  access: Access,
  args: readonly string[],
): Promise<number> {
  const settings = settle(flags, world);
  const gathered = await gather(settings, world);
  needApplication(settings, gathered.input);
  if (isEmptied(gathered.input.lock)) return showDestroyed(flags, world, settings.lock);
  if (settings.target === 'karmada')
    return showOnControlPlane({ flags, world, access, args }, settings, gathered);
  const plan = decide(gathered.input, gathered.places, false);
  const { observe, readRolledBack, readUnfinishedDestroy } =
    await import('../../lib/providers/rollout/index.js');
  const custom = interpretersFrom(gathered.input.documents, settings.now).interpreters;
  const observations = await observe(plan, access.connect, {
    status: (object) => itemOf({ cluster: '', object }, interpreterFor(object, custom)).status,
    health: (object) =>
      itemOf({ cluster: '', object }, interpreterFor(object, custom)).health ?? 'Unknown',
    interpreters: custom,
  });
  // As in the report of `up`: a namespace that only goes along with others is no template.
  const placed = new Set(plan.bindings.map(({ resource }) => refKey(resource)));
  const templates = await withDrift(
    observations.filter(({ resource }) => placed.has(refKey(resource))),
    plan,
    access.connect,
    custom,
  );
  const rows = templates.map((observation) => ({
    observation,
    status: aggregate(observation, gathered, settings.now, custom),
  }));
  const clusters = plan.releases.map(({ cluster }) => cluster);
  const unfinished = await readUnfinishedDestroy(plan, clusters, access.connect);
  const behind = rows.flatMap(({ observation }) =>
    observation.clusters.flatMap((c) => (c.isCurrent || c.error !== undefined ? [] : [c.cluster])),
  );
  const rolledBack = await readRolledBack(plan, new Set(behind), access.connect);
  const waiting = await waitingWaves(plan, templates, access.connect, args);
  const isReady =
    unfinished.length === 0 &&
    rows.every(({ observation }) => observation.clusters.every((c) => c.ready));
  if (flags.json === true)
    world.stdout.write(
      `${JSON.stringify({ schemaVersion: 1, ready: isReady, ...(unfinished.length > 0 && { unfinishedDestroy: unfinished }), ...(rolledBack.length > 0 && { rolledBack }), ...(waiting.length > 0 && { waiting }), templates: rows.map(toJson) }, null, 2)}\n`,
    );
  else
    world.stdout.write(
      (rows.length === 0 ? 'Nothing is placed anywhere.\n' : describeRows(rows, plan, waiting)) +
        describeRolledBackClusters(rolledBack)
          .map((line) => `\n${line}\n`)
          .join('') +
        describeWaiting(waiting) +
        describeUnfinished(unfinished),
    );
  return isReady ? 0 : 1;
}

/** A lock that once held decisions and holds none: what `destroy` leaves. Objects of the templates are then not missing. */
function isEmptied(lock: FleetLock | undefined): boolean {
  return lock !== undefined && lock.serial > 0 && lock.bindings.length === 0;
}

/** As it was meant to be: 0, although nothing is ready. */
function showDestroyed(flags: Flags, world: World, lock: string): number {
  world.stdout.write(
    flags.json === true
      ? `${JSON.stringify({ schemaVersion: 1, ready: false, destroyed: true, templates: [] }, null, 2)}\n`
      : `Destroyed: ${lock} places nothing on any cluster any more. \`fleetwright up\` brings it back.\n`,
  );
  return 0;
}

function aggregate(
  { resource, generation, clusters }: TemplateObservation,
  { input }: Gathered,
  now: string,
  custom: readonly Interpreter[],
): TemplateStatus {
  const key = refKey(resource);
  const documents = input.documents.map((d) => d.object);
  const template = documents.find(
    (object) =>
      refKey({ namespace: 'default', ...refOf(object) }) === key || refKey(refOf(object)) === key,
  ) ?? { ...resource, metadata: { name: resource.name } };
  const members = clusters.map(({ cluster, object, error }) => ({
    cluster,
    ...(object !== undefined && { object }),
    ...(error !== undefined && { failure: error }),
  }));
  return aggregateStatus({
    template,
    generation: Math.max(1, generation),
    members,
    interpreter: interpreterFor(resource, custom),
    now,
  });
}

function describeRows(rows: readonly Row[], plan: Plan, waiting: readonly WaitingWave[]): string {
  const held = new Map(
    waiting.flatMap(({ wave, clusters }) => clusters.map((cluster) => [cluster, wave] as const)),
  );
  const names = rows.flatMap(({ observation }) => observation.clusters.map((c) => c.cluster));
  const width = Math.max(0, ...names.map((name) => name.length));
  const workloads = new Set(
    plan.bindings.flatMap(({ resource, replicas }) =>
      replicas === undefined ? [] : [refKey(resource)],
    ),
  );
  const lines = describeTemplates(
    rows.map(({ observation: { resource, clusters }, status: { generation } }) => ({
      name: describeRef(resource),
      isWorkload: workloads.has(refKey(resource)),
      generation,
      observed: clusters.filter((c) => c.ready || (c.observedGeneration ?? -1) >= generation)
        .length,
      ready: clusters.filter((c) => c.ready).length,
      total: clusters.length,
      details: clusters
        .filter((c) => !c.ready)
        .flatMap((c) => describeOpen(c, width, held.get(c.cluster))),
    })),
  );
  return `${lines.join('\n')}\n`;
}

/** Why an object is not ready on one cluster, and what was changed on it. */
function describeOpen(
  { cluster, isCurrent, item, waitingFor, drift = [] }: Observation,
  width: number,
  heldWave: string | undefined,
): readonly string[] {
  const what =
    isCurrent || heldWave === undefined ? waitingFor : `the approval of wave ${heldWave}`;
  const drifted = drift.length === 0 ? '' : ' · drifted';
  return [
    `  ${cluster.padEnd(width)}  ${item.health ?? 'Unknown'}${drifted} · waits for ${printable(what)}`,
    ...drift.map((field) => `    ${printable(describeField(field))}`),
  ];
}

function toJson({ observation, status }: Row): object {
  return {
    resource: observation.resource,
    generation: status.generation,
    observedGeneration: status.observedGeneration,
    behind: status.behind,
    ...(status.karmada !== undefined && { karmada: status.karmada }),
    clusters: observation.clusters.map(({ object: _object, ...rest }) => rest),
  };
}
