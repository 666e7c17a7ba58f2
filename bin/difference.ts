import { formatPatch, structuredPatch } from 'diff';
import { compareBy, inOrder, sorted } from '../lib/engine/compare.js';
import { type KubeObject, type ObjectRef, describeRef, refKey } from '../lib/engine/object.js';
import { MARKS, type Plan } from '../lib/engine/plan.js';
import type { ObjectChange } from '../lib/engine/rollout/index.js';
import { printYaml } from '../lib/providers/source/index.js';

/** One object that differs in the same way on some clusters. */
export interface Difference {
  readonly resource: ObjectRef;
  readonly action: 'create' | 'update' | 'delete';
  /** Sorted. */
  readonly clusters: readonly string[];
  /** Hunks of a unified diff of the YAML, without file names; ends with a newline. */
  readonly patch: string;
}

/**
 * What the clusters would hold after `head` and not after `base`, object by object, equal differences of several clusters
 * as one. Bookkeeping annotations are left out, values of Secrets are hidden. Sorted by object, then first cluster.
 */
export function differences(base: Plan | undefined, head: Plan): Difference[] {
  return compared(objectsOf(base), objectsOf(head));
}

/** {@link differences} of objects that were paired already: what clusters have and what they will have. */
export function differencesOf(changes: readonly ObjectChange[]): Difference[] {
  const side = (name: 'before' | 'after'): Map<string, Held> =>
    held(
      changes.flatMap(({ cluster, resource, [name]: object }) =>
        object === undefined ? [] : [{ cluster, resource, object }],
      ),
    );
  return compared(side('before'), side('after'));
}

function compared(
  before: ReadonlyMap<string, Held>,
  after: ReadonlyMap<string, Held>,
): Difference[] {
  const found = new Map<
    string,
    {
      readonly resource: ObjectRef;
      readonly action: Difference['action'];
      readonly patch: string;
      readonly clusters: string[];
    }
  >();
  const patches = new Map<string, string>();
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const old = before.get(key);
    const now = after.get(key);
    const { resource, cluster } = (now ?? old) as Held; // the key came from one of the two
    const texts = [textOf(old, now, 'before'), textOf(now, old, 'after')] as const;
    if (texts[0] === texts[1]) continue;
    const pair = JSON.stringify(texts);
    const patch = patches.get(pair) ?? patchOf(...texts);
    patches.set(pair, patch);
    const action = old === undefined ? 'create' : now === undefined ? 'delete' : 'update';
    const group = `${refKey(resource)}\n${action}\n${patch}`;
    const entry = found.get(group);
    if (entry === undefined) found.set(group, { resource, action, patch, clusters: [cluster] });
    else entry.clusters.push(cluster);
  }
  const all = [...found.values()].map((d) => ({ ...d, clusters: d.clusters.sort() }));
  return sorted(
    all,
    inOrder(
      compareBy((d) => refKey(d.resource)),
      compareBy((d) => d.clusters[0] ?? ''),
    ),
  );
}

/** `~ Deployment shop/web on eu-1, us-1`. */
export function titleOf({ action, resource, clusters }: Difference): string {
  const sign = { create: '+', update: '~', delete: '-' }[action];
  return `${sign} ${describeRef(resource)} on ${namesOf(clusters)}`;
}

/** `eu-1, us-1`; of more than six clusters the first five, and how many more. */
export function namesOf(clusters: readonly string[]): string {
  return clusters.length <= 6
    ? clusters.join(', ')
    : `${clusters.slice(0, 5).join(', ')} and ${clusters.length - 5} more`;
}

interface Held {
  readonly cluster: string;
  readonly resource: ObjectRef;
  readonly object: KubeObject;
  /** Shared by all clusters that hold the same object; of Secrets without their values. */
  readonly text: string;
}

function objectsOf(plan: Plan | undefined): Map<string, Held> {
  return held(
    (plan?.releases ?? []).flatMap(({ cluster, manifests }) =>
      manifests.map(({ object, resource }) => ({ cluster, object, resource })),
    ),
  );
}

function held(objects: readonly Omit<Held, 'text'>[]): Map<string, Held> {
  const found = new Map<string, Held>();
  const texts = new Map<string, string>();
  for (const { cluster, object, resource } of objects) {
    const content = JSON.stringify(object);
    const text = texts.get(content) ?? printYaml(readable(object));
    texts.set(content, text);
    found.set(`${cluster}/${refKey(resource)}`, { cluster, resource, object, text });
  }
  return found;
}

/** The YAML of one side. Values of a Secret that differ from the other side's say so, and nothing more. */
function textOf(held: Held | undefined, other: Held | undefined, side: string): string {
  if (held === undefined) return '';
  if (!isSecret(held.object) || other === undefined) return held.text;
  return printYaml(readable(held.object, { object: other.object, side }));
}

const BOOKKEEPING: ReadonlySet<string> = new Set(Object.values(MARKS));

interface OtherSide {
  readonly object: KubeObject;
  readonly side: string;
}

/** Without what changes with every change, and without secrets. */
function readable(object: KubeObject, other?: OtherSide): unknown {
  const strip = (
    map: Readonly<Record<string, string>> | undefined,
  ): Record<string, string> | undefined => {
    const kept = Object.entries(map ?? {}).filter(([key]) => !BOOKKEEPING.has(key));
    return kept.length === 0 ? undefined : Object.fromEntries(kept);
  };
  const { labels, annotations } = object.metadata;
  const plain = {
    ...object,
    metadata: { ...object.metadata, labels: strip(labels), annotations: strip(annotations) },
  };
  if (!isSecret(object)) return plain;
  return {
    ...plain,
    data: hide(object, 'data', other),
    stringData: hide(object, 'stringData', other),
  };
}

function isSecret({ apiVersion, kind }: KubeObject): boolean {
  return apiVersion === 'v1' && kind === 'Secret';
}

/** Only whether a value is there and whether it changed: its length or hash could give it away. */
function hide(
  object: KubeObject,
  field: string,
  other: OtherSide | undefined,
): Record<string, string> | undefined {
  const values = object[field];
  if (typeof values !== 'object' || values === null) return undefined;
  const others = (other?.object[field] ?? {}) as Readonly<Record<string, unknown>>;
  const changed = (key: string, value: unknown): boolean =>
    other !== undefined && key in others && others[key] !== value;
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key,
      changed(key, value) ? `(hidden, ${other?.side ?? ''})` : '(hidden)',
    ]),
  );
}

/** Titles with their patches, indented; empty: no differences. */
export function describeDifferences(found: readonly Difference[], color: boolean): string {
  const paint = (line: string): string => {
    if (!color || !/^[-+@]/.test(line)) return line;
    return `\u001b[${line.startsWith('+') ? 32 : line.startsWith('-') ? 31 : 36}m${line}\u001b[39m`;
  };
  return found
    .map(
      (difference) =>
        `${titleOf(difference)}\n${difference.patch
          .split('\n')
          .map((line) => (line === '' ? '' : `    ${paint(line)}`))
          .join('\n')}`,
    )
    .join('\n');
}

function patchOf(before: string, after: string): string {
  const { hunks } = structuredPatch('', '', before, after, '', '', { context: 3 });
  return formatPatch({ hunks, oldFileName: undefined, newFileName: undefined } as never)
    .split('\n')
    .filter((line) => !/^(?:===|---|\+\+\+)/.test(line))
    .join('\n')
    .replace(/\n*$/, '\n');
}
