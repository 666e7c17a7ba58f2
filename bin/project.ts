import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import type { Diagnostic } from '../lib/engine/diagnostic.js';
import { parseDocuments } from '../lib/providers/source/index.js';
import { Refusal } from './refusal.js';

export const LAYOUTS = ['plain', 'argocd', 'flux', 'fleet', 'configsync'] as const;

/** What an environment may say differently. */
const environment = z.strictObject({
  sources: z.array(z.string()).min(1).exactOptional(),
  fleet: z.string().exactOptional(),
  lock: z.string().exactOptional(),
  /** Only clusters with these labels belong to the environment. */
  clusterSelector: z
    .strictObject({ matchLabels: z.record(z.string(), z.string()) })
    .exactOptional(),
  out: z.string().exactOptional(),
});

const project = environment.extend({
  /** Owner of the lock and of what is applied. */
  app: z
    .string()
    .regex(
      /^[a-z0-9]([-a-z0-9]{0,51}[a-z0-9])?$/,
      'expected lower-case letters, digits and "-", at most 53',
    )
    .exactOptional(),
  profile: z.enum(['default', 'karmada']).exactOptional(),
  target: z.enum(['members', 'karmada', 'git']).exactOptional(),
  layout: z.enum(LAYOUTS).exactOptional(),
  repo: z.string().exactOptional(),
  revision: z.string().exactOptional(),
  environments: z.record(z.string(), environment).exactOptional(),
});

/** `fleetwright.yaml`: project settings. Everything in it is also a flag; paths are relative to the file. */
export type Project = z.infer<typeof project>;

export const PROJECT_FILE = 'fleetwright.yaml';

export interface FoundProject {
  /** Folder that its paths are relative to: the project file's, else the working directory. */
  readonly folder: string;
  readonly file?: string;
  readonly project: Project;
}

/** The project file in the working directory or the nearest folder above it, up to the repository's root. */
export function findProject(cwd: string): FoundProject {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const file = join(folder, PROJECT_FILE);
    if (existsSync(file))
      return { folder, file, project: parseProject(readFileSync(file, 'utf8'), file) };
    if (existsSync(join(folder, '.git')) || dirname(folder) === folder)
      return { folder: cwd, project: {} };
  }
}

/** Throws a {@link Refusal} with `PROJECT_INVALID`. */
export function parseProject(text: string, file: string): Project {
  const [document] = parseDocuments(text);
  if (document === undefined) return {};
  const refuse = (found: readonly Pick<Diagnostic, 'summary' | 'line' | 'column'>[]): never => {
    const hint = 'See docs/cli.md for the fields of fleetwright.yaml.';
    throw new Refusal(
      found.map((d) => ({ code: 'PROJECT_INVALID', severity: 'error', hint, file, ...d })),
    );
  };
  if (document.problems.length > 0) {
    return refuse(
      document.problems.map(({ message, ...at }) => ({
        summary: `Not valid YAML: ${message}.`,
        ...at,
      })),
    );
  }
  const checked = project.safeParse(document.value);
  if (checked.success) return checked.data;
  return refuse(
    checked.error.issues.map((issue) => {
      const path = issue.path.map(String);
      return {
        summary: `${path.join('.') || 'The file'}: ${issue.message}.`,
        ...document.locate(path),
      };
    }),
  );
}
