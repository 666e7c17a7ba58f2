import { join, relative, resolve } from 'node:path';
import type { Profile } from '../lib/engine/input.js';
import type { InputFlags } from './options.js';
import { needCodes } from './flag-values.js';
import { findProject, type LAYOUTS, PROJECT_FILE } from './project.js';
import { Refusal } from './refusal.js';
import type { World } from './world.js';

/** Flags, project file and defaults, settled: flags win over the environment, it over the project, it over defaults. */
export interface Settings {
  /** Paths as to show them: relative to the working directory. `-` is standard input. */
  readonly sources: readonly string[];
  readonly fleet: string;
  readonly lock: string;
  /** The project file, if there is one. */
  readonly projectFile?: string;
  readonly app?: string;
  readonly env?: string;
  readonly clusterLabels?: Readonly<Record<string, string>>;
  readonly profile: Profile;
  readonly target: 'members' | 'karmada' | 'git';
  readonly layout: (typeof LAYOUTS)[number];
  readonly out: string;
  readonly repo?: string;
  readonly revision?: string;
  readonly frozen: boolean;
  readonly acknowledge: readonly string[];
  readonly now: string;
  readonly reschedule?: true | readonly string[];
}

/** Throws a {@link Refusal} for an unknown environment or code, a time that is none, or a broken project file. */
export function settle(flags: InputFlags, world: World): Settings {
  needCodes(flags.acknowledge ?? []);
  const { folder, file, project } = findProject(world.cwd);
  const own = environmentOf(project.environments, flags.env);
  const show = (path: string): string =>
    path === '-' ? path : relative(world.cwd, resolve(folder, path)) || '.';
  const fromProject = (path: string | undefined): string | undefined =>
    path === undefined ? undefined : show(path);
  const defaultLock = flags.env === undefined ? 'fleet.lock.yaml' : `fleet.${flags.env}.lock.yaml`;
  // The lock of the project belongs to no environment: two environments must never share one.
  const projectLock = flags.env === undefined ? project.lock : undefined;
  const target = flags.target ?? project.target ?? 'members';
  const clusterLabels = (own?.clusterSelector ?? project.clusterSelector)?.matchLabels;
  return {
    sources: flags.file ?? (own?.sources ?? project.sources ?? []).map(show),
    fleet: flags.fleet ?? fromProject(own?.fleet ?? project.fleet) ?? show('fleet.yaml'),
    lock: flags.lock ?? fromProject(own?.lock ?? projectLock) ?? show(defaultLock),
    ...(file !== undefined && { projectFile: join(folder, PROJECT_FILE) }),
    ...((flags.app ?? project.app) !== undefined && { app: flags.app ?? project.app }),
    ...(flags.env !== undefined && { env: flags.env }),
    ...(clusterLabels !== undefined && { clusterLabels }),
    // A control plane decides by its own gates, so the plan does too.
    profile: flags.profile ?? project.profile ?? (target === 'karmada' ? 'karmada' : 'default'),
    target,
    layout: project.layout ?? 'plain',
    out: fromProject(own?.out ?? project.out) ?? show('.'),
    ...(project.repo !== undefined && { repo: project.repo }),
    ...(project.revision !== undefined && { revision: project.revision }),
    frozen: flags.frozen ?? isTruthy(world.env['CI']),
    acknowledge: flags.acknowledge ?? [],
    now: timeOf(flags.now, world),
    ...(flags.reschedule !== undefined && { reschedule: flags.reschedule }),
  } as Settings;
}

function environmentOf<T>(
  environments: Readonly<Record<string, T>> | undefined,
  name: string | undefined,
): T | undefined {
  if (name === undefined || environments === undefined) return undefined;
  if (Object.hasOwn(environments, name)) return environments[name];
  const known = Object.keys(environments).sort().join(', ');
  throw new Refusal([
    {
      code: 'PROJECT_INVALID',
      severity: 'error',
      summary: `The project has no environment "${name}"; it has ${known}.`,
      hint: `Add it under "environments" in ${PROJECT_FILE}, or check --env.`,
    },
  ]);
}

function timeOf(flag: string | undefined, world: World): string {
  if (flag === undefined) return world.now();
  if (
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[-+]\d\d:\d\d)$/.test(flag) &&
    !Number.isNaN(Date.parse(flag))
  )
    return flag;
  throw new Error(`--now: expected an RFC 3339 time such as 2026-01-31T12:00:00Z, found "${flag}"`);
}

function isTruthy(value: string | undefined): boolean {
  return value !== undefined && !['', '0', 'false', 'no'].includes(value.toLowerCase());
}
