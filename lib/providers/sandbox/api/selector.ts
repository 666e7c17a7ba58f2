import { isObject, objectAt, type JsonObject } from '../merge/json.js';
import { badRequest } from './status.js';

export type Matches = (object: JsonObject) => boolean;

const REQUIREMENT =
  /^\s*(!?)\s*([A-Za-z0-9][\w./-]*)\s*(?:(==|=|!=|>|<)\s*([^\s,()]*)|\s+(in|notin)\s*\(([^)]*)\))?\s*$/;

/** A label selector as in the `labelSelector` parameter: `app=web,tier in (a,b),!canary`. Bad syntax is a 400. */
export function labelSelector(text: string | null): Matches {
  if (text === null || text.trim() === '') return () => true;
  const parts = text.split(/,(?![^(]*\))/).map(requirement);
  return (object) => {
    const labels = objectAt(object, 'metadata', 'labels');
    return parts.every((matches) => matches(labels));
  };
}

/** A field selector: `metadata.name=web,status.phase!=Running`. Any field may be named. */
export function fieldSelector(text: string | null): Matches {
  if (text === null || text.trim() === '') return () => true;
  const parts = text.split(',').map((part) => {
    const match = /^\s*([\w.]+)\s*(==|=|!=)\s*(.*?)\s*$/.exec(part);
    if (match === null) throw badRequest(`invalid field selector: ${part}`);
    const [, path = '', operator, value = ''] = match;
    return (object: JsonObject): boolean =>
      (textAt(object, path) === value) === (operator !== '!=');
  });
  return (object) => parts.every((matches) => matches(object));
}

/** A `LabelSelector` document, as workloads have it. An empty one matches everything, an absent one nothing. */
export function matchesSelector(selector: unknown, labels: JsonObject): boolean {
  if (!isObject(selector)) return false;
  const wanted = Object.entries(objectAt(selector, 'matchLabels')).every(
    ([key, value]) => labels[key] === value,
  );
  const expressions = selector['matchExpressions'];
  if (!wanted || !Array.isArray(expressions)) return wanted;
  return expressions.filter(isObject).every((expression) => {
    const value = labels[String(expression['key'])];
    const values = Array.isArray(expression['values']) ? (expression['values'] as unknown[]) : [];
    switch (expression['operator']) {
      case 'In':
        return values.includes(value);
      case 'NotIn':
        return !values.includes(value);
      case 'Exists':
        return value !== undefined;
      default:
        return value === undefined;
    }
  });
}

function requirement(text: string): (labels: JsonObject) => boolean {
  const match = REQUIREMENT.exec(text);
  if (match === null) {
    const operand = /\s(?:in|notin)\s+([^\s(]+)/.exec(text)?.[1];
    const found = operand === undefined ? `'${text.trim()}'` : `'${operand}' expected: '('`;
    throw badRequest(`unable to parse requirement: found ${found}`);
  }
  const [, not, key = '', operator, value = '', set, members = ''] = match;
  const values = members.split(',').map((member) => member.trim());
  return (labels) => {
    const seen = labels[key];
    if (set === 'in') return typeof seen === 'string' && values.includes(seen);
    if (set === 'notin') return seen === undefined || !values.includes(String(seen));
    if (operator === '!=') return seen !== value;
    if (operator === '>') return Number(seen) > Number(value);
    if (operator === '<') return Number(seen) < Number(value);
    if (operator !== undefined) return seen === value;
    return (seen === undefined) === (not === '!');
  };
}

function textAt(object: JsonObject, path: string): string {
  const value = path
    .split('.')
    .reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), object);
  return value === undefined || value === null ? '' : String(value);
}
