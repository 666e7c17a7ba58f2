/**
 * A set of field paths as a trie, in the shape of Kubernetes' `fieldsV1`.
 *
 * A child's key is a path element in its written form: `f:name` for a field, `k:{"name":"web"}` for an item of a keyed
 * list, `v:"x"` for a member of a set. `member` says that the path up to here is itself in the set. Values are
 * immutable; every function returns a new set or one of its arguments.
 */
export interface FieldSet {
  readonly member: boolean;
  readonly children: ReadonlyMap<string, FieldSet>;
}

const NO_CHILDREN: ReadonlyMap<string, FieldSet> = new Map();
export const EMPTY: FieldSet = { member: false, children: NO_CHILDREN };
export const LEAF: FieldSet = { member: true, children: NO_CHILDREN };

export function isEmpty(set: FieldSet): boolean {
  return !set.member && set.children.size === 0;
}

/** A set from its parts; empty children are left out. */
export function fieldSet(
  member: boolean,
  children: Iterable<readonly [string, FieldSet]>,
): FieldSet {
  const kept = new Map<string, FieldSet>();
  for (const [element, child] of children) if (!isEmpty(child)) kept.set(element, child);
  if (kept.size === 0) return member ? LEAF : EMPTY;
  return { member, children: kept };
}

export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (isEmpty(a)) return b;
  if (isEmpty(b)) return a;
  const children = new Map(a.children);
  for (const [element, child] of b.children) {
    const mine = children.get(element);
    children.set(element, mine === undefined ? child : union(mine, child));
  }
  return fieldSet(a.member || b.member, children);
}

export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  const children: [string, FieldSet][] = [];
  for (const [element, child] of a.children) {
    const other = b.children.get(element);
    if (other !== undefined) children.push([element, intersection(child, other)]);
  }
  return fieldSet(a.member && b.member, children);
}

/** Paths of `a` that are not in `b`; what lies below a removed path stays. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  if (isEmpty(b)) return a;
  const children: [string, FieldSet][] = [];
  for (const [element, child] of a.children) {
    const other = b.children.get(element);
    children.push([element, other === undefined ? child : difference(child, other)]);
  }
  return fieldSet(a.member && !b.member, children);
}

export function equalSets(a: FieldSet, b: FieldSet): boolean {
  if (a.member !== b.member || a.children.size !== b.children.size) return false;
  for (const [element, child] of a.children) {
    const other = b.children.get(element);
    if (other === undefined || !equalSets(child, other)) return false;
  }
  return true;
}

/** All member paths, each a list of path elements; at each level members come before what lies below them. */
export function pathsOf(set: FieldSet): string[][] {
  const elements = [...set.children].sort(([a], [b]) => (a < b ? -1 : 1));
  const here = elements.filter(([, child]) => child.member).map(([element]) => [element]);
  const below = elements.flatMap(([element, child]) =>
    pathsOf(child).map((path) => [element, ...path]),
  );
  return [...here, ...below];
}

export function pathSet(path: readonly string[]): FieldSet {
  return path.reduceRight<FieldSet>((child, element) => fieldSet(false, [[element, child]]), LEAF);
}

/** `{"f:spec":{"f:replicas":{}}}`; keys sorted, so that equal sets have equal text. */
export function toFieldsV1(set: FieldSet): Record<string, unknown> {
  // No prototype: a label may be called __proto__.
  const out = Object.create(null) as Record<string, unknown>;
  if (set.member && set.children.size > 0) out['.'] = {};
  for (const element of [...set.children.keys()].sort()) {
    const child = set.children.get(element);
    if (child !== undefined) out[element] = child.children.size === 0 ? {} : toFieldsV1(child);
  }
  return out;
}

export function fromFieldsV1(value: unknown): FieldSet {
  if (typeof value !== 'object' || value === null) return EMPTY;
  const children: [string, FieldSet][] = [];
  for (const [element, child] of Object.entries(value)) {
    if (element === '.') continue;
    const below = fromFieldsV1(child);
    const member = Object.keys(child as object).length === 0 || '.' in (child as object);
    children.push([element, fieldSet(member, below.children)]);
  }
  return fieldSet(false, children);
}

/** `.spec.template.spec.containers[name="web"].image`, as Kubernetes writes paths in messages. */
export function describePath(path: readonly string[]): string {
  return path.map(describeElement).join('');
}

function describeElement(element: string): string {
  const body = element.slice(2);
  if (element.startsWith('f:')) return `.${body}`;
  if (element.startsWith('v:')) return `[=${body}]`;
  if (element.startsWith('i:')) return `[${body}]`;
  const keys = Object.entries(JSON.parse(body) as Record<string, unknown>);
  return `[${keys.map(([key, value]) => `${key}=${JSON.stringify(value)}`).join(',')}]`;
}
