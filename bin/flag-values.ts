import { suggest } from '../lib/api/suggestion.js';
import { CODES, type Diagnostic } from '../lib/engine/diagnostic.js';
import type { PlanInput, SourcedObject } from '../lib/engine/input.js';
import { flagName, type ObjectRef, refOf } from '../lib/engine/object.js';
import type { Plan } from '../lib/engine/plan.js';
import { isClusterScoped, roleOf } from '../lib/engine/snapshot.js';
import { Refusal } from './refusal.js';

/*
 * Values of flags that name something. One that names nothing would be a flag without effect, which nobody notices: here it is
 * said, with what there is. Code: FLAG_MATCHES_NOTHING; thrown as a {@link Refusal} where nothing is known to go on with.
 */

/** `--acknowledge` takes a code, `CODE=Kind/namespace/name`, and for removals an object alone. */
export function needCodes(acknowledge: readonly string[]): void {
  const codes = Object.keys(CODES);
  const found = acknowledge
    .filter((entry) => !isObject(entry) && !Object.hasOwn(CODES, codeOf(entry)))
    .map((entry) => {
      const meant = suggest(codeOf(entry), codes)?.name;
      return nothing(
        `--acknowledge ${entry}: there is no code "${codeOf(entry)}".`,
        meant === undefined
          ? 'Codes stand in front of each finding, and in docs/diagnostics.'
          : `Did you mean ${meant}?`,
      );
    });
  if (found.length > 0) throw new Refusal(found);
}

/** `CODE=OBJECT` where no finding of the plan is about that object: a warning each, in the order given. */
export function unusedAcknowledgements(plan: Plan, input: PlanInput): readonly Diagnostic[] {
  const { acknowledge = [] } = input.options;
  return acknowledge.flatMap((entry): Diagnostic[] => {
    if (isObject(entry))
      return [unused(entry, `Write CODE=${entry} with the code of the finding.`)];
    const code = codeOf(entry);
    if (entry === code) return [];
    const name = entry.slice(code.length + 1);
    const objects = plan.diagnostics.flatMap((finding) =>
      finding.code === code && finding.resource !== undefined ? [flagName(finding.resource)] : [],
    );
    if (objects.includes(name)) return [];
    if (input.live === undefined && SEEN_ON_CLUSTERS.has(code) && isPlanned(plan, name)) return [];
    return [
      unused(
        entry,
        objects.length === 0
          ? 'Drop the flag, or write the object as KIND/NAMESPACE/NAME, in the case of the finding.'
          : `Findings with this code are about ${listed([...new Set(objects)])}.`,
      ),
    ];
  });
}

/** Findings that a plan from files alone cannot have yet. */
const SEEN_ON_CLUSTERS: ReadonlySet<string> = new Set(['DELETES_DATA', 'FIELD_IMMUTABLE']);

function isPlanned({ bindings, changes }: Plan, name: string): boolean {
  return [...bindings, ...changes].some(({ resource }) => flagName(resource) === name);
}

/** Names of objects that are no template of these; they were listed to be decided afresh. */
export function needTemplates(
  names: true | readonly string[] | undefined,
  documents: readonly SourcedObject[],
): void {
  if (names === undefined || names === true) return;
  const templates = documents
    .map(({ object }) => object)
    .filter((object) => roleOf(object) === 'template');
  const shown = templates.map((object) =>
    flagName(isClusterScoped(object) ? refOf(object) : withNamespace(refOf(object))),
  );
  const found = names
    .filter((name) => !templates.some((object) => isCalled(withNamespace(refOf(object)), name)))
    .map((name) =>
      nothing(
        `--reschedule ${name}: no template is called that. There are ${listed(shown)}.`,
        'Write KIND/NAMESPACE/NAME or KIND/NAME.',
      ),
    );
  if (found.length > 0) throw new Refusal(found);
}

/** `KIND/NAMESPACE/NAME` or `KIND/NAME`, in any case. */
export function isCalled({ kind, namespace, name }: ObjectRef, wanted: string): boolean {
  const text = wanted.toLowerCase();
  return (
    flagName({ apiVersion: '', kind, name }).toLowerCase() === text ||
    (namespace !== undefined && `${kind}/${namespace}/${name}`.toLowerCase() === text)
  );
}

/** Waves that somebody approves. `all` is every one; a wave that the rollout names and that has nothing to do is fine. */
export function needWaves(
  approve: readonly string[] | undefined,
  plan: Plan,
  documents: readonly SourcedObject[],
): void {
  const planned = plan.waves.map(({ name }) => name);
  const written = documents
    .filter(({ object }) => roleOf(object) === 'rollout')
    .flatMap(({ object }) => namesOfWaves(object['spec']));
  const known = new Set(['all', ...planned, ...written]);
  const found = (approve ?? [])
    .filter((name) => !known.has(name))
    .map((name) =>
      nothing(
        `--approve ${name}: the plan has no such wave. It has ${listed(planned)}.`,
        'Name one of these, or "all".',
      ),
    );
  if (found.length > 0) throw new Refusal(found);
}

function namesOfWaves(spec: unknown): readonly string[] {
  const { waves } = (spec ?? {}) as { readonly waves?: readonly { readonly name?: string }[] };
  return Array.isArray(waves) ? waves.flatMap(({ name }) => name ?? []) : [];
}

/** Contexts that were given for clusters which neither fleet nor lock have: a warning each, sorted by cluster. */
export function unknownClusters(
  contexts: Readonly<Record<string, string>>,
  clusters: readonly string[],
): readonly Diagnostic[] {
  const known = new Set(clusters);
  return Object.keys(contexts)
    .filter((cluster) => !known.has(cluster))
    .sort()
    .map((cluster) => ({
      ...nothing(
        `--context-map ${cluster}=${contexts[cluster] ?? ''}: neither the fleet nor the lock has a cluster "${cluster}".`,
        `Write CLUSTER=CONTEXT. Clusters are ${listed([...known].sort())}.`,
      ),
      severity: 'warning',
    }));
}

function nothing(summary: string, hint: string): Diagnostic {
  return { code: 'FLAG_MATCHES_NOTHING', severity: 'error', summary, hint };
}

function unused(entry: string, hint: string): Diagnostic {
  const summary = `--acknowledge ${entry}: no finding of this plan is about that, so it allows nothing.`;
  return { ...nothing(summary, hint), severity: 'warning' };
}

function codeOf(entry: string): string {
  return entry.split('=', 1)[0] ?? '';
}

/** `Kind/namespace/name` without a code. */
function isObject(entry: string): boolean {
  return codeOf(entry).includes('/');
}

function withNamespace(resource: ObjectRef): ObjectRef {
  return { namespace: 'default', ...resource };
}

/** The first of many. */
export function listed(names: readonly string[]): string {
  if (names.length === 0) return 'none';
  return `${names.slice(0, 8).join(', ')}${names.length > 8 ? ', …' : ''}`;
}
