import { randomUUID } from 'node:crypto';
import { driftedFields } from '../../engine/rollout/index.js';
import type { KubeObject } from '../../engine/object.js';
import { describeRef, refOf } from '../../engine/object.js';
import type { Release } from '../../engine/plan.js';
import type { ReleaseProgress, ReleaseResult } from '../rollout/index.js';
import { destroyRelease } from '../rollout/index.js';
import { dryRun } from './dry-run.js';
import { whyNotAfter } from './earlier-waves.js';
import { fromWire, ownerOf, maskOf, pack, unpack, wireKey } from './release-wire.js';
import type { Session } from './session.js';
import { failureOf, manners, operationsOf } from './session.js';
import type { ReleaseInputs, ReleaseOutputs } from './wire.js';
import { isUnknown, SCHEMA_VERSION } from './wire.js';

export interface CheckFailure {
  readonly property: string;
  readonly reason: string;
}

/** Ask the cluster, when the user wants that; everything else was checked by the plan. */
export async function checkRelease(
  session: Session,
  news: ReleaseInputs,
): Promise<readonly CheckFailure[]> {
  if (!news.__dryRun || news.orphaned || isUnknown(news)) return [];
  const { failures, warnings } = await dryRun(session, news);
  const mask = maskOf([news]);
  for (const warning of warnings)
    session.link.status(news.__urn, mask(warning), { severity: 'warning' });
  return failures.map((reason) => ({ property: 'manifests', reason: mask(reason) }));
}

/** While a wave is held its releases stay registered as they were, so that approving it shows what it changes. */
export function keptInputs(olds: Partial<ReleaseInputs>, news: ReleaseInputs): ReleaseInputs {
  const { __urn, __provider } = news;
  const none = { hash: '', manifests: {}, __facts: '{"wave":"","manifests":{}}' };
  return { ...news, ...none, ...olds, held: true, orphaned: false, __urn, __provider };
}

/** From data alone. A release that did not become ready is a change until it does. */
export function diffRelease(
  olds: ReleaseOutputs,
  news: ReleaseInputs,
): { changes: boolean; replaces: string[] } {
  const moved =
    olds.cluster !== news.cluster ||
    olds.application !== news.application ||
    olds.environment !== news.environment;
  // How a cluster is reached matters no more once nobody asks it.
  if (news.orphaned && !moved)
    return {
      changes: !olds.orphaned || olds.schemaVersion !== SCHEMA_VERSION,
      replaces: [],
    };
  const changed =
    olds.schemaVersion !== SCHEMA_VERSION ||
    olds.hash !== news.hash ||
    olds.status !== 'ready' ||
    olds.orphaned !== news.orphaned ||
    olds.context !== news.context ||
    olds.kubeconfig !== news.kubeconfig ||
    olds.kubeconfigPath !== news.kubeconfigPath;
  return { changes: moved || (changed && !news.held), replaces: moved ? ['cluster'] : [] };
}

/**
 * Apply and wait. A release that did not become ready is a success with `status: failed`: Pulumi would start nothing
 * more after a failed resource, and the others of the wave shall finish; the gate decides.
 */
export async function applyReleaseResource(
  session: Session,
  news: ReleaseInputs,
  before: ReleaseOutputs | undefined,
): Promise<ReleaseOutputs> {
  const untouched = { hash: '', reasons: [], observed: {}, applied: {} };
  if (news.orphaned) return outputs(news, { ...untouched, status: 'orphaned' });
  if (news.held) return before ?? outputs(news, { ...untouched, status: 'held' });
  const release = fromWire(news, news);
  const failures = failuresOf(session, release.wave);
  const failed = (reason: string): ReleaseOutputs => {
    failures.add(news.cluster);
    const outs = outputs(news, { ...untouched, status: 'failed', reasons: [reason] });
    // Nothing was written: what was applied before is what a refresh compares with.
    return { ...outs, __applied: before?.__applied ?? '' };
  };
  if (failures.size > news.__maxFailures)
    return failed(
      `not started: ${failures.size} of wave ${release.wave} failed (${[...failures].sort().join(', ')}), ${news.__maxFailures} may`,
    );
  const [early] = await whyNotAfter(session, news.__after ?? []);
  if (early !== undefined) return failed(maskOf([news])(early));
  const operations = operationsOf(session);
  const client = await session.open(news).catch(failureOf);
  if (typeof client === 'string') return failed(client);
  const total = release.manifests.length;
  const ready = new Set<string>();
  const mask = maskOf([news]);
  const result = await operations.apply(release, client, {
    ...manners(session),
    deadlineSeconds: news.deadlineSeconds,
    onProgress: (progress) => {
      if (progress.kind === 'ready') ready.add(describeRef(progress.resource));
      session.link.status(
        news.__urn,
        mask(`[${ready.size}/${total}] ${news.cluster}: ${describeProgress(progress)}`),
        { ephemeral: true },
      );
    },
  });
  if (result.outcome === 'aborted')
    throw new Error(
      `${news.cluster}: stopped because the Pulumi engine is gone; the next \`pulumi up\` continues`,
    );
  const reasons = reasonsOf(result).map(mask);
  if (reasons.length > 0) failures.add(news.cluster);
  const observed = await operations.observe(release, client);
  return outputs(news, {
    status: reasons.length === 0 ? 'ready' : 'failed',
    hash: news.hash,
    reasons,
    observed,
    applied: ownedOf(release, news.manifests),
    mark: (session.mark ?? randomUUID)(),
  });
}

/** Clusters of a wave that failed in this run. The next run starts with none. */
function failuresOf({ failures }: Session, wave: string): Set<string> {
  const known = failures.get(wave) ?? new Set();
  failures.set(wave, known);
  return known;
}

/** What a refresh compares: a shared namespace is everybody's, and it stays when all of ours is gone. */
function ownedOf(
  release: Release,
  manifests: Readonly<Record<string, string>>,
): Record<string, string> {
  const shared = new Set(
    release.manifests.filter((m) => m.shared).map(({ resource }) => wireKey(resource)),
  );
  return Object.fromEntries(Object.entries(manifests).filter(([key]) => !shared.has(key)));
}

/**
 * Look at the cluster; never writes. Objects that differ make the release `drifted`, so that the next `up` corrects it;
 * undefined: all of them are gone. A cluster that does not answer fails its own release, not the whole refresh.
 */
export async function readRelease(
  session: Session,
  props: ReleaseOutputs,
): Promise<ReleaseOutputs | undefined> {
  if (props.orphaned || props.__applied === '') return props;
  const applied = Object.values(unpack<Record<string, string>>(props.__applied)).map(
    (text) => JSON.parse(text) as KubeObject,
  );
  const found = await look(session, props, applied);
  // Known no more than before: the next `up` asks again.
  if (typeof found === 'string') return { ...props, status: 'failed', reasons: [found] };
  if (applied.length > 0 && found.every((live) => live === undefined)) return undefined;
  const reasons = applied.flatMap((object, i) => driftOf(object, found[i]));
  return {
    ...props,
    status:
      reasons.length === 0 ? (props.status === 'drifted' ? 'ready' : props.status) : 'drifted',
    reasons,
  };
}

async function look(
  session: Session,
  props: ReleaseOutputs,
  applied: readonly KubeObject[],
): Promise<readonly (KubeObject | undefined)[] | string> {
  try {
    const client = await session.open(props);
    return await Promise.all(applied.map((object) => client.get(refOf(object))));
  } catch (error) {
    return failureOf(error);
  }
}

/** Removes what the set on the cluster lists. An orphaned cluster is left alone. */
export async function deleteRelease(session: Session, props: ReleaseOutputs): Promise<void> {
  if (props.orphaned || (props.status === 'held' && props.__applied === '')) return;
  const client = await session.open(props);
  const owner = { ...ownerOf(props), cluster: props.cluster };
  const result = await destroyRelease(owner, client, manners(session));
  if (result.failures.length > 0)
    throw new Error(`${props.cluster}: ${result.failures.map((f) => f.message).join('; ')}`);
}

function driftOf(object: KubeObject, live: KubeObject | undefined): string[] {
  const name = describeRef(refOf(object));
  if (live === undefined) return [`${name} is missing`];
  const fields = driftedFields(object, live).filter(
    (field) => !field.includes('fleetwright.dev/revision'),
  );
  return fields.length === 0 ? [] : [`${name} differs at ${fields.join(', ')}`];
}

function describeProgress(progress: ReleaseProgress): string {
  const name = describeRef(progress.resource);
  switch (progress.kind) {
    case 'written':
      return `${name} ${progress.action}`;
    case 'ready':
      return `${name} is ready`;
    case 'waiting':
      return `${name}: ${progress.waitingFor}`;
    case 'deleted':
      return `${name} deleted`;
  }
}

function reasonsOf(result: ReleaseResult): string[] {
  if (result.outcome === 'ready') return [];
  return result.failures.map((failure) => failure.message);
}

interface Outcome {
  readonly status: ReleaseOutputs['status'];
  readonly hash: string;
  readonly reasons: readonly string[];
  readonly observed: object;
  readonly applied: Readonly<Record<string, string>>;
  readonly mark?: string;
}

function outputs(
  news: ReleaseInputs,
  { status, hash, reasons, observed, applied, mark = '' }: Outcome,
): ReleaseOutputs {
  const { application, environment, cluster, context, kubeconfig, kubeconfigPath, orphaned } = news;
  return {
    schemaVersion: SCHEMA_VERSION,
    kind: 'release',
    application,
    environment,
    cluster,
    context,
    kubeconfig,
    kubeconfigPath,
    orphaned,
    hash,
    status,
    applied: mark,
    reasons,
    observed: JSON.stringify(observed),
    __applied: Object.keys(applied).length === 0 ? '' : pack(applied),
    __provider: news.__provider,
  };
}
