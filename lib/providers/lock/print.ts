import type { FleetLock, LockedBinding, LockedPolicy, Tombstone } from '../../api/fleet-lock.js';
import { canonicalJson } from '../../engine/canonical.js';
import { policyKey } from '../../engine/claim/index.js';
import { compareBy, sorted } from '../../engine/compare.js';
import { type ObjectRef, refKey } from '../../engine/object.js';

/** Order of the fields in a block: what changes often stands together, away from the next block. */
export const BINDING_FIELDS = fieldsInOrder<LockedBinding>({
  resource: true,
  policy: true,
  seed: true,
  placement: true,
  affinity: true,
  decidedAt: true,
  generation: true,
  template: true,
  replicas: true,
  clusters: true,
  followed: true,
  evicting: true,
  render: true,
});

export const POLICY_FIELDS = fieldsInOrder<LockedPolicy>({ policy: true, spec: true });

export const TOMBSTONE_FIELDS = fieldsInOrder<Tombstone>({
  cluster: true,
  since: true,
  resources: true,
});

/** The keys as written; a field that the schema gains must find its place here before this compiles. */
function fieldsInOrder<T>(
  fields: Readonly<Record<keyof T & string, true>>,
): readonly (keyof T & string)[] {
  return Object.keys(fields) as (keyof T & string)[];
}

const HEADER = `# Decisions of Fleetwright: which policy, which clusters, how many. Commit it; do not edit it.
# After a merge conflict keep either side and run \`fleetwright lock\`.
`;

/**
 * The committed form: YAML with one line a field and JSON as values, sorted. Equal locks give equal bytes.
 *
 * One line a field keeps two changed bindings apart for a line-by-line merge, and makes the file fast to read.
 */
export function printLock(lock: FleetLock): string {
  const bindings = sorted(
    lock.bindings,
    compareBy((b) => refKey(b.resource as ObjectRef)),
  );
  const policies = sorted(
    lock.policies ?? [],
    compareBy(({ policy }) => policyKey(policy)),
  );
  const tombstones = sorted(
    lock.tombstones,
    compareBy((t) => t.cluster),
  );
  return [
    HEADER,
    `apiVersion: ${lock.apiVersion}\nkind: ${lock.kind}\n`,
    `metadata: ${canonicalJson(lock.metadata)}\n`,
    `serial: ${lock.serial}\n`,
    ...printBlocks('bindings', bindings, BINDING_FIELDS),
    ...(lock.policies === undefined ? [] : printBlocks('policies', policies, POLICY_FIELDS)),
    ...printBlocks('tombstones', tombstones, TOMBSTONE_FIELDS),
  ].join('');
}

function printBlocks<T extends object>(
  title: string,
  blocks: readonly T[],
  fields: readonly (keyof T & string)[],
): string[] {
  if (blocks.length === 0) return [`${title}: []\n`];
  const lines = blocks.flatMap((block) =>
    fields
      .filter((field) => block[field] !== undefined)
      .map((field, i) => `${i === 0 ? '- ' : '  '}${field}: ${canonicalJson(block[field])}\n`),
  );
  return [`${title}:\n`, ...lines];
}
