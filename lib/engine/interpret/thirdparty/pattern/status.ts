import type { KubeObject } from '../../../../api/object.js';
import { countAt, fieldAt, fieldsOf, objectAt } from '../../field.js';
import type { AggregatedStatusItem } from '../../interpreter.js';
import { pickFields, reporting } from '../../aggregate/counters.js';
import { TEMPLATE_GENERATION } from '../../aggregate/generation.js';
import { withoutEmpty } from './answer.js';

type Items = readonly AggregatedStatusItem[] | undefined;

/** A reflector of the named status fields; `{}` without a status. */
export function reflect(
  ...fields: readonly string[]
): (object: KubeObject) => Record<string, unknown> {
  return (object) => withoutEmpty(pickFields(fieldAt(object, 'status'), fields));
}

/**
 * The same with the two generations. Unlike the built-in kinds a missing or unreadable annotation just leaves its field
 * out (lifecycle reference §5.2, GENREF).
 */
export function reflectWithGeneration(
  ...fields: readonly string[]
): (object: KubeObject) => Record<string, unknown> {
  return (object) => {
    if (fieldAt(object, 'status') === undefined) return {};
    const text = String(
      fieldAt(object, 'metadata', 'annotations', TEMPLATE_GENERATION) ?? '',
    ).trim();
    const carried = Number(text);
    const generation = fieldAt(object, 'metadata', 'generation');
    return withoutEmpty({
      ...pickFields(fieldAt(object, 'status'), fields),
      ...(generation !== undefined && { generation }),
      ...(text !== '' && Number.isFinite(carried) && { resourceTemplateGeneration: carried }),
    });
  };
}

/** What a kind makes of its members' statuses. */
export interface Aggregation {
  /** Summed. */
  readonly counters?: readonly string[];
  /** The last text that is not empty, else `""`. */
  readonly texts?: readonly string[];
  /** Anything else; `undefined` when there is no item list. Fields that are `undefined` leave the template's alone. */
  readonly rest?: (
    items: readonly AggregatedStatusItem[],
    template: KubeObject,
  ) => Record<string, unknown>;
  /** Fields, besides counters, that are set when there is no item list. */
  readonly initial?: Readonly<Record<string, unknown>>;
}

/**
 * An aggregator that knows generations (lifecycle reference §5.2, GEN): `observedGeneration` becomes the template's when
 * every item has exactly it and its controller has seen it, else it stays. Without an item list it becomes the template's too,
 * and the counters zero.
 */
export function aggregateWithGeneration(
  aggregation: Aggregation,
): (template: KubeObject, items: Items) => KubeObject {
  const { counters = [], rest, texts = [] } = aggregation;
  return (template, items) => {
    const { generation = 0 } = template.metadata;
    const all = (items ?? []).every(({ status }) => hasSeen(status, generation));
    const observedGeneration = all ? generation : countAt(template, 'status', 'observedGeneration');
    const status =
      items === undefined
        ? { ...zeros(counters), ...aggregation.initial }
        : { ...sums(items, counters), ...lastTexts(items, texts), ...rest?.(items, template) };
    return withStatus(
      { ...template, metadata: { ...template.metadata, generation } },
      { ...objectAt(template, 'status'), ...status, observedGeneration },
    );
  };
}

/** The template with another status, as a script returns it. */
export function withStatus(
  template: KubeObject,
  status: Readonly<Record<string, unknown>>,
): KubeObject {
  return withoutEmpty({ ...template, status });
}

/** With a single item its status is the template's, as it is (lifecycle reference §5.2, ONE). */
export function soleStatus(
  template: KubeObject,
  items: readonly AggregatedStatusItem[],
): KubeObject | undefined {
  const [item] = items;
  if (items.length !== 1 || item === undefined) return undefined;
  return withStatus(template, fieldsOf(item.status));
}

/** Sums of counters over the items that report. */
export function sums(
  items: readonly AggregatedStatusItem[],
  counters: readonly string[],
): Record<string, number> {
  const total = zeros(counters);
  for (const { status } of reporting(items)) {
    for (const name of counters) total[name] = (total[name] ?? 0) + countAt(status, name);
  }
  return total;
}

/** The last value of each name that is not empty; else what `start` has, by default `""`. */
export function lastTexts(
  items: readonly AggregatedStatusItem[],
  names: readonly string[],
  start: Readonly<Record<string, unknown>> = blanks(names),
): Record<string, unknown> {
  const texts: Record<string, unknown> = pickFields(start, names);
  for (const { status } of reporting(items)) {
    for (const name of names) {
      const value = fieldAt(status, name);
      if (value !== undefined && value !== '') texts[name] = value;
    }
  }
  return texts;
}

/** Each name with an empty text. */
export function blanks(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, '']));
}

/** The value of a field at the last item that has one. */
export function lastOf(items: readonly AggregatedStatusItem[], name: string): unknown {
  return reporting(items)
    .map(({ status }) => fieldAt(status, name))
    .findLast((value) => value !== undefined);
}

function hasSeen(status: unknown, generation: number): boolean {
  return (
    countAt(status, 'resourceTemplateGeneration') === generation &&
    countAt(status, 'generation') === countAt(status, 'observedGeneration')
  );
}

function zeros(counters: readonly string[]): Record<string, number> {
  return Object.fromEntries(counters.map((name) => [name, 0]));
}
