import { fieldsOf, isFields } from '../interpret/field.js';

/** One item of a list of named things, such as a container. */
export interface ItemName {
  readonly name: string;
}

/** Where a field is in an object: members of maps by name, items of lists of named things by theirs. Plain data. */
export type FieldPath = readonly (string | ItemName)[];

/** The value at a path; `undefined` where the path ends early. */
export function valueAt(value: unknown, path: FieldPath): unknown {
  return path.reduce<unknown>((current, step) => {
    if (typeof step === 'string') return fieldsOf(current)[step];
    return Array.isArray(current) ? current.find((item) => isNamed(item, step.name)) : undefined;
  }, value);
}

/** A copy with the value at a path; maps and items on the way are made, everything else is shared. */
export function withValueAt<T>(value: T, path: FieldPath, at: unknown): T {
  // What comes back has the shape of what went in, with one field more or other than before.
  return put(value, path, at) as T;
}

/** A copy without the value at a path, and without maps that are empty without it; the value itself when there is none. */
export function withoutValueAt<T extends object>(value: T, path: FieldPath): T {
  return (cut(value, path) ?? value) as T;
}

function put(value: unknown, [step, ...rest]: FieldPath, at: unknown): unknown {
  if (step === undefined) return at;
  if (typeof step === 'string') {
    const fields = fieldsOf(value);
    return { ...fields, [step]: put(fields[step], rest, at) };
  }
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  const index = list.findIndex((item) => isNamed(item, step.name));
  return index < 0
    ? [...list, put({ name: step.name }, rest, at)]
    : list.with(index, put(list[index], rest, at));
}

/** `undefined`: nothing is left of it. */
function cut(value: unknown, [step, ...rest]: FieldPath): unknown {
  if (step === undefined) return undefined;
  if (typeof step === 'string') {
    if (!isFields(value) || !Object.hasOwn(value, step)) return value;
    const { [step]: below, ...others } = value;
    const left = cut(below, rest);
    if (left !== undefined) return left === below ? value : { ...others, [step]: left };
    return Object.keys(others).length === 0 ? undefined : others;
  }
  if (!Array.isArray(value)) return value;
  return value.flatMap((item: unknown) => {
    const left = isNamed(item, step.name) ? cut(item, rest) : item;
    return left === undefined ? [] : [left];
  });
}

export function isNamed(value: unknown, name: string): boolean {
  return isFields(value) && value['name'] === name;
}
