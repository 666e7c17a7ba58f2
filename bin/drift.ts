import { shortJson } from '../lib/engine/canonical.js';
import { describeRef, type ObjectRef, refKey } from '../lib/engine/object.js';
import type { Plan } from '../lib/engine/plan.js';
import type { FieldDrift, KeptField, ObjectDrift } from '../lib/engine/rollout/index.js';

const SIGN = { missing: '+', differs: '~', unwanted: '-' } as const satisfies Record<
  ObjectDrift['state'],
  string
>;

/**
 * Whether clusters are as planned, and where not. About those that could not be read nothing is said but that.
 * `read`: how many were.
 */
export function describeVerdict(
  found: readonly ObjectDrift[],
  unread: readonly string[],
  read: number,
): string {
  if (unread.length === 0 && found.length === 0) return 'The clusters are as planned.\n';
  if (unread.length === 0) return describeDrift(found);
  if (read === 0) return `No cluster could be read: ${unread.join(', ')}.\n`;
  const verdict =
    found.length === 0 ? 'The clusters that were read are as planned.\n' : describeDrift(found);
  return `${verdict}Not read, so nothing is known of them: ${unread.join(', ')}.\n`;
}

/** What differs between a plan and the clusters, field by field: planned and live value, and who owns the field now. */
function describeDrift(found: readonly ObjectDrift[]): string {
  return found
    .map(({ cluster, resource, state, fields }) => {
      const head = `${SIGN[state]} ${cluster}  ${describeRef(resource)} ${state}`;
      return `${head}${fields.map((field) => `\n    ${describeField(field)}`).join('')}\n`;
    })
    .join('');
}

/**
 * What somebody changed on the clusters and the plan counts as its own changes, field by field; and what differs in
 * notation only, or is left from an earlier run. Empty: nothing. `plan` with its drift counted.
 */
export function describeCorrections(plan: Plan, found: readonly ObjectDrift[]): string {
  const counted = new Set(
    plan.changes.flatMap(({ cluster, resource, action, reason }) =>
      action === 'none' || reason !== undefined ? [keyOf(cluster, resource)] : [],
    ),
  );
  const abort = new Set(
    plan.releases.flatMap(({ cluster, manifests }) =>
      manifests.flatMap(({ resource, conflictResolution }) =>
        conflictResolution === 'Abort' ? [keyOf(cluster, resource)] : [],
      ),
    ),
  );
  const differing = found.filter(
    ({ cluster, resource, state }) => state === 'differs' && counted.has(keyOf(cluster, resource)),
  );
  const isHeld = ({ cluster, resource, fields }: ObjectDrift): boolean =>
    abort.has(keyOf(cluster, resource)) && fields.some(({ holders = [] }) => holders.length > 0);
  return (
    section(
      'Changed on the clusters, set back by this run (or left with --keep-drift FIELD)',
      differing.filter((drift) => !isHeld(drift)),
    ) +
    section(
      'Changed on the clusters by a manager that keeps the field: a conflict, unless the policy has conflictResolution: Overwrite (or left with --keep-drift FIELD)',
      differing.filter(isHeld),
    )
  );
}

function section(title: string, found: readonly ObjectDrift[]): string {
  return found.length === 0 ? '' : `\n${title}\n${describeDrift(found)}`;
}

function keyOf(cluster: string, resource: ObjectRef): string {
  return `${cluster} ${refKey(resource)}`;
}

/** What this run leaves as it is, and wishes that fit nothing; empty when nothing was asked for. */
export function describeKept(kept: readonly KeptField[], unmatched: readonly string[]): string {
  return [
    ...kept.map(
      ({ cluster, resource, path }) => `Kept on ${cluster}: ${describeRef(resource)} ${path}\n`,
    ),
    ...unmatched.map((field) => `--keep-drift ${field}: no such field differs.\n`),
  ].join('');
}

/** `.spec.replicas: 1 planned, 5 live  · kubectl-edit`; of a Secret only the path. */
export function describeField(field: FieldDrift): string {
  const { path, managers } = field;
  const by = managers.length === 0 ? '' : `  · ${managers.join(', ')}`;
  // Secrets have neither value here.
  if (field.planned === undefined) return `${path}${by}`;
  return `${path}: ${describeValue(field.planned)} planned, ${describeValue(field.live)} live${by}`;
}

function describeValue(value: unknown): string {
  return value === undefined ? 'none' : shortJson(value);
}
