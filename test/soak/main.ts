/**
 * `npm run check:soak`: an hour (`FLEETWRIGHT_SOAK_MINUTES`) of rollouts over 100 simulated clusters in one process.
 *
 * Two thirds of the time one version follows the other, wave by wave; the rest is one long soak in which objects change and
 * clusters go away for a moment. All through it the memory of this process must stay flat, connections to each cluster bounded,
 * and every rollout be done.
 */
import type { FleetLock } from '../../lib/api/fleet-lock.js';
import type { Plan } from '../../lib/engine/plan.js';
import { connectKubeconfig, type ClusterClient } from '../../lib/providers/cluster/index.js';
import { runRollout } from '../../lib/providers/rollout/index.js';
import { startFleet, type SoakFleet } from './fleet.js';
import { sample, trendOf, type Sample, type Trend } from './memory.js';
import { oneWave, planVersion, THREE_WAVES } from './versions.js';

const CLUSTERS = Number(process.env['FLEETWRIGHT_SOAK_CLUSTERS'] ?? 100);
const MINUTES = Number(process.env['FLEETWRIGHT_SOAK_MINUTES'] ?? 60);
/** Requests of one client at a time, and its watches. */
const CONNECTIONS_AT_MOST = 16 + 4;
/** Of what is measured after the warm-up: growth that is no noise. */
const HEAP_GROWTH_MIB = 8;
const RSS_GROWTH = 0.15;

type Phase = 'rollouts' | 'soak';
type Look = (phase: Phase) => Promise<void>;
type Clients = ReadonlyMap<string, ClusterClient>;

async function main(): Promise<number> {
  const warnings: string[] = [];
  process.on('warning', ({ name, message }) => {
    if (name === 'MaxListenersExceededWarning') warnings.push(message);
  });
  const fleet = await startFleet(CLUSTERS);
  const open = connectKubeconfig({ kubeconfig: { text: fleet.kubeconfig } });
  const clients: Clients = new Map(
    await Promise.all(fleet.names.map(async (name) => [name, await open(name)] as const)),
  );
  try {
    const startedAt = performance.now();
    const endsAt = startedAt + MINUTES * 60_000;
    const samples: Sample[] = [];
    const look: Look = async (phase) => {
      const one = sample(startedAt, phase);
      samples.push(one);
      await fleet.connections();
      const { atSeconds, heapMiB, rssMiB, resources } = one;
      process.stderr.write(
        `[${String(atSeconds).padStart(5)} s] ${phase}: heap ${heapMiB.toFixed(1)} MiB, rss ${rssMiB.toFixed(0)} MiB, ${resources} resources\n`,
      );
    };
    const { lock } = await rollOutFor(fleet, clients, (endsAt - startedAt) * (2 / 3), look);
    await soakUntil(fleet, clients, endsAt, lock, look);
    return verdict(samples, await fleet.connections(), warnings, lock.serial);
  } finally {
    for (const client of clients.values()) await client.close();
    await fleet.close();
  }
}

/** One version after the other. */
async function rollOutFor(
  fleet: SoakFleet,
  clients: Clients,
  ms: number,
  look: Look,
): Promise<Plan> {
  const until = performance.now() + ms;
  let lock: FleetLock | undefined;
  for (let version = 1; ; version++) {
    const plan = planVersion(fleet.names, version, THREE_WAVES, lock);
    await mustBeDone(plan, clients);
    await look('rollouts');
    lock = plan.lock;
    if (performance.now() >= until) return plan;
  }
}

/** One version that soaks on all clusters until the end, while its objects change and clusters go away for a moment. */
async function soakUntil(
  fleet: SoakFleet,
  clients: Clients,
  endsAt: number,
  lock: FleetLock,
  look: Look,
): Promise<void> {
  const soakSeconds = Math.max(5, Math.floor((endsAt - performance.now()) / 1000));
  const plan = planVersion(fleet.names, lock.serial + 1, oneWave(soakSeconds), lock);
  let isOver = false;
  const soaking = mustBeDone(plan, clients).finally(() => (isOver = true));
  for (let turn = 0; !isOver; turn++) {
    const name = fleet.names[turn % fleet.names.length] ?? '';
    // A label: an annotation would make a new generation, and the soak start anew.
    const labels = { 'example.com/turn': String(turn) };
    const metadata = { name: 'web', namespace: 'shop', labels };
    await clients
      .get(name)
      ?.apply({ apiVersion: 'apps/v1', kind: 'Deployment', metadata }, { fieldManager: 'noise' })
      .catch(() => undefined);
    if (turn % 50 === 49) await fleet.bounce(name);
    if (turn % 100 === 99) await look('soak');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await soaking;
}

async function mustBeDone(plan: Plan, clients: Clients): Promise<void> {
  if (!plan.applicable) throw new Error(JSON.stringify(plan.diagnostics.slice(0, 3)));
  const report = await runRollout(plan, (name) => Promise.resolve(clients.get(name) as never));
  if (report.outcome !== 'done')
    throw new Error(`${report.outcome}: ${JSON.stringify(report.notDone.slice(0, 3))}`);
}

function verdict(
  samples: readonly Sample[],
  connections: Awaited<ReturnType<SoakFleet['connections']>>,
  warnings: readonly string[],
  rounds: number,
): number {
  const phases = (['rollouts', 'soak'] as const).map((phase) => {
    const own = samples.filter((one) => one.phase === phase);
    const [heap, rss] = [trendOf(own, 'heapMiB'), trendOf(own, 'rssMiB')];
    return { phase, heap, rss, resources: trendOf(own, 'resources') };
  });
  const peaks = Object.values(connections).map(({ peak }) => peak);
  const opened = Object.values(connections).map((one) => one.opened);
  const findings = [
    ...phases.flatMap(({ phase, heap, rss, resources }) => [
      ...(heap.last - heap.first > HEAP_GROWTH_MIB ? [`the heap grows in ${phase}`] : []),
      ...(rss.last > rss.first * (1 + RSS_GROWTH) ? [`the memory grows in ${phase}`] : []),
      ...(resources.last > resources.first + 2 * CLUSTERS ? [`timers pile up in ${phase}`] : []),
    ]),
    ...(Math.max(...peaks) > CONNECTIONS_AT_MOST ? ['too many connections to one cluster'] : []),
    ...(warnings.length > 0 ? [`listeners pile up: ${warnings[0] ?? ''}`] : []),
  ];
  const line = (what: string, { first, last, perHour }: Trend): string =>
    `${what.padEnd(32)} ${first.toFixed(1)} → ${last.toFixed(1)} (${perHour >= 0 ? '+' : ''}${perHour.toFixed(1)} an hour)`;
  process.stdout.write(
    [
      `${CLUSTERS} clusters, ${MINUTES} minutes, ${rounds} rollouts and one soak, ${samples.length} samples`,
      ...phases.flatMap(({ phase, heap, rss, resources }) => [
        line(`${phase}: heap after GC, MiB`, heap),
        line(`${phase}: resident memory, MiB`, rss),
        line(`${phase}: active resources`, resources),
      ]),
      `connections a cluster: at most ${Math.max(...peaks)} at once, ${Math.max(...opened)} in all`,
      findings.length === 0 ? 'flat' : `NOT FLAT: ${findings.join('; ')}`,
      '',
    ].join('\n'),
  );
  return findings.length === 0 ? 0 : 1;
}

void main().then((code) => {
  process.exitCode = code;
});
