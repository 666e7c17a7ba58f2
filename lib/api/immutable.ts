type Primitive = string | number | boolean | bigint | null | undefined;

/** `T` with every property and list read-only, at every depth. `unknown` stays as it is. */
export type Immutable<T> = T extends Primitive
  ? T
  : T extends readonly (infer Item)[]
    ? readonly Immutable<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: Immutable<T[Key]> }
      : T;
