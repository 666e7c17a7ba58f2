import { fromWire, unpack } from './release-wire.js';
import type { Session } from './session.js';
import { failureOf, manners, operationsOf } from './session.js';
import type { GateInputs, ReleaseWire } from './wire.js';
import { isUnknown } from './wire.js';

/** Pulumi shows every gate to the provider, also one that has nothing to do. */
export function rememberGate({ gates }: Session, news: GateInputs): void {
  if (!isUnknown(news.__releases)) gates?.set(news.wave, { news });
}

export function rememberPassed({ gates }: Session, news: GateInputs): void {
  gates?.set(news.wave, { news, look: Promise.resolve([]) });
}

/**
 * Before something is written in a wave, the earlier ones are looked at, if their gates have not done so in this run: a run
 * that was killed may have changed them without a word in Pulumi's state.
 */
export async function whyNotAfter(session: Session, waves: readonly string[]): Promise<string[]> {
  const looks = waves.map(async (wave) => {
    const seen = session.gates?.get(wave);
    if (seen === undefined || seen.news.onFailure === 'continue') return [];
    return (seen.look ??= lookAt(session, seen.news));
  });
  return (await Promise.all(looks)).flat();
}

async function lookAt(session: Session, news: GateInputs): Promise<readonly string[]> {
  const wires = unpack<ReleaseWire[]>(news.__releases);
  const found = await Promise.all(
    wires.map(async (wire) => {
      const client = await session.open(wire).catch(failureOf);
      if (typeof client === 'string') return [client];
      const release = fromWire(news, wire);
      const { failures } = await operationsOf(session).verify(release, client, manners(session));
      return failures.slice(0, 1).map(({ message }) => message);
    }),
  );
  const failed = found.filter((reasons) => reasons.length > 0);
  if (failed.length <= news.maxFailures) return [];
  return failed.flat().map((reason) => `not started: wave ${news.wave} is not ready: ${reason}`);
}
