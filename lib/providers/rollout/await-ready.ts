import type { ClusterClient } from '../cluster/client.js';
import { describeRef, refKey, refOf } from '../../engine/object.js';
import { whyNoAddress } from './address-reasons.js';
import type { Board } from './board.js';
import type { Clock } from './clock.js';
import { explainWaiting } from './pod-reasons.js';
import { inParallel } from './pool.js';
import type { ObjectResult, ReleaseFailure } from './result.js';

export interface AwaitOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly deadlineAt: number;
}

/** How often pods of unready workloads are looked at. */
const EXPLAIN_EVERY_MS = 3_000;

/**
 * Wait until everything on the board is ready: then no failures. Otherwise one failure per object that is not, at the
 * deadline, or as soon as one can no longer become ready. An aborted wait has no failures either: look at the signal.
 */
export async function awaitReady(
  client: ClusterClient,
  board: Board,
  { clock, signal, deadlineAt }: AwaitOptions,
): Promise<readonly ReleaseFailure[]> {
  for (;;) {
    if (signal.aborted || board.isReady) return [];
    if (board.isHopeless) return settleFailures(client, board, board.hopeless);
    const leftMs = deadlineAt - clock.now();
    if (leftMs <= 0) return settleFailures(client, board, undefined);
    await changeOrTimeout(board, Math.min(leftMs, EXPLAIN_EVERY_MS), clock, signal);
    if (!signal.aborted && !board.isReady) await explainWaiting(client, board);
  }
}

async function settleFailures(
  client: ClusterClient,
  board: Board,
  which: readonly ObjectResult[] | undefined,
): Promise<readonly ReleaseFailure[]> {
  await explainWaiting(client, board);
  const addresses = await whyNoAddresses(client, board);
  const unready = board.results.filter(({ ready }) => !ready);
  const keys = new Set(which?.map(({ resource }) => JSON.stringify(resource)));
  const blamed =
    which === undefined
      ? unready
      : unready.filter(({ resource }) => keys.has(JSON.stringify(resource)));
  return blamed.map(({ resource, waitingFor, supersededBy }) => ({
    code: supersededBy === undefined ? 'OBJECT_NOT_READY' : 'ROLLOUT_SUPERSEDED',
    resource,
    message: [
      `${describeRef(resource)} on ${client.cluster}: ${waitingFor}`,
      ...(addresses.get(refKey(resource)) ?? []),
    ].join('; '),
  }));
}

async function whyNoAddresses(
  client: ClusterClient,
  board: Board,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const reasons = await inParallel(board.waiting, 8, async (object) => {
    const why = await whyNoAddress(client, object);
    return [refKey(refOf(object)), why === undefined ? [] : [why]] as const;
  });
  return new Map(reasons);
}

/** Ends when the board becomes ready or hopeless, or after a while; small changes in between do not count. */
async function changeOrTimeout(
  board: Board,
  ms: number,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  const turn = new AbortController();
  const stop = board.onChange(() => {
    if (board.isReady || board.isHopeless) turn.abort();
  });
  try {
    await clock.sleep(ms, AbortSignal.any([signal, turn.signal]));
  } finally {
    stop();
  }
}
