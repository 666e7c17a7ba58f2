import { isFields } from './interpret/field.js';

/** The labels of an object. Absent and `null` (an empty `labels:` in YAML) are the same as none. */
export type Labels = Readonly<Record<string, string>>;

/** Kubernetes' LabelSelector. Matches when everything in it does; empty matches every object. */
export interface LabelSelector {
  readonly matchLabels?: Labels | undefined;
  readonly matchExpressions?: readonly LabelExpression[] | undefined;
}

export interface LabelExpression {
  readonly key: string;
  /** `In`, `NotIn`, `Exists` or `DoesNotExist`; anything else makes the selector malformed. */
  readonly operator: string;
  readonly values?: readonly string[] | undefined;
}

export type LabelPredicate = (labels: Labels | null | undefined) => boolean;

/**
 * A predicate for a label selector, by Kubernetes' rules (`LabelSelectorAsSelector`).
 *
 * An absent selector matches nothing, an empty one everything; where absence means something else, ask before calling.
 * `NotIn` and `DoesNotExist` match when the key is missing. A malformed selector matches nothing, as everywhere in
 * Karmada; {@link findLabelSelectorFault} says what is wrong with it.
 *
 * @example compileLabelSelector({ matchLabels: { tier: 'prod' } })({ tier: 'prod', app: 'web' }) // true
 */
export function compileLabelSelector(selector: LabelSelector | null | undefined): LabelPredicate {
  if (selector === undefined || selector === null) return () => false;
  if (findLabelSelectorFault(selector) !== undefined) return () => false;
  const wanted = Object.entries(selector.matchLabels ?? {});
  const expressions = (selector.matchExpressions ?? []).map(compileExpression);
  return (labels) =>
    wanted.every(([key, value]) => valueOf(labels, key) === value) &&
    expressions.every((matches) => matches(labels));
}

/**
 * Why Kubernetes would refuse the selector, or `undefined` when it is well-formed.
 *
 * Selectors in templates come as written, so shapes are looked at too.
 */
export function findLabelSelectorFault(selector: LabelSelector): string | undefined {
  const labels: unknown = selector.matchLabels ?? {};
  const expressions: unknown = selector.matchExpressions ?? [];
  if (!isFields(labels)) return 'matchLabels is not an object';
  if (!Array.isArray(expressions)) return 'matchExpressions is not a list';
  for (const [key, value] of Object.entries(labels)) {
    const fault = faultOfKey(key) ?? faultOfValue(value);
    if (fault !== undefined) return fault;
  }
  for (const expression of expressions as readonly unknown[]) {
    const fault = isFields(expression)
      ? faultOfExpression(expression)
      : 'an expression is not an object';
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function compileExpression({ key, operator, values }: LabelExpression): LabelPredicate {
  const accepted = new Set(values ?? []);
  switch (operator) {
    case 'In':
      return (labels) => {
        const value = valueOf(labels, key);
        return value !== undefined && accepted.has(value);
      };
    case 'NotIn':
      return (labels) => {
        const value = valueOf(labels, key);
        return value === undefined || !accepted.has(value);
      };
    case 'Exists':
      return (labels) => valueOf(labels, key) !== undefined;
    default:
      return (labels) => valueOf(labels, key) === undefined;
  }
}

/** Own members only: a label may be called `constructor`. */
function valueOf(labels: Labels | null | undefined, key: string): string | undefined {
  return labels !== undefined && labels !== null && Object.hasOwn(labels, key)
    ? labels[key]
    : undefined;
}

/** Whether `values` must be given (true) or must not (false). */
const TAKES_VALUES: ReadonlyMap<string, boolean> = new Map([
  ['DoesNotExist', false],
  ['Exists', false],
  ['In', true],
  ['NotIn', true],
]);

function faultOfExpression(expression: Readonly<Record<string, unknown>>): string | undefined {
  const { key, operator } = expression;
  const values = expression['values'] ?? [];
  if (!Array.isArray(values)) return `the values for key "${shown(key)}" are not a list`;
  const takesValues = TAKES_VALUES.get(shown(operator));
  if (takesValues === undefined) {
    return `"${shown(operator)}" is not a valid label selector operator`;
  }
  const name = `key "${shown(key)}"`;
  if (takesValues && values.length === 0)
    return `${shown(operator)} needs at least one value for ${name}`;
  if (!takesValues && values.length > 0)
    return `${shown(operator)} takes no values, ${name} has some`;
  return faultOfKey(key) ?? values.map(faultOfValue).find((fault) => fault !== undefined);
}

const NAME = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

function faultOfKey(key: unknown): string | undefined {
  if (typeof key !== 'string') return `"${shown(key)}" is not a valid label key`;
  const parts = key.split('/');
  const name = parts.at(-1) ?? '';
  const prefix = parts.length > 1 ? parts[0] : undefined;
  const prefixIsFine = prefix === undefined || (prefix.length <= 253 && SUBDOMAIN.test(prefix));
  const isFine = parts.length <= 2 && prefixIsFine && name.length <= 63 && NAME.test(name);
  return isFine ? undefined : `"${key}" is not a valid label key`;
}

function faultOfValue(value: unknown): string | undefined {
  const isFine =
    typeof value === 'string' && (value === '' || (value.length <= 63 && NAME.test(value)));
  return isFine ? undefined : `"${shown(value)}" is not a valid label value`;
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
}
