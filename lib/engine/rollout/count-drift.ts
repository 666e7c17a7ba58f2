import { compareStrings, sorted } from '../compare.js';
import { compareDiagnostics, type Diagnostic } from '../diagnostic.js';
import { describeRef, type ObjectRef, refKey } from '../object.js';
import type { Manifest, Plan } from '../plan.js';
import { isOurManager } from './ownership.js';
import type { FieldDrift, ObjectDrift } from './release-drift.js';

/**
 * The plan with what somebody changed on the clusters counted as changes: such an object is an `update` of class `drift`,
 * with who changed which fields. What is shown is then what is applied.
 *
 * Where the policy says `conflictResolution: Abort` and another manager holds the field, the API server would refuse the
 * object in the middle of the rollout: APPLY_CONFLICT here, and the plan is not applicable. Never holds a value.
 *
 * `found` as {@link driftOfRelease} gives it for this plan. A field that only we own is no change of anybody's: the cluster
 * writes it in its own notation, or an earlier run has yet to settle it.
 */
export function countDrift(plan: Plan, found: readonly ObjectDrift[]): Plan {
  const drifted = new Map(
    found.flatMap(({ cluster, resource, fields }) => {
      const others = fieldsOfOthers(fields);
      return others.length === 0 ? [] : [[keyOf(cluster, resource), others] as const];
    }),
  );
  if (drifted.size === 0) return plan;
  const diagnostics = conflicts(plan, drifted);
  return {
    ...plan,
    applicable: plan.applicable && diagnostics.length === 0,
    changes: plan.changes.map((change) => {
      const fields = drifted.get(keyOf(change.cluster, change.resource));
      if (fields === undefined || change.action !== 'none') return change;
      return { ...change, action: 'update', class: 'drift', reason: describeFields(fields) };
    }),
    releases: plan.releases.map((release) => ({
      ...release,
      manifests: release.manifests.map((manifest): Manifest => {
        const isUnseen =
          manifest.action === 'none' && drifted.has(keyOf(release.cluster, manifest.resource));
        return isUnseen ? { ...manifest, action: 'update' } : manifest;
      }),
    })),
    diagnostics: sorted([...plan.diagnostics, ...diagnostics], compareDiagnostics),
  };
}

/** Those that another manager has set, or that nobody owns any more. */
export function fieldsOfOthers(fields: readonly FieldDrift[]): readonly FieldDrift[] {
  return fields.filter(
    ({ managers }) => managers.length === 0 || managers.some((manager) => !isOurManager(manager)),
  );
}

/** `changed on the cluster by "kubectl-edit": .spec.replicas`; a field that nobody owns any more was taken away. */
function describeFields(fields: readonly FieldDrift[]): string {
  const managers = fields.flatMap(({ managers: all }) => all.filter((name) => !isOurManager(name)));
  const by = quoted(managers);
  return `changed on the cluster${by === '' ? '' : ` by ${by}`}: ${fields.map(({ path }) => path).join(', ')}`;
}

function quoted(names: readonly string[]): string {
  return sorted(new Set(names), compareStrings)
    .map((name) => `"${name}"`)
    .join(', ');
}

/** One for each object and set of fields, with all clusters where it is so. */
function conflicts(
  plan: Plan,
  drifted: ReadonlyMap<string, readonly FieldDrift[]>,
): readonly Diagnostic[] {
  const foreign = new Set(
    plan.diagnostics.flatMap(({ code, resource }) =>
      code === 'APPLY_CONFLICT' && resource !== undefined ? [refKey(resource)] : [],
    ),
  );
  const groups = new Map<string, { resource: ObjectRef; what: string; clusters: string[] }>();
  for (const { cluster, manifests } of plan.releases) {
    for (const { resource, conflictResolution, action } of manifests) {
      if (conflictResolution !== 'Abort' || action === 'replace') continue;
      // The object as a whole is somebody else's, which was said.
      if (foreign.has(refKey(resource))) continue;
      const fields = (drifted.get(keyOf(cluster, resource)) ?? []).filter(
        ({ holders = [] }) => holders.length > 0,
      );
      if (fields.length === 0) continue;
      const holders = quoted(fields.flatMap(({ holders: all = [] }) => all));
      const what = `${fields.map(({ path }) => path).join(', ')} ${fields.length === 1 ? 'was' : 'were'} changed there by ${holders}, and the policy does not say that it may be taken back`;
      const key = JSON.stringify([refKey(resource), what]);
      const group = groups.get(key) ?? { resource, what, clusters: [] };
      group.clusters.push(cluster);
      groups.set(key, group);
    }
  }
  return [...groups.values()].map(({ resource, what, clusters }) => ({
    code: 'APPLY_CONFLICT',
    severity: 'error',
    resource,
    summary: `${describeRef(resource)} on ${clusters.join(', ')}: ${what}.`,
    hint: 'Undo the change by hand, leave it for now with `fleetwright up --keep-drift FIELD`, or set `conflictResolution: Overwrite` in the policy to take it back.',
  }));
}

function keyOf(cluster: string, resource: ObjectRef): string {
  return `${cluster} ${refKey(resource)}`;
}
