import type { Release } from '../../engine/plan.js';
import { STEADY_CLOCK, verifyRelease } from '../rollout/index.js';
import { fromWire, unpack } from './release-wire.js';
import type { Session } from './session.js';
import { failureOf, manners } from './session.js';
import type { GateInputs, ReleaseWire } from './wire.js';
import { isUnknown, SCHEMA_VERSION } from './wire.js';

export interface GateOutputs {
  readonly schemaVersion: number;
  readonly kind: 'gate';
  readonly wave: string;
  /** Of the releases that it let pass; `''` while held. */
  readonly hash: string;
  readonly __provider: string;
}

interface ReleaseState {
  readonly status: string;
  readonly reasons: readonly string[];
}

/**
 * A gate that let these very releases pass stays open while they are all ready; a held one does not move. A release that
 * drifted and could not be corrected is asked about again, though nothing in the plan changed.
 */
export function diffGate(olds: GateOutputs, news: GateInputs): { changes: boolean } {
  if (news.held) return { changes: false };
  const isSettled = Object.values(news.releases).every(
    (text) => !isUnknown(text) && (JSON.parse(text) as ReleaseState).status === 'ready',
  );
  return {
    changes: !isSettled || olds.hash !== news.hash || olds.schemaVersion !== SCHEMA_VERSION,
  };
}

/**
 * Decide whether the next wave may start: every release of this one is ready at the plan's revisions, now and through
 * the soak, but for `maxFailures` of them.
 *
 * @throws Error with a reason per cluster and object; the wave's releases stay as they are, later ones are not started.
 */
export async function passGate(
  session: Session,
  news: GateInputs,
  before: GateOutputs | undefined,
): Promise<GateOutputs> {
  const outputs = (hash: string): GateOutputs => ({
    schemaVersion: SCHEMA_VERSION,
    kind: 'gate',
    wave: news.wave,
    hash,
    __provider: news.__provider,
  });
  if (news.held) return outputs(before?.hash ?? '');
  const states = Object.entries(news.releases).map(
    ([cluster, text]) => [cluster, JSON.parse(text) as ReleaseState] as const,
  );
  const failed = new Map(
    states.filter(([, s]) => s.status !== 'ready').map(([cluster, s]) => [cluster, s.reasons]),
  );
  const releases = unpack<ReleaseWire[]>(news.__releases).filter(
    (wire) => !failed.has(wire.cluster),
  );
  await soak(session, news, releases, failed);
  if (failed.size > news.maxFailures) throw new Error(describe(news, failed));
  return outputs(news.hash);
}

/** Look at every cluster again, at the end of the soak too: unready once means not passed. */
async function soak(
  session: Session,
  news: GateInputs,
  wires: readonly ReleaseWire[],
  failed: Map<string, readonly string[]>,
): Promise<void> {
  const until = STEADY_CLOCK.now() + news.soakSeconds * 1000;
  for (;;) {
    const left = wires.filter((wire) => !failed.has(wire.cluster));
    await Promise.all(left.map((wire) => verify(session, fromWire(news, wire), wire, failed)));
    const remaining = until - STEADY_CLOCK.now();
    if (remaining <= 0 || failed.size > news.maxFailures) return;
    session.link.status(
      news.__urn,
      `wave ${news.wave}: soaking for another ${Math.ceil(remaining / 1000)} s`,
      { ephemeral: true },
    );
    await STEADY_CLOCK.sleep(Math.min(remaining, 2000), session.link.signal);
    if (session.link.signal.aborted) throw new Error('stopped because the Pulumi engine is gone');
  }
}

async function verify(
  session: Session,
  release: Release,
  wire: ReleaseWire,
  failed: Map<string, readonly string[]>,
): Promise<void> {
  const client = await session.open(wire).catch(failureOf);
  if (typeof client === 'string') {
    failed.set(wire.cluster, [client]);
    return;
  }
  const result = await verifyRelease(release, client, manners(session));
  if (result.outcome !== 'ready')
    failed.set(
      wire.cluster,
      result.failures.map((f) => f.message),
    );
}

function describe(news: GateInputs, failed: ReadonlyMap<string, readonly string[]>): string {
  const lines = [...failed]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([cluster, reasons]) =>
        `  ${cluster}: ${reasons.length === 0 ? 'not ready' : reasons.join('\n    ')}`,
    );
  const all = Object.keys(news.releases).length;
  return `wave ${news.wave} did not pass: ${failed.size} of ${all} clusters failed, ${news.maxFailures} may. Later waves were not started.\n${lines.join('\n')}\nCorrect the cause and run \`pulumi up\` again: it continues here.`;
}
