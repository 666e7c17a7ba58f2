import type { Diagnostic } from '../lib/engine/diagnostic.js';
import type { SourcedObject } from '../lib/engine/input.js';
import type { AggregatedStatusItem, Operation } from '../lib/engine/interpret/index.js';
import { describeRef, type KubeObject, refOf } from '../lib/engine/object.js';
import { isCustomization, type TaughtKinds } from '../lib/providers/lua/index.js';
import { parseDocuments, readSources, readTexts } from '../lib/providers/source/index.js';
import type { Subject } from './interpretation.js';
import { Refusal } from './refusal.js';
import type { World } from './world.js';

/** Flags of `interpret` that say what is asked about. */
export interface SubjectFlags {
  readonly operation?: Operation;
  readonly desired?: string;
  readonly observed?: string;
  readonly items?: string;
  readonly replicas?: number;
}

/** What can be asked about: the one object of a kind that is taught here, where there is one, else all objects. */
export function objectsOf(
  documents: readonly SourcedObject[],
  { interpreters }: TaughtKinds,
): readonly KubeObject[] {
  const objects = documents
    .map(({ object }) => object)
    .filter((object) => !isCustomization(object));
  const isTaught = ({ apiVersion, kind }: KubeObject): boolean =>
    interpreters.some(({ kinds }) =>
      kinds.some((taught) => taught.apiVersion === apiVersion && taught.kind === kind),
    );
  const taught = objects.filter(isTaught);
  return taught.length === 1 ? taught : objects;
}

/** What is asked about: objects with flags of their own, else the one object of `-f`. */
export function readSubject(
  flags: SubjectFlags,
  objects: readonly KubeObject[],
  world: World,
): { readonly subject: Subject; readonly about: KubeObject } {
  const [given, ...more] = flags.desired === undefined ? objects : [];
  if (more.length > 0)
    throw new Error(
      `One object can be asked about at a time; -f gives ${objects.map((o) => describeRef(refOf(o))).join(', ')}.`,
    );
  const desired = flags.desired === undefined ? given : readObject(flags.desired, world);
  const observed = flags.observed === undefined ? undefined : readObject(flags.observed, world);
  const about = desired ?? observed;
  if (about === undefined) throw new Error('There is no object to ask about; give one with -f.');
  const seen = observed ?? (flags.operation === 'Retain' ? undefined : desired);
  return {
    about,
    subject: {
      ...(desired !== undefined && { desired }),
      ...(seen !== undefined && { observed: seen }),
      ...(flags.replicas !== undefined && { replicas: flags.replicas }),
      ...(flags.items !== undefined && { items: readItems(flags.items, world) }),
      now: world.now(),
    },
  };
}

function readObject(file: string, { cwd }: World): KubeObject {
  const { documents, diagnostics } = readSources([file], { cwd });
  refuse(diagnostics);
  const [first, ...more] = documents;
  if (first === undefined || more.length > 0)
    throw new Error(`"${file}" must hold one object, it holds ${documents.length}.`);
  return first.object;
}

/** A list, a stream of items, or a binding with `status.aggregatedStatus`. */
function readItems(file: string, { cwd }: World): readonly AggregatedStatusItem[] {
  const { texts, diagnostics } = readTexts([file], { cwd });
  refuse(diagnostics);
  const values = texts.flatMap(({ text }) => parseDocuments(text)).map(({ value }) => value);
  const items = values.flatMap((value) => itemsIn(value));
  const wrong = items.find(
    (item) => typeof (item as AggregatedStatusItem | null)?.clusterName !== 'string',
  );
  if (wrong !== undefined)
    throw new Error(
      `"${file}" must hold a list of items, each with clusterName, status and health.`,
    );
  return items as readonly AggregatedStatusItem[];
}

function itemsIn(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  const status = (value as { readonly status?: { readonly aggregatedStatus?: unknown } } | null)
    ?.status?.aggregatedStatus;
  return Array.isArray(status) ? status : [value];
}

/** Throws a {@link Refusal} with what was found, if any of it is an error. */
export function refuse(diagnostics: readonly Diagnostic[]): void {
  if (diagnostics.some(({ severity }) => severity === 'error')) throw new Refusal(diagnostics);
}
