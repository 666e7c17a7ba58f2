import { resolve } from 'node:path';
import { lockedClusters } from '../lib/engine/binding.js';
import { type Diagnostic } from '../lib/engine/diagnostic.js';
import type { Fleet, LiveState, PlanInput, SourcedObject } from '../lib/engine/input.js';
import { refKey, refOf } from '../lib/engine/object.js';
import { readLock } from '../lib/providers/lock/index.js';
import { type Place, readFleet, readSources } from '../lib/providers/source/index.js';
import { isCalled, needTemplates } from './flag-values.js';
import { Refusal } from './refusal.js';
import type { Settings } from './settings.js';
import type { World } from './world.js';

/** What a plan needs, and where each document stands. */
export interface Gathered {
  readonly input: PlanInput;
  readonly places: readonly Place[];
  /** Names of all clusters of fleet and lock, also of those that the environment does not see. */
  readonly clusters: readonly string[];
}

/**
 * Read sources, fleet and lock. Everything wrong with any of them is reported at once.
 * Throws a {@link Refusal}: a plan from half of the input would delete the other half.
 */
export async function gather(
  settings: Settings,
  world: World,
  live?: LiveState,
): Promise<Gathered> {
  if (settings.sources.length === 0) throw new Refusal([noSources()]);
  const stdin = settings.sources.includes('-') ? await world.readStdin() : undefined;
  const at = { cwd: world.cwd, ...(stdin !== undefined && { stdin }) };
  const exclude = [
    settings.fleet,
    settings.lock,
    ...(settings.projectFile === undefined ? [] : [settings.projectFile]),
  ];
  const sources = readSources(settings.sources, { ...at, exclude });
  const fleet = readFleet(settings.fleet, at);
  const lock = readLock(resolve(world.cwd, settings.lock), settings.lock);

  const diagnostics = [
    ...sources.diagnostics,
    ...fleet.diagnostics,
    ...(lock.ok ? foreignLock(lock.value, settings) : lock.diagnostics),
  ];
  if (!lock.ok || fleet.fleet === undefined || diagnostics.some((d) => d.severity === 'error')) {
    throw new Refusal(diagnostics);
  }
  needTemplates(settings.reschedule, sources.documents);
  const places = [...sources.places, ...fleet.places];
  const { value } = lock;
  return {
    input: toInput(settings, sources.documents, selectClusters(fleet.fleet, settings), value, live),
    places,
    clusters: [
      ...fleet.fleet.clusters.map(({ metadata }) => metadata.name ?? ''),
      ...(value?.bindings ?? []).flatMap(lockedClusters),
    ],
  };
}

/** The input of a plan from what was read, wherever it was read from. */
export function toInput(
  settings: Settings,
  documents: readonly SourcedObject[],
  fleet: Fleet,
  lock: PlanInput['lock'],
  live?: LiveState,
): PlanInput {
  const application =
    settings.app ?? (lock && applicationOf(lock.metadata.name, settings.env)) ?? 'default';
  return {
    documents,
    fleet,
    ...(lock !== undefined && { lock }),
    ...(live !== undefined && { live }),
    now: settings.now,
    options: {
      application,
      ...(settings.env !== undefined && { environment: settings.env }),
      profile: settings.profile,
      target: settings.target,
      acknowledge: settings.acknowledge,
      ...(settings.reschedule !== undefined && {
        reschedule: toReschedule(settings.reschedule, documents),
      }),
    },
  };
}

/** Another application's lock would make its decisions ours. */
function foreignLock(lock: PlanInput['lock'], { app, env, lock: file }: Settings): Diagnostic[] {
  if (lock === undefined || app === undefined) return [];
  const owner = applicationOf(lock.metadata.name, env);
  if (owner === app) return [];
  return [
    {
      code: 'LOCK_INVALID',
      severity: 'error',
      file,
      summary: `This lock belongs to application "${owner}", not to "${app}".`,
      hint: 'Give the lock of this application with --lock, or correct --app (or "app" in fleetwright.yaml).',
    },
  ];
}

/** The application whose lock bears this name; with an environment the name ends in it. */
export function applicationOf(name: string, environment: string | undefined): string {
  const suffix = `-${environment ?? ''}`;
  return environment !== undefined && name.endsWith(suffix) ? name.slice(0, -suffix.length) : name;
}

/** Environments may see only some clusters of a shared fleet. */
export function selectClusters(fleet: Fleet, { clusterLabels }: Settings): Fleet {
  if (clusterLabels === undefined) return fleet;
  const wanted = Object.entries(clusterLabels);
  const clusters = fleet.clusters.filter(({ metadata }) =>
    wanted.every(([key, value]) => metadata.labels?.[key] === value),
  );
  return { ...fleet, clusters };
}

function toReschedule(
  flag: true | readonly string[],
  documents: readonly SourcedObject[],
): 'all' | readonly string[] {
  if (flag === true) return 'all';
  const chosen = documents.filter(({ object }) => {
    const resource = { namespace: 'default', ...refOf(object) };
    return flag.some((name) => isCalled(resource, name));
  });
  return chosen.map(({ object }) => refKey({ namespace: 'default', ...refOf(object) }));
}

function noSources(): Diagnostic {
  return {
    code: 'SOURCE_MISSING',
    severity: 'error',
    summary: 'Nothing to plan: no templates or policies were given.',
    hint: 'Give files, folders or - with -f, or list them under "sources" in fleetwright.yaml (`fleetwright init` writes one).',
  };
}

/** Applying needs a name that stays: it owns the lock and what is on the clusters. Throws a {@link Refusal}. */
export function needApplication(settings: Settings, input: PlanInput): void {
  if (settings.app !== undefined || input.lock !== undefined) return;
  throw new Refusal([
    {
      code: 'PROJECT_INVALID',
      severity: 'error',
      summary: 'The application has no name, and what is applied would belong to nobody.',
      hint: 'Give one with --app, or as "app" in fleetwright.yaml.',
    },
  ]);
}
