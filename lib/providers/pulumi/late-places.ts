import { createHash } from 'node:crypto';
import { canonicalJson } from '../../engine/canonical.js';
import type { Diagnostic } from '../../engine/diagnostic.js';
import type { PlanInput } from '../../engine/input.js';
import type { KubeObject } from '../../engine/object.js';
import { isOf } from '../../engine/object.js';
import type { Plan } from '../../engine/plan.js';
import { MARKS } from '../../engine/plan.js';
import { nameOf, textsIn } from './late-values.js';

/** What the plan reads: placement, division, dependencies, identity. */
const READ = new Set([
  ...['apiVersion', 'kind', 'name', 'generateName', 'namespace', 'labels', 'finalizers'],
  ...['replicas', 'parallelism', 'completions', 'minReplicas', 'maxReplicas', 'minAvailable'],
  ...['selector', 'matchLabels', 'matchExpressions', 'nodeSelector', 'affinity', 'tolerations'],
  ...['topologySpreadConstraints', 'resources', 'requests', 'limits', 'overhead', 'storage'],
  ...['priorityClassName', 'schedulerName', 'nodeName', 'runtimeClassName', 'ownerReferences'],
  ...['secretName', 'claimName', 'serviceAccountName', 'serviceAccount', 'configMapName'],
  ...['scaleTargetRef', 'configMapRef', 'secretRef', 'configMapKeyRef', 'secretKeyRef'],
]);
/** Beside objects' own fields: everything below these is content. */
const CONTENT = new Set(['data', 'stringData', 'binaryData']);
const DECIDING = /(^|\.)(karmada\.io|fleetwright\.dev)$/;

/** Outputs in places that the plan has to read: they cannot be known before it. */
export function judgePlaces(documents: readonly { readonly object: KubeObject }[]): Diagnostic[] {
  return documents.flatMap(({ object }) => {
    if (textsIn(object).length === 0) return [];
    const [group = ''] = object.apiVersion.split('/');
    if (DECIDING.test(group)) return [refusal(nameOf(object), 'all of it is read by the plan')];
    return readPlaces(object, []).map((path) => refusal(nameOf(object), `at .${path.join('.')}`));
  });
}

function readPlaces(value: unknown, path: readonly string[]): string[][] {
  if (typeof value === 'string')
    return textsIn(value).length > 0 && isRead(path) ? [[...path]] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) =>
    textsIn(key).length > 0 ? [[...path, key]] : readPlaces(child, [...path, key]),
  );
}

function isRead(path: readonly string[]): boolean {
  if (CONTENT.has(path[0] ?? '')) return false;
  const annotation = path.indexOf('annotations');
  if (annotation >= 0) {
    const [domain = ''] = (path[annotation + 1] ?? '').split('/');
    return DECIDING.test(domain);
  }
  return path.some((key) => READ.has(key));
}

/**
 * The rest of the proof that nothing depends on them, whatever scripts and overrides read: two plans in which other texts
 * stand in their places must decide the same.
 */
export function judgeInfluence(input: PlanInput, plan: (input: PlanInput) => Plan): Diagnostic[] {
  const texts = textsIn(input.documents);
  if (texts.length === 0) return [];
  const like = (shape: (id: string) => string): string => {
    const standIns = texts.map((text) => [text, shape(idOf(text))] as const);
    const documents = replaceAll(canonicalJson(input.documents), standIns);
    const planned = plan({ ...input, documents: JSON.parse(documents) as PlanInput['documents'] });
    return replaceAll(
      decisionsOf(planned),
      standIns.map(([text, standIn]) => [standIn, text]),
    );
  };
  // As a word, and as an image with registry and tag.
  if (like((id) => id) === like((id) => `${id}.invalid/${id}:${id}`)) return [];
  const names = input.documents
    .filter(({ object }) => textsIn(object).length > 0)
    .map(({ object }) => nameOf(object));
  return [
    refusal(names.join(', '), 'where an override, a script or a rule of the plan reads its value'),
  ];
}

function idOf(text: string): string {
  return `v${createHash('sha256').update(text).digest('hex').slice(0, 20)}`;
}

function replaceAll(text: string, pairs: readonly (readonly [string, string])[]): string {
  return pairs.reduce((result, [from, to]) => result.replaceAll(from, to), text);
}

/** Without what follows from the documents' texts alone: revisions and generations. */
function decisionsOf({ bindings, releases, waves }: Plan): string {
  return canonicalJson([
    bindings.map(({ resource, policy, assignments }) => [resource, policy, assignments]),
    waves,
    releases.map(({ cluster, manifests, deletions }) => [
      cluster,
      deletions,
      manifests.map(({ object, growing }) => [bare(object), growing && bare(growing)]),
    ]),
  ]);
}

function bare(object: KubeObject): KubeObject {
  const {
    [MARKS.revision]: _revision,
    [MARKS.generation]: _generation,
    ...annotations
  } = { ...object.metadata.annotations };
  const metadata = { ...object.metadata, annotations };
  // Data of Secrets is encoded, and no plan reads it.
  return isOf(object, '', 'Secret') ? { ...object, metadata, data: {} } : { ...object, metadata };
}

function refusal(name: string, where: string): Diagnostic {
  return {
    code: 'OUTPUT_IN_DECISION',
    severity: 'error',
    summary: `${name} holds the output of another resource ${where}: it is not known when the plan decides.`,
    hint: 'Give a plain value there; outputs may stand in data, environment variables, arguments, images and other annotations.',
  };
}
