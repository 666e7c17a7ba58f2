import type { Diagnostic } from '../../engine/diagnostic.js';
import { describeRef, type KubeObject, refKey, refOf } from '../../engine/object.js';
import type { Manifest, Plan, Release } from '../../engine/plan.js';
import { failed, ok, type Result } from '../../engine/result.js';
import { printDocuments, printYaml } from '../source/print.js';
import { parseDocuments } from '../source/yaml.js';
import { type Layout, type LayoutOptions, releaseFolder } from './layout.js';
import { LAYOUT_RULES } from './layouts.js';
import { isReadableSecret } from './secret.js';

export interface RenderOptions extends LayoutOptions {
  readonly layout: Layout;
  /** Name of the last wave to write; later ones keep the files they have. Absent: all. */
  readonly throughWave?: string;
  /** The file as it is now, by its path from the root. */
  readonly existing: (path: string) => string | undefined;
}

export interface RenderedFiles {
  /** Path from the root to content; LF, ending in a newline. Sorted by path. */
  readonly files: ReadonlyMap<string, string>;
  /** Folders of releases that wait for a later wave: what is there stays. */
  readonly held: readonly string[];
}

/**
 * The files of a plan: `clusters/<cluster>/<app>/manifest.yaml` and what the layout's tool needs.
 *
 * As long as waves are held back, written releases grow but do not shrink: objects to be deleted stay in the file, and
 * replica counts are the larger of old and new (design §6).
 * Codes: `SECRET_IN_CLEAR`, `FILE_NAME_REFUSED`, `PROJECT_INVALID`.
 */
export function renderFiles(plan: Plan, options: RenderOptions): Result<RenderedFiles> {
  const rule = LAYOUT_RULES[options.layout];
  const last =
    options.throughWave === undefined
      ? plan.waves.length
      : plan.waves.findIndex((w) => w.name === options.throughWave) + 1;
  const diagnostics = [
    ...refuseNames(plan),
    ...refuseSecrets(plan),
    ...refuseOptions(plan, rule.needsRepo, options),
  ];
  if (diagnostics.length > 0) return failed(diagnostics);

  const order = new Map(plan.waves.map((wave, i) => [wave.name, i]));
  const settled = last >= plan.waves.length;
  const written = plan.releases.filter((release) => (order.get(release.wave) ?? 0) < last);
  const files: [string, string][] = [];
  const print = printer();
  for (const release of written) {
    const path = `${releaseFolder(release)}/manifest.yaml`;
    const documents = settled
      ? release.manifests.map((m) => m.object)
      : [
          ...release.manifests.map((m) => m.growing ?? m.object),
          ...leftovers(release, options.existing(path)),
        ];
    files.push([path, documents.map(print).join('---\n')]);
    const wave = plan.waves[order.get(release.wave) ?? -1];
    for (const file of rule.perRelease(release, wave, options))
      files.push([file.path, printDocuments(file.documents)]);
  }
  for (const file of rule.perPlan(plan, options))
    files.push([file.path, printDocuments(file.documents)]);
  const held = plan.releases.filter((release) => !written.includes(release)).map(releaseFolder);
  return ok({ files: new Map(files.sort(([a], [b]) => (a < b ? -1 : 1))), held });
}

/** What many clusters share is printed once: a thousand clusters hold some hundred different objects each. */
function printer(): (object: KubeObject) => string {
  const printed = new Map<KubeObject, string>();
  return (object) => {
    let text = printed.get(object);
    if (text === undefined) printed.set(object, (text = printYaml(object)));
    return text;
  };
}

/** Objects that the plan deletes here, as the file has them. */
function leftovers(release: Release, text: string | undefined): readonly KubeObject[] {
  if (text === undefined || release.deletions.length === 0) return [];
  const doomed = new Set(release.deletions.map((d) => refKey(d.resource)));
  return parseDocuments(text)
    .map((document) => document.value as KubeObject)
    .filter((object) => doomed.has(refKey(refOf(object))));
}

const FILE_NAME = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,251}[A-Za-z0-9])?$/;

function* refuseNames(plan: Plan): Generator<Diagnostic> {
  const names = new Set(
    plan.releases.flatMap((r) => [
      r.cluster,
      r.application,
      ...(r.environment === undefined ? [] : [r.environment]),
    ]),
  );
  for (const name of names) {
    if (FILE_NAME.test(name) && !name.includes('..')) continue;
    yield {
      code: 'FILE_NAME_REFUSED',
      severity: 'error',
      summary: `"${name}" cannot be part of a file name; expected letters, digits, ".", "-" and "_".`,
      hint: 'Rename the cluster, application or environment.',
    };
  }
}

function* refuseSecrets(plan: Plan): Generator<Diagnostic> {
  const seen = new Set<string>();
  for (const { object, resource } of plan.releases.flatMap(
    (release): readonly Manifest[] => release.manifests,
  )) {
    if (!isReadableSecret(object) || seen.has(refKey(resource))) continue;
    seen.add(refKey(resource));
    yield {
      code: 'SECRET_IN_CLEAR',
      severity: 'error',
      summary: `${describeRef(resource)} holds readable data and would be written to the repository.`,
      hint: 'Encrypt it with SOPS, or use a SealedSecret or an ExternalSecret in its place.',
      resource,
      path: ['data' in object ? 'data' : 'stringData'],
    };
  }
}

function* refuseOptions(
  plan: Plan,
  needsRepo: boolean,
  options: RenderOptions,
): Generator<Diagnostic> {
  const { layout, repo, throughWave } = options;
  const refuse = (summary: string, hint: string): Diagnostic => ({
    code: 'PROJECT_INVALID',
    severity: 'error',
    summary,
    hint,
  });
  if (needsRepo && repo === undefined) {
    yield refuse(
      `Layout ${layout} needs the address of the repository.`,
      'Give it with --repo, or as "repo" in fleetwright.yaml.',
    );
  }
  if (throughWave !== undefined && !plan.waves.some((wave) => wave.name === throughWave)) {
    const names = plan.waves.map((wave) => wave.name).join(', ');
    yield refuse(
      `The plan has no wave "${throughWave}"; it has ${names || 'none'}.`,
      'Check --through-wave.',
    );
  }
}
