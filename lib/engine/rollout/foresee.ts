import type { Diagnostic } from '../diagnostic.js';
import type { Difference } from '../diff.js';
import { isAcknowledged, isNamed } from '../guard.js';
import type { LiveIndex } from '../live-index.js';
import type { KubeObject } from '../object.js';
import { describeRef, flagName } from '../object.js';
import { isPrecious } from '../order.js';
import { applicationMark } from '../plan.js';
import type { Rendered, RenderedContent } from '../rendered.js';
import type { Snapshot } from '../snapshot.js';
import { applySetId } from './apply-set.js';
import { invalidHints, isWaived, mayBeReplaced, OBJECT_HINTS } from './object-hints.js';
import { isFreeFor, ownershipOf } from './ownership.js';
import { immutableChanges } from './immutable.js';

/**
 * What clusters would answer, said before anything is written: objects of somebody else (APPLY_CONFLICT), fields that cannot
 * change in place (FIELD_IMMUTABLE), objects that must not be deleted (DELETION_PROTECTED). Needs live state; without it only
 * the hints on templates are looked at (GATE_WAIVED, HINT_INVALID). At most one finding per object and cluster.
 */
export function foresee(
  snapshot: Snapshot,
  { manifests }: Pick<Rendered, 'manifests'>,
  differences: readonly Difference[],
  live: LiveIndex,
): { readonly diagnostics: readonly Diagnostic[] } {
  return {
    diagnostics: [...hintFindings(manifests), ...liveFindings(snapshot, differences, live)],
  };
}

/** Once for each object, wherever it goes. */
function* hintFindings(manifests: Rendered['manifests']): Generator<Diagnostic> {
  const seen = new Set<KubeObject>();
  const said = new Set<string>();
  let last: RenderedContent | undefined;
  for (const { content } of manifests) {
    // Neighbours are the same object on two clusters, most of them.
    if (content === last) continue;
    last = content;
    const { object, resource, key } = content;
    if (object.metadata.annotations === undefined || seen.has(object)) continue;
    seen.add(object);
    const found = [
      ...(isWaived(object) ? [waived(resource)] : []),
      ...invalidHints(object).map((hint) => invalid(resource, hint)),
    ];
    for (const diagnostic of found) {
      const id = `${key} ${diagnostic.summary}`;
      if (said.has(id)) continue;
      said.add(id);
      yield diagnostic;
    }
  }
}

function waived(resource: Difference['resource']): Diagnostic {
  return {
    code: 'GATE_WAIVED',
    severity: 'info',
    resource,
    path: ['metadata', 'annotations', OBJECT_HINTS.readiness],
    summary: `${describeRef(resource)} is not waited for: its annotation ${OBJECT_HINTS.readiness} is "ignore".`,
    hint: 'Remove the annotation when gates shall wait for it again.',
  };
}

function invalid(
  resource: Difference['resource'],
  { key, value, allowed }: ReturnType<typeof invalidHints>[number],
): Diagnostic {
  const seen = value.length > 80 ? `${value.slice(0, 80)}…` : value;
  return {
    code: 'HINT_INVALID',
    severity: 'error',
    resource,
    path: ['metadata', 'annotations', key],
    summary: `Annotation ${key} of ${describeRef(resource)} is ${JSON.stringify(seen)}, but must be "${allowed}".`,
    hint: 'Correct the annotation, or remove it.',
  };
}

function* liveFindings(
  snapshot: Snapshot,
  differences: readonly Difference[],
  live: LiveIndex,
): Generator<Diagnostic> {
  if (live.size === 0) return;
  const owner = applicationMark(snapshot.options);
  const setId = applySetId(owner, snapshot.tools.hash);
  const acknowledged = new Set(snapshot.options.acknowledge ?? []);
  for (const difference of differences) {
    const there = live.get(difference.cluster)?.get(difference.key);
    if (there === undefined) continue;
    const found =
      conflict(difference, there, { owner, setId }) ??
      protectedObject(difference) ??
      replacement(difference, there, acknowledged);
    if (found !== undefined) yield found;
  }
}

function conflict(
  { resource, cluster, manifest }: Difference,
  there: KubeObject,
  { owner, setId }: { readonly owner: string; readonly setId: string },
): Diagnostic | undefined {
  if (manifest === undefined || manifest.content.shared) return undefined;
  const ownership = ownershipOf(there, setId);
  if (ownership.kind === 'ours' || isFreeFor(there, owner)) return undefined;
  if (manifest.content.conflictResolution === 'Abort')
    return {
      code: 'APPLY_CONFLICT',
      severity: 'error',
      resource,
      summary: `${describeRef(resource)} on ${cluster} belongs to ${ownership.owner}, and application "${owner}" plans it too.`,
      hint: 'Rename it or leave the cluster out; to take it over, set `conflictResolution: Overwrite` in its policy.',
    };
  // Taking over from people and tools is what Overwrite is for; two applications would take it from each other for ever.
  return ownership.isSet
    ? {
        code: 'APPLY_CONFLICT',
        severity: 'warning',
        resource,
        summary: `${describeRef(resource)} on ${cluster} belongs to ${ownership.owner} and would be taken over by application "${owner}" (conflictResolution: Overwrite).`,
        hint: 'Remove it from the other application first, or each rollout of one takes it from the other.',
      }
    : undefined;
}

function protectedObject({
  resource,
  cluster,
  action,
  protection,
}: Difference): Diagnostic | undefined {
  if (protection === undefined) return undefined;
  const what =
    action === 'replace' ? 'cannot be replaced' : 'stays, although it is no longer planned there';
  return {
    code: 'DELETION_PROTECTED',
    severity: action === 'replace' ? 'error' : 'warning',
    resource,
    summary: `${describeRef(resource)} on ${cluster} ${what}: ${protection}.`,
    hint: 'Remove the label on the cluster if it may go, then run again.',
  };
}

/** Deleted first and made anew, so its pods go before new ones come: only when somebody says so. */
function replacement(
  { resource, cluster, action, manifest }: Difference,
  there: KubeObject,
  acknowledged: ReadonlySet<string>,
): Diagnostic | undefined {
  if (action !== 'replace' || manifest === undefined) return undefined;
  const fields = immutableChanges(manifest.content.object, there).join(', ');
  const named = flagName(resource);
  const isData = isPrecious(resource);
  const loss = isData
    ? 'everything in it is lost'
    : 'nothing of it runs in between, and no surge is possible';
  const code = 'FIELD_IMMUTABLE' as const;
  const isAllowed = isReplacementAllowed(manifest.content, acknowledged);
  const permit = isData
    ? ''
    : `, or allow it for good with the annotation ${OBJECT_HINTS.replace}: immutable`;
  return {
    code,
    severity: isAllowed ? 'warning' : 'error',
    resource,
    summary: `${describeRef(resource)} on ${cluster} cannot change in place (${fields}): it would be deleted and made anew; ${loss}.`,
    hint: isAllowed
      ? 'Nothing to do: it was allowed.'
      : `Give the new one another name; or plan with \`--acknowledge ${code}=${named}\`${permit}.`,
  };
}

/** What holds data is replaced only when it is named; everything else also by code, or by the template's annotation. */
export function isReplacementAllowed(
  { resource, object }: Pick<RenderedContent, 'resource' | 'object'>,
  acknowledged: ReadonlySet<string>,
): boolean {
  const finding = { code: 'FIELD_IMMUTABLE', resource } as const;
  if (isPrecious(resource)) return isNamed(finding, acknowledged);
  return mayBeReplaced(object) || isAcknowledged(finding, acknowledged);
}
