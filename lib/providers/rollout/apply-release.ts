import type { Interpreter } from '../../engine/interpret/index.js';
import type { Release } from '../../engine/plan.js';
import { isWatchedAtGates, type ApplyMode } from '../../engine/rollout/index.js';
import type { ClusterClient } from '../cluster/client.js';
import { forgetSet, readSet, releaseHash, widenSet } from './apply-set.js';
import { awaitReady } from './await-ready.js';
import { Board } from './board.js';
import type { Clock } from './clock.js';
import { STEADY_CLOCK } from './clock.js';
import { follow } from './follow.js';
import { lookAtRelease } from './look-at-release.js';
import { patientClient } from './patient-client.js';
import { protectionOn } from './protection.js';
import type { ReleaseFailure, ReleaseProgress, ReleaseResult } from './result.js';
import { toFailure } from './result.js';
import { writeRelease, type Written } from './write-release.js';

export interface ReleaseOptions {
  /** `grow` in a wave: nothing shrinks. `settle`: the plan's numbers. @default 'grow' */
  readonly mode?: ApplyMode;
  readonly signal?: AbortSignal;
  /** For writing and becoming ready together. @default 600 */
  readonly deadlineSeconds?: number;
  /** How long the cluster may give no usable answer. @default 30 */
  readonly unreachableSeconds?: number;
  readonly onProgress?: (progress: ReleaseProgress) => void;
  /** Called once, when all is written and only readiness is missing. */
  readonly onApplied?: () => void;
  /** @default the machine's, steady */
  readonly clock?: Clock;
  /** Requests at work at the same time on this cluster. @default 16 */
  readonly concurrency?: number;
  /** Kinds that the user taught: their `Retain` says which fields are left to the cluster. @default none */
  readonly interpreters?: readonly Interpreter[];
}

/** A release that became ready and is still watched. */
export interface WatchedRelease {
  readonly result: ReleaseResult;
  /** Resolves when it is ready no more, with what is missing; or when `signal` aborts, with `undefined`. */
  untilUnready(signal: AbortSignal): Promise<string | undefined>;
  /** Resolves when it is ready again (empty), or with the failures at the deadline. */
  untilReady(signal: AbortSignal, deadlineAt: number): Promise<readonly ReleaseFailure[]>;
  stop(): Promise<void>;
}

/**
 * Bring one release onto its cluster and wait until every object carries its planned revision, is observed and ready.
 *
 * Safe to repeat: what is there is not written again, and a run that was killed is continued. Never throws for what the
 * cluster does; `failures` says per object what is wrong (APPLY_CONFLICT, APPLY_REFUSED, KIND_NOT_SERVED,
 * OBJECT_NOT_READY, CLUSTER_UNREACHABLE) and `objects` what exists all the same.
 */
export async function applyRelease(
  release: Release,
  client: ClusterClient,
  options: ReleaseOptions = {},
): Promise<ReleaseResult> {
  const watched = await openRelease(release, client, options);
  await watched.stop();
  return watched.result;
}

/** {@link applyRelease} for callers that soak: the watches stay open until `stop`. */
export async function openRelease(
  release: Release,
  raw: ClusterClient,
  options: ReleaseOptions = {},
): Promise<WatchedRelease> {
  const { mode = 'grow', clock = STEADY_CLOCK, deadlineSeconds = 600, concurrency = 16 } = options;
  const signal = options.signal ?? new AbortController().signal;
  const deadlineAt = clock.now() + deadlineSeconds * 1000;
  const silenceMs = (options.unreachableSeconds ?? 30) * 1000;
  const client = patientClient(raw, {
    clock,
    silenceMs: Math.min(silenceMs, deadlineSeconds * 1000),
    signal,
  });
  const { interpreters = [], onProgress = () => undefined } = options;
  const board = new Board(release.manifests, onProgress, interpreters);
  const closing = new AbortController();
  const facts = { changed: false, grown: false, proven: false };
  let lost: { readonly failure: ReleaseFailure } | undefined;
  let following: Promise<void> = Promise.resolve();
  const stop = async (): Promise<void> => {
    closing.abort();
    await following;
  };
  const finish = (failures: readonly ReleaseFailure[]): WatchedRelease => ({
    result: {
      cluster: release.cluster,
      outcome: signal.aborted ? 'aborted' : failures.length > 0 ? 'failed' : 'ready',
      ...facts,
      objects: board.results,
      failures,
    },
    untilUnready: (until) => untilUnready(board, until, () => lost?.failure.message),
    untilReady: async (until, at) => {
      const failures = await awaitReady(client, board, { clock, signal: until, deadlineAt: at });
      return lost === undefined ? failures : [lost.failure];
    },
    stop,
  });

  try {
    const hash = releaseHash(release);
    const set = await readSet(client, release);
    // Where nothing is left but things to remove there is nothing to prove.
    facts.proven = release.manifests.length === 0 || set.contents.proven === hash;
    const members = release.manifests
      .filter(({ shared }) => !shared)
      .map(({ resource }) => resource);
    const { existing, foreign } = await lookAtRelease(release, client, set, concurrency);
    if (foreign.length > 0) return finish(foreign);
    await widenSet(client, set, members, facts.proven ? hash : undefined);
    const context = {
      ...{ client, set, mode, board, clock, signal, deadlineAt, concurrency },
      interpreters,
      protection: protectionOn(client),
    };
    const written = await writeRelease(release, existing, context);
    facts.changed = written.changed;
    facts.grown = written.grown;
    if (isLeftAlone(written)) await forgetSet(client, set);
    if (written.failures.length > 0 || signal.aborted) return finish(written.failures);
    options.onApplied?.();
    const abandoned = new AbortController();
    following = follow(
      raw,
      set.id,
      members.filter((member) => isWatchedAtGates(member, interpreters)),
      board,
      AbortSignal.any([closing.signal, signal]),
    ).catch((error: unknown) => {
      lost = { failure: toFailure(error) };
      abandoned.abort();
      board.touch();
    });
    const until = { clock, signal: AbortSignal.any([signal, abandoned.signal]), deadlineAt };
    const failures = await awaitReady(client, board, until);
    return finish(lost === undefined ? failures : [lost.failure]);
  } catch (error) {
    return finish([toFailure(error)]);
  }
}

/** Nothing was written, and it is certain: every failure is an answer. */
function isLeftAlone({ changed, failures }: Written): boolean {
  const isAnswer = ({ code }: ReleaseFailure): boolean =>
    code !== 'CLUSTER_UNREACHABLE' && code !== 'OBJECT_NOT_READY';
  return !changed && failures.length > 0 && failures.every(isAnswer);
}

function untilUnready(
  board: Board,
  signal: AbortSignal,
  lost: () => string | undefined,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const check = (): void => {
      const reason = lost() ?? (board.isReady ? undefined : unreadyReason(board));
      if (reason === undefined && !signal.aborted) return;
      unsubscribe();
      signal.removeEventListener('abort', check);
      resolve(signal.aborted ? undefined : reason);
    };
    const unsubscribe = board.onChange(check);
    signal.addEventListener('abort', check);
    check();
  });
}

function unreadyReason(board: Board): string {
  const [first] = board.results.filter(({ ready }) => !ready);
  return first === undefined
    ? 'it is not ready'
    : `${first.resource.kind} ${first.resource.name}: ${first.waitingFor}`;
}
