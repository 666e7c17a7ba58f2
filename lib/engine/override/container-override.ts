import type { ClusterAffinity } from '../../api/placement.js';
import type { KubeObject } from '../../api/object.js';
import type { PlaintextOverrider } from '../../api/overriders.js';
import { fieldAt, fieldsOf, objectAt } from '../interpret/field.js';
import { isOf } from '../object.js';
import type { Edited } from './fault.js';
import { editEach, edited, faulty } from './fault.js';
import { applyPatch } from './json-patch.js';

/** Annotation of an override policy: a JSON list of {@link ContainerOverride}. Karmada keeps it and ignores it. */
export const CONTAINER_OVERRIDES = 'fleetwright.dev/container-overrides';

/** Edits of containers found by name, wherever they stand in their list. */
export interface ContainerOverride {
  /** Absent: all clusters. */
  readonly targetCluster?: ClusterAffinity;
  /** An init container counts too. Absent: every regular container. */
  readonly containerName?: string;
  /** Variables to set: a text, or an object with `valueFrom`; `null` removes one. */
  readonly env?: Readonly<Record<string, unknown>>;
  /** Patch operations; paths begin at the container, e.g. `/resources/limits/memory`. */
  readonly plaintext?: readonly PlaintextOverrider[];
}

/** What the annotation must look like, for people. */
export const CONTAINER_OVERRIDES_FORM =
  'a JSON list such as [{"targetCluster":{"clusterNames":["eu-1"]},"containerName":"web","env":{"LEVEL":"debug"}}]';

/** The list in the annotation; empty without the annotation, `undefined` when it cannot be read. */
export function parseContainerOverrides(
  annotations: Readonly<Record<string, string>> = {},
): readonly ContainerOverride[] | undefined {
  const text = annotations[CONTAINER_OVERRIDES];
  if (text === undefined) return [];
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) && value.length > 0 && value.every(isContainerOverride)
      ? value
      : undefined;
  } catch {
    // Not JSON: the lint reports the text as a whole.
    return undefined;
  }
}

/**
 * Objects without pods stay as they are; one that has pods but no such container is a fault, as is a patch whose path
 * the container does not have.
 */
export function overrideContainers(
  object: KubeObject,
  override: ContainerOverride,
): Edited<KubeObject> {
  const podSpec = POD_SPECS.find((path) => Array.isArray(fieldAt(object, ...path, 'containers')));
  if (podSpec === undefined || (podSpec.length === 1 && !isOf(object, '', 'Pod')))
    return edited(object);
  const { containerName } = override;
  const lists = containerName === undefined ? ['containers'] : ['initContainers', 'containers'];
  const pointers = lists.flatMap((list) =>
    itemsOf(object, podSpec, list)
      .map((container, i) => ({ container, pointer: `/${[...podSpec, list, i].join('/')}` }))
      .filter(
        ({ container }) => containerName === undefined || container['name'] === containerName,
      ),
  );
  if (pointers.length === 0 && containerName !== undefined) {
    return faulty(
      'missing',
      `/${podSpec.join('/')}/containers`,
      `there is no container "${containerName}"`,
    );
  }
  return editEach(object, pointers, (current, { container, pointer }) => {
    const next = editContainer(container, override, pointer);
    if (!next.ok) return next;
    return applyPatch(current, [
      { op: 'replace', path: pointer, value: next.value },
    ]) as Edited<KubeObject>;
  });
}

/** Where pods are described; custom kinds such as CloneSet and Rollout use the same places. */
const POD_SPECS = [
  ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
  ['spec', 'template', 'spec'],
  ['spec'],
] as const;

type Container = Readonly<Record<string, unknown>>;

function itemsOf(object: KubeObject, podSpec: readonly string[], list: string): Container[] {
  const items = fieldAt(object, ...podSpec, list);
  return Array.isArray(items) ? items.map(fieldsOf) : [];
}

function editContainer(
  container: Container,
  { env, plaintext = [] }: ContainerOverride,
  pointer: string,
): Edited<Container> {
  const withEnv = env === undefined ? container : { ...container, env: mergeEnv(container, env) };
  const patched = applyPatch(
    withEnv,
    plaintext.map(({ operator, path, value }) => ({ op: operator, path, value })),
  );
  if (patched.ok) return edited(fieldsOf(patched.value));
  const { kind, path, message } = patched.fault;
  return faulty(kind, `${pointer}${path}`, message);
}

/** A variable keeps its place, since later ones may refer to it; new ones come last, in the order given. */
function mergeEnv(container: Container, env: NonNullable<ContainerOverride['env']>): unknown[] {
  const current = Array.isArray(container['env']) ? container['env'].map(fieldsOf) : [];
  const kept = current.flatMap((variable) => {
    const name = String(variable['name']);
    if (!Object.hasOwn(env, name)) return [variable];
    return env[name] === null ? [] : [variableOf(name, env[name])];
  });
  const known = new Set(current.map(({ name }) => String(name)));
  const added = Object.entries(env)
    .filter(([name, value]) => value !== null && !known.has(name))
    .map(([name, value]) => variableOf(name, value));
  return [...kept, ...added];
}

function variableOf(name: string, value: unknown): object {
  return typeof value === 'string' ? { name, value } : { name, ...fieldsOf(value) };
}

const OPERATORS: ReadonlySet<unknown> = new Set(['add', 'remove', 'replace']);
const FIELDS: ReadonlySet<string> = new Set(['targetCluster', 'containerName', 'env', 'plaintext']);

function isContainerOverride(item: unknown): item is ContainerOverride {
  const { targetCluster, containerName, env, plaintext } = fieldsOf(item);
  return (
    Object.keys(fieldsOf(item)).every((field) => FIELDS.has(field)) &&
    (env !== undefined || plaintext !== undefined) &&
    isMapOrAbsent(targetCluster) &&
    (containerName === undefined || typeof containerName === 'string') &&
    isMapOrAbsent(env) &&
    Object.values(fieldsOf(env)).every(isVariable) &&
    (plaintext === undefined || (Array.isArray(plaintext) && plaintext.every(isPatch)))
  );
}

function isMapOrAbsent(value: unknown): boolean {
  return (
    value === undefined || (typeof value === 'object' && value !== null && !Array.isArray(value))
  );
}

function isVariable(value: unknown): boolean {
  return value === null || typeof value === 'string' || objectAt(value, 'valueFrom') !== undefined;
}

function isPatch(patch: unknown): boolean {
  const { operator, path } = fieldsOf(patch);
  return OPERATORS.has(operator) && typeof path === 'string' && path.startsWith('/');
}
