import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { sandboxClusters } from '../../bin/commands/sandbox.js';
import { keepSandbox, writeSandboxFiles } from '../../bin/sandbox-folder.js';
import { main } from '../../bin/main.js';
import { processWorld } from '../../bin/world.js';
import { type Sandbox, startSandbox } from '../../lib/providers/sandbox/index.js';
import { printDocuments } from '../../lib/providers/source/index.js';
import { shopApp } from '../02-constructs/main.js';

/**
 * The tour: two applications' worth of objects (the online boutique from YAML, a shop from constructs) on four simulated clusters;
 * a plan, a rollout, a change, a cluster that goes away in the middle, and the run that completes. Real commands on real files: the
 * folder `demo/` is left behind.
 */
const ROOT = resolve(__dirname, '../..');
const FOLDER = join(ROOT, 'demo');
const NAME = 'demo';
const FLAGS = '--kubeconfig sandbox.kubeconfig';

const world = { ...processWorld(), cwd: FOLDER, env: { ...process.env, CI: '' } };
const say = (text: string): void => world.stdout.write(`${text}\n`);

async function run(command: string): Promise<number> {
  say(`\n$ fleetwright ${command}`);
  return main(command.split(' '), world);
}

/** Stops the tour where it is no longer what it says. */
async function expectCode(command: string, code: number): Promise<void> {
  const found = await run(command);
  if (found !== code)
    throw new Error(`demo: "fleetwright ${command}" ended with code ${found}, expected ${code}`);
}

async function tour(sandbox: Sandbox): Promise<void> {
  say(
    'The shop, as one cluster would have it, and the policies that say where it runs. Show the plan, then roll it out: first the canary cluster, then the others.',
  );
  await expectCode(`up --yes ${FLAGS}`, 0);
  commit('First release');

  say('\nA new image. What does it change, on which cluster?');
  writeShop('nginx:1.30');
  edit('boutique/manifests.yaml', /(\/frontend):v0\.10\.6/, '$1:v0.10.7');
  await expectCode('diff', 0);

  say('\nRoll it out. In the middle of the second wave, us-1 goes away …');
  sandbox.cluster('us-1').faults.inject(({ method }) => {
    if (method !== 'PATCH') return undefined;
    void sandbox.cluster('us-1').stop();
    return { drop: true };
  });
  await expectCode(`up --yes --patience 4 ${FLAGS}`, 1);

  say('\nThe others are done. When us-1 is back, the same command completes what is left.');
  sandbox.cluster('us-1').faults.inject(undefined);
  await sandbox.cluster('us-1').start();
  await expectCode(`up --yes ${FLAGS}`, 0);
  await expectCode(`status ${FLAGS}`, 0);
  commit('Second release');
}

async function demo(): Promise<void> {
  const startedAt = performance.now();
  makeFolder();
  const clusters = sandboxClusters(4).map((spec) =>
    // Reserved for other work: the plan says so.
    spec.name === 'ap-1'
      ? { ...spec, taints: [{ key: 'gpu', value: 'true', effect: 'NoSchedule' }] }
      : spec,
  );
  const sandbox = await startSandbox({ clusters });
  try {
    writeSandboxFiles(FOLDER, sandbox);
    say(
      `Four simulated clusters in three regions: ${clusters.map((c) => c.name).join(', ')}. Files are in ${NAME}/.\n`,
    );
    await tour(sandbox);
    keepSandbox(FOLDER, clusters, sandbox);
  } finally {
    await sandbox.close();
  }
  say(
    `\nThat took ${Math.round((performance.now() - startedAt) / 1000)} s. Everything is in ${NAME}/: sources, fleet.yaml, fleet.lock.yaml.`,
  );
  say('To look around, bring the clusters up again as they are now:');
  say(`  cd ${NAME}`);
  say(
    '  npm run -s fleetwright -- sandbox                                        # in a terminal of its own',
  );
  say(`  npm run -s fleetwright -- status ${FLAGS}`);
  say('  npm run -s fleetwright -- explain Deployment/shop/web');
  say('  kubectl --kubeconfig sandbox.kubeconfig --context eu-1 get pods -A');
}

function makeFolder(): void {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(join(FOLDER, 'shop'), { recursive: true });
  const boutique = join(ROOT, 'examples', '01-online-boutique');
  for (const file of ['manifests.yaml', 'policies.yaml', 'LICENSE'])
    cpSync(join(boutique, file), join(FOLDER, 'boutique', file));
  writeFileSync(join(FOLDER, 'fleetwright.yaml'), 'app: demo\nsources:\n- boutique\n- shop\n');
  cpSync(join(boutique, 'rollout.yaml'), join(FOLDER, 'shop', 'rollout.yaml'));
  writeFileSync(join(FOLDER, '.gitignore'), 'sandbox.kubeconfig\n.fleetwright/\n');
  writeShop('nginx:1.29');
}

/** The constructs as YAML, as `cdk8s synth` would write them: one Rollout an application, and the check is about the shop. */
function writeShop(image: string): void {
  const documents = shopApp(image)
    .toDocuments()
    .map(({ object }) => object)
    .filter((object) => object.kind !== 'Rollout')
    .map((object) =>
      object.kind === 'Check'
        ? { ...object, spec: { ...(object['spec'] as object), resources: SHOP } }
        : object,
    );
  writeFileSync(join(FOLDER, 'shop', 'web.yaml'), printDocuments(documents));
}

const SHOP = [{ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop' }];

function edit(path: string, from: RegExp, to: string): void {
  const file = join(FOLDER, path);
  writeFileSync(file, readFileSync(file, 'utf8').replace(from, to));
}

/** `diff` compares with a commit, as a pull request would. */
function commit(message: string): void {
  const git = (...args: string[]): void =>
    void spawnSync('git', ['-c', 'user.name=Demo', '-c', 'user.email=demo@example.com', ...args], {
      cwd: FOLDER,
    });
  if (message.startsWith('First')) git('init', '-q');
  git('add', '-A');
  git('commit', '-q', '-m', message);
}

void demo().then(
  () => undefined,
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
