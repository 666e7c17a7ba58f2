import { createHash } from 'node:crypto';
import { canonicalJson } from '../../engine/canonical.js';
import { inParallel } from '../rollout/index.js';
import { rememberPassed } from './earlier-waves.js';
import { goBack } from './go-back.js';
import { halfDone } from './half-done.js';
import { fromWire, maskOf, unpack } from './release-wire.js';
import type { Session } from './session.js';
import { clockOf, failureOf, manners, operationsOf } from './session.js';
import type { GateInputs, ReleaseWire } from './wire.js';
import { isUnknown, SCHEMA_VERSION } from './wire.js';

export interface GateOutputs {
  readonly schemaVersion: number;
  readonly kind: 'gate';
  readonly wave: string;
  /** Of the releases that it let pass; `''` while held, and when it did not. */
  readonly hash: string;
  /** Which applications of its releases it has seen through their soak; `''`: none. */
  readonly passed?: string;
  /** Its clusters went back to what they had before: the next run applies the releases here, once more. */
  readonly rolledBack?: boolean;
  readonly __provider: string;
}

interface ReleaseState {
  readonly status: string;
  readonly reasons: readonly string[];
}

type Failed = Map<string, readonly string[]>;

/** How often clusters are looked at during the soak. */
const LOOK_EVERY_MS = 2000;

/** Which applications of which releases these are; the same text stands for the same ones. */
export function seenOf(releases: Readonly<Record<string, string>>): string {
  return createHash('sha256').update(canonicalJson(releases)).digest('hex').slice(0, 16);
}

/**
 * A gate that let these very releases pass stays open while they are all ready; a held one does not move. A release that
 * was applied again, or could not be, is asked about again, though nothing in the plan changed.
 */
export function diffGate(olds: GateOutputs, news: GateInputs): { changes: boolean } {
  if (news.held) return { changes: false };
  const isSettled = Object.values(news.releases).every(
    (text) => !isUnknown(text) && stateOf(text).status === 'ready',
  );
  return {
    changes:
      !isSettled ||
      olds.hash !== news.hash ||
      olds.passed !== seenOf(news.releases) ||
      olds.schemaVersion !== SCHEMA_VERSION,
  };
}

/**
 * Decide whether the next wave may start: every release of this one is ready at the plan's revisions, now and through
 * the soak, but for `maxFailures` of them. What has been through its soak is looked at once.
 *
 * @throws Error with a reason per cluster and object; later waves are not started. The wave's clusters stay as they are,
 * or have gone back to the newest kept revision (`onFailure: rollback`). With `continue` it lets pass, and the settle step fails.
 */
export async function passGate(
  session: Session,
  news: GateInputs,
  before: GateOutputs | undefined,
): Promise<GateOutputs> {
  const outputs = (facts: Required<Pick<GateOutputs, 'hash' | 'passed' | 'rolledBack'>>) => ({
    schemaVersion: SCHEMA_VERSION,
    kind: 'gate' as const,
    wave: news.wave,
    ...facts,
    __provider: news.__provider,
  });
  const { hash = '', passed = '', rolledBack = false } = before ?? {};
  if (news.held) return outputs({ hash, passed, rolledBack });
  const seen = seenOf(news.releases);
  const failed: Failed = new Map(
    Object.entries(news.releases).flatMap(([cluster, text]) => {
      const { status, reasons } = stateOf(text);
      return status === 'ready' ? [] : [[cluster, reasons]];
    }),
  );
  const wires = unpack<ReleaseWire[]>(news.__releases);
  const candidates = wires.filter((wire) => !failed.has(wire.cluster));
  if (rolledBack) await applyAgain(session, news, candidates, failed);
  await soak(session, news, candidates, failed, passed === seen ? 0 : news.soakSeconds);
  if (failed.size <= news.maxFailures) {
    rememberPassed(session, news);
    await prove(session, news, candidates, failed);
    return outputs({ hash: news.hash, passed: seen, rolledBack: false });
  }
  const mask = maskOf(wires);
  const reason = mask(describe(news, failed));
  const unproven = { hash: '', passed: '', rolledBack };
  if (news.onFailure === 'continue') {
    session.link.status(news.__urn, `${reason}\nLater waves run all the same.`, {
      severity: 'warning',
    });
    return outputs(unproven);
  }
  if (news.onFailure !== 'rollback') throw halfDone(news, reason, outputs(unproven));
  const { isBack, lines } = await goBack(session, news, wires);
  throw halfDone(
    news,
    [reason, ...lines.map(mask)].join('\n'),
    outputs({ ...unproven, rolledBack: rolledBack || isBack }),
  );
}

/** What had gone back after a failure goes forward again: the releases themselves have nothing to do in Pulumi's eyes. */
async function applyAgain(
  session: Session,
  news: GateInputs,
  wires: readonly ReleaseWire[],
  failed: Failed,
): Promise<void> {
  const { maxConcurrent, deadlineSeconds } = news.__wave;
  await inParallel(wires, maxConcurrent, async (wire) => {
    if (failed.size > news.maxFailures) return;
    const client = await session.open(wire).catch(failureOf);
    if (typeof client === 'string') return void failed.set(wire.cluster, [client]);
    const { outcome, failures } = await operationsOf(session).apply(fromWire(news, wire), client, {
      ...manners(session),
      deadlineSeconds,
    });
    if (outcome !== 'ready')
      failed.set(
        wire.cluster,
        failures.map(({ message }) => message),
      );
  });
}

/** Look at every cluster again, at the end of the soak too: unready once means not passed. */
async function soak(
  session: Session,
  news: GateInputs,
  wires: readonly ReleaseWire[],
  failed: Failed,
  soakSeconds: number,
): Promise<void> {
  const clock = clockOf(session);
  const { signal } = session.link;
  // From the moment at which all have been seen ready.
  let until: number | undefined;
  for (;;) {
    const left = wires.filter((wire) => !failed.has(wire.cluster));
    await Promise.all(left.map((wire) => verify(session, news, wire, failed)));
    if (signal.aborted) throw new Error('stopped because the Pulumi engine is gone');
    until ??= clock.now() + soakSeconds * 1000;
    const remaining = until - clock.now();
    if (remaining <= 0 || failed.size > news.maxFailures) return;
    session.link.status(
      news.__urn,
      `wave ${news.wave}: soaking for another ${Math.ceil(remaining / 1000)} s`,
      { ephemeral: true },
    );
    await clock.sleep(Math.min(remaining, LOOK_EVERY_MS), signal);
  }
}

async function verify(
  session: Session,
  news: GateInputs,
  wire: ReleaseWire,
  failed: Failed,
): Promise<void> {
  const client = await session.open(wire).catch(failureOf);
  if (typeof client === 'string') return void failed.set(wire.cluster, [client]);
  const release = fromWire(news, wire);
  const { outcome, failures } = await operationsOf(session).verify(
    release,
    client,
    manners(session),
  );
  if (outcome !== 'ready')
    failed.set(
      wire.cluster,
      failures.map(({ message }) => message),
    );
}

/** The command line then neither soaks nor asks again. A mark that cannot be written costs a soak there, no more. */
async function prove(
  session: Session,
  news: GateInputs,
  wires: readonly ReleaseWire[],
  failed: Failed,
): Promise<void> {
  await Promise.all(
    wires
      .filter(({ cluster }) => !failed.has(cluster))
      .map(async (wire) => {
        const client = await session.open(wire).catch(failureOf);
        if (typeof client === 'string') return;
        await operationsOf(session).prove(fromWire(news, wire), client).catch(failureOf);
      }),
  );
}

function stateOf(text: string): ReleaseState {
  return JSON.parse(text) as ReleaseState;
}

function describe(news: GateInputs, failed: ReadonlyMap<string, readonly string[]>): string {
  const lines = [...failed]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([cluster, reasons]) =>
        `  ${cluster}: ${reasons.length === 0 ? 'not ready' : reasons.join('\n    ')}`,
    );
  const all = Object.keys(news.releases).length;
  return `wave ${news.wave} did not pass: ${failed.size} of ${all} clusters failed, ${news.maxFailures} may.${news.onFailure === 'continue' ? '' : ' Later waves were not started.'}\n${lines.join('\n')}\nCorrect the cause and run \`pulumi up\` again: it continues here. If somebody changed clusters meanwhile (by hand, or with \`fleetwright rollback\`), run \`pulumi refresh\` first.`;
}
