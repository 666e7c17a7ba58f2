import type { ObjectRef } from '../../api/object.js';
import { changesBetween } from '../../engine/adopt/index.js';
import type { DiagnosticCode } from '../../engine/diagnostic.js';
import type { Interpreter } from '../../engine/interpret/index.js';
import { describeRef, groupOf, isOf, refKey } from '../../engine/object.js';
import type { Manifest, Release } from '../../engine/plan.js';
import { isReplacementAllowed } from '../../engine/rollout/foresee.js';
import { toApply } from '../../engine/rollout/index.js';
import { ProviderError, type ClusterClient, type Connect } from '../cluster/client.js';
import { describeFailure } from '../cluster/describe-failure.js';
import { readSet } from './apply-set.js';
import { findAutoscaled } from './autoscaled.js';
import { impatientClient, orTimeout } from './impatient-client.js';
import { lookAtRelease, type LookAtRelease } from './look-at-release.js';
import { inParallel } from './pool.js';
import { immutableFailure, isReplaced } from './replace-object.js';
import { toFailure } from './result.js';

/** What one cluster says to a release that it is only asked about. Plain data; never a Secret value. */
export interface DryRunFinding {
  /** `warning`: something could not be asked, or needs no change. */
  readonly severity: 'error' | 'warning';
  readonly code: DiagnosticCode;
  readonly cluster: string;
  readonly resource?: ObjectRef;
  /** One sentence, without the cluster's name in front. */
  readonly message: string;
  readonly hint?: string;
}

export interface DryRunOptions {
  /** How long a cluster may leave a request without an answer; after that it is asked no more. @default 8 */
  readonly silenceSeconds?: number;
  /** Requests at work at the same time on one cluster. @default 8 */
  readonly concurrency?: number;
  readonly interpreters?: readonly Interpreter[];
  /** As the plan's: what may be deleted and made anew is not asked to change in place. @default none */
  readonly acknowledge?: readonly string[];
}

/** Clusters asked together. Each that is silent costs its patience once, beside the others. */
const CLUSTERS_AT_ONCE = 32;
const SILENCE_SECONDS = 8;

/** As patient as a dry run is with one request. @throws {@link ProviderError} `timeout` */
export function failsWhenSilent<T>(cluster: string, work: () => Promise<T>): Promise<T> {
  return orTimeout(work, cluster, SILENCE_SECONDS);
}

/** {@link dryRunRelease} for all releases; findings in their order. */
export async function dryRunReleases(
  releases: readonly Release[],
  connect: Connect,
  options: DryRunOptions = {},
): Promise<readonly DryRunFinding[]> {
  const findings = await inParallel(releases, CLUSTERS_AT_ONCE, (release) =>
    dryRunRelease(release, connect, options),
  );
  return findings.flat();
}

/**
 * What a cluster's API server, with its admission, thinks of a release, without storing anything: a server-side dry run of
 * what the rollout would leave, compared with what is there.
 *
 * APPLY_REFUSED, APPLY_CONFLICT, FIELD_IMMUTABLE, KIND_NOT_SERVED and missing rights are errors, as they would be for `up`;
 * CHANGE_WITHOUT_EFFECT, DRY_RUN_INCOMPLETE and CLUSTER_UNREACHABLE are warnings. In the order of the manifests, what is about the
 * whole cluster last. Never throws for what clusters do.
 */
export async function dryRunRelease(
  release: Release,
  connect: Connect,
  options: DryRunOptions = {},
): Promise<readonly DryRunFinding[]> {
  const { silenceSeconds = SILENCE_SECONDS, concurrency = 8, interpreters = [] } = options;
  const acknowledged = new Set(options.acknowledge ?? []);
  const { cluster, manifests } = release;
  if (manifests.length === 0) return [];
  const findings: DryRunFinding[] = [];
  try {
    const opened = await orTimeout(() => connect(cluster), cluster, silenceSeconds);
    const client = impatientClient(opened, silenceSeconds);
    const set = await readSet(client, release);
    const { existing, foreign } = await lookAtRelease(release, client, set, concurrency);
    for (const { code, resource, message } of foreign)
      findings.push({ severity: 'error', code, cluster, message, ...(resource && { resource }) });
    const isAutoscaled = await findAutoscaled(client, manifests);
    const answers = await inParallel(manifests, concurrency, async (manifest) => {
      if (isBeforeItsNamespace(manifest, manifests, existing)) return 'unasked';
      return ask(manifest, existing.get(refKey(manifest.resource)), {
        client,
        release,
        acknowledged,
        settings: {
          ...{ mode: 'settle', setId: set.id, interpreters },
          isAutoscaled: isAutoscaled(manifest.object),
        },
      });
    });
    findings.push(...answers.flatMap((answer) => (typeof answer === 'object' ? [answer] : [])));
    const unasked = answers.filter((answer) => answer === 'unasked').length;
    if (unasked > 0) findings.push(incomplete(cluster, unasked));
  } catch (error) {
    findings.push(wholeCluster(cluster, error));
  }
  return findings;
}

interface AskContext {
  readonly client: ClusterClient;
  readonly release: Release;
  readonly acknowledged: ReadonlySet<string>;
  readonly settings: Parameters<typeof toApply>[2];
}

/** A finding; `unasked`: what it needs comes with the release; `fine`: nothing to say. */
async function ask(
  manifest: Manifest,
  live: Parameters<typeof toApply>[1],
  { client, release, acknowledged, settings }: AskContext,
): Promise<DryRunFinding | 'unasked' | 'fine'> {
  const { resource, conflictResolution, action, shared } = manifest;
  const { cluster } = release;
  // A plan from files alone knows of no replacement; `up`, which reads the clusters first, makes it one.
  const permitted = isReplacementAllowed(manifest, acknowledged)
    ? { ...manifest, action: 'replace' as const }
    : manifest;
  if (live !== undefined && (shared || isReplaced(permitted, live))) return 'fine';
  try {
    const { object, because } = toApply(manifest, live, settings);
    if (live !== undefined && because.length === 0) return 'fine';
    const force = conflictResolution === 'Overwrite';
    const after = await client.apply(object, { dryRun: true, force });
    if (live === undefined || action !== 'update') return 'fine';
    if (changesBetween(live, after).fields.length > 0) return 'fine';
    return withoutEffect(cluster, resource);
  } catch (error) {
    if (ProviderError.is(error) && isAboutCluster(error)) throw error;
    if (isKindOf(release, resource, error)) return 'unasked';
    const refused =
      immutableFailure(manifest, live, error) ??
      (ProviderError.is(error) ? undefined : toFailure(error, resource));
    if (refused !== undefined)
      return { severity: 'error', cluster, resource, code: refused.code, message: refused.message };
    return refusal(cluster, resource, error as ProviderError);
  }
}

function refusal(cluster: string, resource: ObjectRef, error: ProviderError): DryRunFinding {
  const { code, hint } = describeFailure(error);
  const about = { cluster, resource, message: error.message };
  // An error of the server about one object is most often a webhook that is not up: it may pass.
  if (error.failure === 'server') return { severity: 'warning', code: 'APPLY_REFUSED', ...about };
  return { severity: 'error', code, ...about, ...(hint !== undefined && { hint }) };
}

/** Every other object would say the same. */
function isAboutCluster({ failure }: ProviderError): boolean {
  return ['unreachable', 'timeout', 'unauthorized', 'throttled', 'aborted'].includes(failure);
}

/** The release brings the namespace along, and the cluster does not have it yet. */
function isBeforeItsNamespace(
  { resource }: Manifest,
  manifests: readonly Manifest[],
  existing: LookAtRelease['existing'],
): boolean {
  return manifests.some(
    ({ resource: other }) =>
      isOf(other, '', 'Namespace') &&
      other.name === resource.namespace &&
      !existing.has(refKey(other)),
  );
}

/** The release brings the kind along: nothing of the kind can be asked about before. */
function isKindOf({ manifests }: Release, { apiVersion }: ObjectRef, error: unknown): boolean {
  if (!ProviderError.is(error) || error.failure !== 'notServed') return false;
  const group = `.${groupOf(apiVersion)}`;
  return manifests.some(
    ({ resource }) =>
      isOf(resource, 'apiextensions.k8s.io', 'CustomResourceDefinition') &&
      resource.name.endsWith(group),
  );
}

function withoutEffect(cluster: string, resource: ObjectRef): DryRunFinding {
  return {
    severity: 'warning',
    code: 'CHANGE_WITHOUT_EFFECT',
    cluster,
    resource,
    message: `${describeRef(resource)}: the change has no effect there; what it sets is the default, or is what the object has already`,
    hint: 'Applying it writes our marks only and restarts nothing. If it should change something, compare it with the live object.',
  };
}

function incomplete(cluster: string, count: number): DryRunFinding {
  return {
    severity: 'warning',
    code: 'DRY_RUN_INCOMPLETE',
    cluster,
    message: `${count} ${count === 1 ? 'object was' : 'objects were'} not checked: the namespace or kind comes with this release and is not there yet`,
    hint: 'Nothing to do: a server cannot check what stands in a namespace that it does not have.',
  };
}

function wholeCluster(cluster: string, error: unknown): DryRunFinding {
  const { code, message } = toFailure(error);
  if (code === 'CLUSTER_UNREACHABLE')
    return {
      severity: 'warning',
      code,
      cluster,
      message: `${message}; its objects were not checked`,
      hint: 'The others were; run it again when the cluster answers.',
    };
  const hint = ProviderError.is(error) ? describeFailure(error).hint : undefined;
  return { severity: 'error', code, cluster, message, ...(hint !== undefined && { hint }) };
}
