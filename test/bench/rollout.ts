import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench, Figure } from './bench.js';
import { measure, type Measured, type Timed } from './rollout/measure.js';
import {
  dividedDeployments,
  manyKinds,
  manySettings,
  oneOfMany,
  threeWaves,
  writeProject,
} from './rollout/projects.js';
import { openPulumiProject } from './rollout/pulumi.js';
import {
  moved,
  startBlackHole,
  startRig,
  startSandboxCommand,
  type Servers,
} from './rollout/servers.js';

/** Commands as people type them, from their arguments to their exit: reading files and planning are in all of them. */
const UP = 'up -f documents.yaml --kubeconfig kubeconfig --yes --events-json';
const SECONDS = 1000;

async function run(): Promise<Figure[]> {
  const root = mkdtempSync(join(tmpdir(), 'fleetwright-bench-'));
  try {
    return [
      ...(await withServers(startRig(), (servers) => onRealServers(root, servers))),
      ...(await withServers(startSandboxCommand(join(root, 'sandbox'), 100), (servers) =>
        onManyClusters(root, servers),
      )),
      ...(await withServers(startSandboxCommand(join(root, 'ten'), 10), (servers) =>
        amongMany(root, servers),
      )),
    ];
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

async function withServers(
  starting: Promise<Servers | undefined>,
  work: (servers: Servers) => Promise<Figure[]>,
): Promise<Figure[]> {
  const servers = await starting;
  if (servers === undefined) {
    process.stderr.write('Go is not installed: nothing is measured on real API servers.\n');
    return [];
  }
  try {
    return await work(servers);
  } finally {
    await servers.close();
  }
}

async function onRealServers(root: string, { kubeconfig, clusters }: Servers): Promise<Figure[]> {
  const folder = join(root, 'divided');
  const write = (changed: string): void => {
    const imageOf = (name: string): string => (name === changed ? 'nginx:1.30' : 'nginx:1.29');
    const documents = dividedDeployments('bench', 300, clusters.length, imageOf);
    writeProject(folder, documents, kubeconfig);
  };
  write('none');
  await expectDone(snapshot(clusters), folder);
  const first = await expectDone(`${UP} --app divided`, folder);
  write('web-150');
  const again = await expectDone(`${UP} --app divided`, folder);
  const unchanged = await expectDone(`${UP} --app divided`, folder);

  const single = join(root, 'single');
  const documents = manyKinds('bench-kinds', 250);
  writeProject(single, documents, kubeconfig);
  await expectDone(snapshot(clusters.slice(0, 1)), single);
  const thousand = await expectDone(`${UP} --app kinds`, single);

  const what = '300 Deployments of 3 replicas, one on each of three API servers';
  return [
    figure(`${what}: all 900 objects applied`, appliedMs(first), 10),
    figure(`${what}: all ready`, readyMs(first), 30),
    ...costs(first),
    figure('one of these 300 changed: observed on all three', observedMs(again, 'web-150'), 2),
    figure('  the whole run, with all others verified', again.wallMs),
    ...costs(again),
    figure('none of them changed: the whole run', unchanged.wallMs),
    ...costs(unchanged),
    figure('1,000 objects to one API server: applied', appliedMs(thousand)),
    figure('1,000 objects to one API server: observed and ready', readyMs(thousand), 60),
    ...costs(thousand),
  ];
}

async function onManyClusters(root: string, { kubeconfig, clusters }: Servers): Promise<Figure[]> {
  const folder = join(root, 'waves');
  const documents = [...manyKinds('bench', 3), threeWaves()];
  writeProject(folder, documents, kubeconfig);
  const looked = await expectDone(snapshot(clusters), folder);
  const waves = await expectDone(`${UP} --app waves`, folder);
  const changed = manyKinds('bench', 3, 'nginx:1.30');
  writeProject(folder, [...changed, threeWaves()], kubeconfig);
  const plan = `plan -f documents.yaml --kubeconfig kubeconfig --app waves`;
  const offline = await expectDone(plan, folder);
  const asked = await expectDone(`${plan} --dry-run server`, folder);
  const hole = await startBlackHole();
  const dead = clusters.filter((_, i) => i % 40 === 5);
  writeFileSync(join(folder, 'kubeconfig'), moved(kubeconfig, dead, hole.url));
  const partly = await expectDone(`${plan} --dry-run server`, folder);
  const pulumi = await pulumiPreviews(dead, hole.url, {
    kubeconfig,
    documents: [...changed, threeWaves()],
    fleet: folder,
  });
  hole.close();
  const named = dead.filter((name) => partly.stderr.includes(name));
  if (named.length !== 3) throw new Error(`3 clusters are silent, named were: ${named.join()}`);
  return [
    figure('fleet snapshot of 100 simulated clusters', looked.wallMs),
    figure('100 simulated clusters of 12 objects, waves 20/30/50 at 50 %: done', waves.wallMs, 60),
    ...costs(waves),
    figure('preview of a change there, from the files', offline.wallMs),
    figure('  with --dry-run=server', asked.wallMs),
    ...costs(asked),
    figure('  added by 3 black-holed clusters', partly.wallMs - asked.wallMs, 10),
    ...pulumi,
  ];
}

/** The same with `dryRun: true`, by the Pulumi CLI, where there is Go to build it with. */
async function pulumiPreviews(
  dead: readonly string[],
  hole: string,
  { kubeconfig, documents, fleet }: PreviewedProject,
): Promise<Figure[]> {
  const project = await openPulumiProject(documents, join(fleet, 'fleet.yaml'));
  if (project === undefined) return [];
  try {
    const plain = await project.preview(kubeconfig, false);
    const asked = await project.preview(kubeconfig, true);
    const partly = await project.preview(moved(kubeconfig, dead, hole), true);
    const named = dead.filter((name) => partly.text.includes(`${name}: no answer`));
    if (named.length !== 3) throw new Error(`3 clusters are silent, named were: ${named.join()}`);
    return [
      figure('`pulumi preview` of a change there', plain.ms),
      figure('  with `dryRun: true`', asked.ms),
      figure('  added by 3 black-holed clusters', partly.ms - asked.ms, 10),
    ];
  } finally {
    project.remove();
  }
}

interface PreviewedProject {
  readonly kubeconfig: string;
  readonly documents: Parameters<typeof openPulumiProject>[0];
  /** Folder of the fleet's file. */
  readonly fleet: string;
}

function snapshot(clusters: readonly string[]): string {
  const contexts = clusters.map((name) => `--context ${name}`).join(' ');
  return `fleet snapshot --kubeconfig kubeconfig ${contexts}`;
}

/** What a restart finds: nearly everything is there, and one thing is new. */
async function amongMany(root: string, { kubeconfig, clusters }: Servers): Promise<Figure[]> {
  const folder = join(root, 'many');
  const write = (image: string): void => {
    const documents = [...oneOfMany('bench-many', image), ...manySettings('bench-many', 2_995)];
    writeProject(folder, documents, kubeconfig);
  };
  write('nginx:1.29');
  await expectDone(snapshot(clusters), folder);
  await expectDone(`${UP} --app many`, folder);
  write('nginx:1.30');
  const again = await expectDone(`${UP} --app many`, folder);
  return [
    figure(
      'one Deployment changed among 30,000 objects on ten clusters: observed on all ten',
      observedMs(again, 'web-0'),
      10,
    ),
    figure('  of which reading files, looking at the clusters and planning', startMs(again)),
    figure('  the whole run, with all others verified', again.wallMs),
    ...costs(again),
  ];
}

async function expectDone(command: string, folder: string): Promise<Measured> {
  const measured = await measure(command.split(' '), folder);
  if (measured.code !== 0)
    throw new Error(`${command} ended with ${measured.code}\n${measured.stderr.slice(-4000)}`);
  return measured;
}

/** When the last object was written, on whichever cluster. */
function appliedMs({ events }: Measured): number {
  return lastMs(
    events,
    ({ event }) => event.kind === 'object' && event.progress.kind === 'written',
  );
}

function readyMs({ events }: Measured): number {
  return lastMs(events, ({ event }) => event.kind === 'object' && event.progress.kind === 'ready');
}

function startMs({ events }: Measured): number {
  return events.find(({ event }) => event.kind === 'wave')?.ms ?? Infinity;
}

/** When the last cluster showed one object at its new revision, observed and rolled out. */
function observedMs({ events }: Measured, name: string): number {
  return lastMs(
    events,
    ({ event }) =>
      event.kind === 'object' &&
      event.progress.kind === 'ready' &&
      event.progress.resource.name === name,
  );
}

function lastMs(events: readonly Timed[], which: (event: Timed) => boolean): number {
  return events.findLast(which)?.ms ?? Infinity;
}

function figure(name: string, ms: number, atMostSeconds?: number): Figure {
  return {
    name,
    value: ms / SECONDS,
    unit: 's',
    ...(atMostSeconds !== undefined && { target: { atMost: atMostSeconds } }),
  };
}

/** What a run cost us, whatever else the machine did. */
function costs({ cpuMs, requests, writes, connections }: Measured): Figure[] {
  return [
    figure('  our own processor time', cpuMs),
    { name: '  requests', value: requests, unit: '' },
    { name: '  of them writes', value: writes, unit: '' },
    { name: '  connections opened to one cluster', value: connections, unit: '' },
  ];
}

export const bench: Bench = {
  title: 'Rollouts, from start to exit of the command (wall clock, servers on the same machine)',
  run,
};
