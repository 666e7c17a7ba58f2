/** Why one edit could not be made. */
export interface Fault {
  /**
   * `missing`: the path leads nowhere. `type`: something else stands there. `syntax`: a text that cannot be parsed.
   * `identity`: what is left is another object.
   */
  readonly kind: 'missing' | 'type' | 'syntax' | 'identity';
  /** JSON pointer of the edit, or what was to be parsed. Never a value of a Secret. */
  readonly path: string;
  readonly message: string;
}

/** The edited value, or why there is none. */
export type Edited<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly fault: Fault };

export function edited<T>(value: T): Edited<T> {
  return { ok: true, value };
}

export function faulty<T>(kind: Fault['kind'], path: string, message: string): Edited<T> {
  return { ok: false, fault: { kind, path, message } };
}

/** Make edits one after the other, each on the result of the one before; the first fault ends it. */
export function editEach<T, E>(
  value: T,
  edits: readonly E[],
  edit: (value: T, with_: E) => Edited<T>,
): Edited<T> {
  let current = value;
  for (const each of edits) {
    const next = edit(current, each);
    if (!next.ok) return next;
    current = next.value;
  }
  return edited(current);
}
