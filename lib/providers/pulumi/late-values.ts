import { createHash } from 'node:crypto';
import * as pulumi from '@pulumi/pulumi';
import { canonicalJson } from '../../engine/canonical.js';
import type { KubeObject } from '../../engine/object.js';
import { describeRef, refOf } from '../../engine/object.js';
import type { Release } from '../../engine/plan.js';
import { MARKS } from '../../engine/plan.js';

/**
 * Values of other resources, known only while Pulumi runs. The plan sees a text that stands for each; the value takes its
 * place when the release is registered. One table per process, since a program is one process and constructs know no other way.
 */
const outputs = new Map<string, pulumi.Output<unknown>>();

const TOKEN = /fleetwright-output-[0-9a-f]{10}/g;

/** What a value turned out to be. */
export interface LateValue {
  readonly value: unknown;
  readonly isSecret: boolean;
}

export type LateValues = Readonly<Record<string, LateValue>>;

/**
 * A text that stands for an output of another resource: for constructs and wherever else only text fits. It may be part of
 * a longer text. In `documents`, outputs may stand as they are.
 *
 * `name` tells it apart and must not change from run to run; the same name with another output replaces it.
 */
export function outputText(name: string, value: pulumi.Input<string | number>): string {
  const token = `fleetwright-output-${createHash('sha256').update(name).digest('hex').slice(0, 10)}`;
  outputs.set(token, pulumi.output(value));
  return token;
}

/** The document with a text in the place of every output; the same places give the same texts in every run. */
export function withTexts(document: object, at: string): object {
  const walk = (value: unknown, path: string): unknown => {
    if (pulumi.Output.isInstance(value)) return outputText(path, value as pulumi.Output<string>);
    if (Array.isArray(value)) return value.map((item, i) => walk(item, `${path}/${i}`));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, child]) => [key, walk(child, `${path}/${key}`)]),
    );
  };
  return walk(document, at) as object;
}

/** The texts that stand for outputs in a value, sorted; also in what is encoded, as the data of Secrets is. */
export function textsIn(value: unknown): readonly string[] {
  if (outputs.size === 0) return [];
  const found = new Set<string>();
  const walk = (part: unknown): void => {
    if (typeof part === 'string') {
      for (const text of (decoded(part) ?? part).match(TOKEN) ?? [])
        if (outputs.has(text)) found.add(text);
    } else if (typeof part === 'object' && part !== null) {
      for (const [key, child] of Object.entries(part)) {
        walk(key);
        walk(child);
      }
    }
  };
  walk(value);
  return [...found].sort();
}

/** The text behind base64 that holds one of ours; `undefined`: it is none. */
function decoded(text: string): string | undefined {
  if (text.length < 40 || !/^[A-Za-z0-9+/]+=*$/.test(text)) return undefined;
  const plain = Buffer.from(text, 'base64').toString('utf8');
  return plain.search(TOKEN) < 0 ? undefined : plain;
}

/** The values behind these texts; a secret one makes all of them secret. */
export function valuesOf(texts: readonly string[]): pulumi.Output<LateValues> {
  const entries = texts.map((text) => {
    const output = outputs.get(text) ?? pulumi.output(text);
    const value = pulumi.all([output, pulumi.isSecret(output)]);
    return [text, value.apply(([known, isSecret]): LateValue => ({ value: known, isSecret }))];
  });
  return pulumi.all(Object.fromEntries(entries) as Record<string, pulumi.Output<LateValue>>);
}

/** A value with the outputs in it, for resources of other providers. */
export function withOutputs(value: unknown): unknown {
  if (typeof value === 'string') {
    const texts = textsIn(value);
    return texts.length === 0 ? value : valuesOf(texts).apply((values) => fillIn(value, values));
  }
  if (Array.isArray(value)) return value.map(withOutputs);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, v]) => [key, withOutputs(v)]));
}

/** The release with its values; the revision of an object covers them, since the object is not the same without. */
export function fillInRelease(release: Release, values: LateValues): Release {
  const manifests = release.manifests.map((manifest) => {
    const texts = textsIn([manifest.object, manifest.growing]);
    if (texts.length === 0) return manifest;
    const content = [manifest.revision, texts.map((text) => values[text]?.value)];
    const digest = createHash('sha256').update(canonicalJson(content)).digest('hex');
    const revision = digest.slice(0, manifest.revision.length);
    const { object, growing } = manifest;
    return {
      ...manifest,
      revision,
      object: marked(fillIn(object, values), revision),
      ...(growing !== undefined && { growing: marked(fillIn(growing, values), revision) }),
    };
  });
  return { ...release, manifests };
}

function fillIn<T>(value: T, values: LateValues): T {
  // The casts restore what was walked: same shape, other leaves.
  if (typeof value === 'string') {
    const whole = values[value];
    if (whole !== undefined) return whole.value as T;
    const plain = decoded(value);
    if (plain !== undefined)
      return Buffer.from(asText({ value: fillIn(plain, values), isSecret: false }, plain)).toString(
        'base64',
      ) as T;
    return value.replace(TOKEN, (text) => asText(values[text], text)) as T;
  }
  if (Array.isArray(value)) return value.map((item: unknown) => fillIn(item, values)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [key, fillIn(child as unknown, values)]),
  ) as T;
}

function asText(late: LateValue | undefined, text: string): string {
  if (late === undefined) return text;
  return typeof late.value === 'string' ? late.value : canonicalJson(late.value);
}

function marked(object: KubeObject, revision: string): KubeObject {
  const annotations = { ...object.metadata.annotations, [MARKS.revision]: revision };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

/** For messages: `Deployment shop/web`. */
export function nameOf(object: KubeObject): string {
  return describeRef(refOf(object));
}
