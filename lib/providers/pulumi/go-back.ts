import type { PlannedWave } from '../../engine/plan.js';
import type { Connect } from '../cluster/client.js';
import { patientClient } from '../rollout/patient-client.js';
import { fromWire, ownerOf } from './release-wire.js';
import type { Session } from './session.js';
import { clockOf, operationsOf } from './session.js';
import type { ClusterAccess, GateInputs, ReleaseWire } from './wire.js';

/** What became of going back, for people. */
export interface WentBack {
  /** Something was begun on clusters: they may not have the planned releases any more. */
  readonly isBack: boolean;
  readonly lines: readonly string[];
}

/**
 * Take the clusters of a failed wave back to the newest kept revision, the last state that the whole fleet has proven. Earlier
 * waves have passed and stay (ADR 0102). Never throws for what clusters do.
 */
export async function goBack(
  session: Session,
  news: GateInputs,
  wires: readonly ReleaseWire[],
): Promise<WentBack> {
  const { maxConcurrent, deadlineSeconds, lockSerial, now } = news.__wave;
  const wave: PlannedWave = {
    name: news.wave,
    clusters: wires.map(({ cluster }) => cluster),
    maxConcurrent,
    gate: { soakSeconds: 0, deadlineSeconds, maxFailures: wires.length, approval: false },
  };
  const plan = {
    ...ownerOf(news),
    now,
    lock: { serial: lockSerial },
    waves: [wave],
    releases: wires.map((wire) => fromWire(news, wire)),
  };
  const operations = operationsOf(session);
  const connect = connectTo(session, wires);
  const way = await operations.findWayBack(plan, [wave], connect);
  if (way.kind === 'none') return { isBack: false, lines: [`Nothing went back: ${way.why}.`] };
  const { prepared, obstacles } = way;
  const stays = obstacles.map((line) => `  stays as it is: ${line}`);
  if (prepared.plan.releases.length === 0)
    return { isBack: false, lines: ['Nothing went back:', ...stays] };
  const { signal } = session.link;
  const report = await operations.rollOut(prepared.plan, connect, {
    signal,
    clock: clockOf(session),
    approve: 'all',
    keep: false,
    ...(session.unreachableSeconds !== undefined && {
      unreachableSeconds: session.unreachableSeconds,
    }),
  });
  const left = report.notDone.map(({ cluster, why }) => `  ${cluster}: ${why}`);
  return {
    isBack: true,
    lines: [
      `The wave went back to revision ${prepared.revision}${report.outcome === 'done' ? '.' : ', but not all of it:'}`,
      ...left,
      ...stays,
      'The next `pulumi up` tries again.',
    ],
  };
}

/** Clients that wait for a cluster that is away for a moment. */
export function connectTo(session: Session, accesses: readonly ClusterAccess[]): Connect {
  const byCluster = new Map(accesses.map((access) => [access.cluster, access]));
  return async (cluster) => {
    const access = byCluster.get(cluster);
    if (access === undefined) throw new RangeError(`the plan has no cluster ${cluster}`);
    return patientClient(await session.open(access), {
      clock: clockOf(session),
      silenceMs: (session.unreachableSeconds ?? 30) * 1000,
      signal: session.link.signal,
    });
  };
}
