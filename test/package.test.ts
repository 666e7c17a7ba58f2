import { execFile } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

/**
 * The package as npm would publish it, in empty projects that have what it declares and nothing else. What is declared is
 * linked from this clone, so that the test needs no network.
 */
const ROOT = resolve(__dirname, '..');
const MINUTE = 60_000;
const run = promisify(execFile);

interface Manifest {
  readonly bin: Record<string, string>;
  readonly dependencies: Record<string, string>;
  readonly devDependencies: Record<string, string>;
  readonly peerDependencies: Record<string, string>;
  readonly peerDependenciesMeta: Record<string, { readonly optional?: boolean }>;
}

let folder: string;
let packed: string;
let manifest: Manifest;

beforeAll(async () => {
  if (!existsSync(join(ROOT, 'dist/lib/index.js')))
    throw new Error('the package is not built: `npm test` builds it, or run `npm run build`');
  folder = mkdtempSync(join(tmpdir(), 'fleetwright-package-'));
  const { stdout } = await run(
    'npm',
    ['pack', '--json', '--ignore-scripts', '--offline', '--pack-destination', folder],
    { cwd: ROOT, maxBuffer: 64 * 1024 * 1024 },
  );
  const [tarball] = JSON.parse(stdout) as { filename: string }[];
  await run('tar', ['xzf', join(folder, tarball?.filename ?? ''), '-C', folder]);
  packed = join(folder, 'package');
  manifest = JSON.parse(readFileSync(join(packed, 'package.json'), 'utf8')) as Manifest;
}, 2 * MINUTE);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** An empty project with the package installed, its dependencies, and `peers` of its choice. */
function project(name: string, peers: readonly string[]): string {
  const at = join(folder, name);
  const modules = join(at, 'node_modules');
  mkdirSync(modules, { recursive: true });
  cpSync(packed, join(modules, 'fleetwright'), { recursive: true });
  for (const dependency of [...Object.keys(manifest.dependencies), ...peers]) {
    mkdirSync(dirname(join(modules, dependency)), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', dependency), join(modules, dependency));
  }
  writeFileSync(join(at, 'package.json'), JSON.stringify({ name, private: true }));
  return at;
}

/** What the script prints as JSON. */
async function evaluate(at: string, file: string, script: string): Promise<unknown> {
  writeFileSync(join(at, file), script);
  const { stdout } = await run(process.execPath, [file], { cwd: at, env: cleanEnv() });
  return JSON.parse(stdout) as unknown;
}

/** Without what jest and npm put into the environment. */
function cleanEnv(): Record<string, string> {
  return {
    PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
    HOME: folder,
    NO_COLOR: '1',
    NODE_OPTIONS: '--no-warnings',
  };
}

const PEERS = ['cdk8s', 'constructs', '@pulumi/pulumi'];

const USE = `
const app = new FleetApp();
const chart = new Chart(app, 'shop', { namespace: 'shop' });
new FederatedDeployment(chart, 'web', {
  replicas: 4,
  containers: [{ name: 'web', image: 'nginx:1.29' }],
  placement: { replicaScheduling: ReplicaScheduling.dividedEvenly() },
});
const { fleet } = readFleet('fleet.yaml', { cwd: __dirname });
const result = plan(
  { documents: app.toDocuments(), fleet, now: '2026-01-02T00:00:00Z', options: { application: 'shop', profile: 'default', target: 'members' } },
  standardTools(),
);
console.log(JSON.stringify({
  applicable: result.applicable,
  same: plan === enginePlan,
  text: describePlan(result).includes('Deployment shop/web'),
  release: typeof FleetRelease,
  provider: Object.keys(provider).filter((k) => ['check', 'diff', 'create', 'update', 'read', 'delete'].includes(k)).sort(),
}));
`;
const USED = {
  applicable: true,
  same: true,
  text: true,
  release: 'function',
  provider: ['check', 'create', 'delete', 'diff', 'read', 'update'],
};

describe('the tarball', () => {
  test('holds what runs, its types and its licence; no sources, tests or examples', () => {
    const files = readdirSync(packed, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(packed, join(entry.parentPath, entry.name)));
    const unexpected = files.filter(
      (file) =>
        !/^dist\/(lib|bin)\/.*\.(js|js\.map|d\.ts)$/.test(file) &&
        !['package.json', 'README.md', 'CHANGELOG.md', 'LICENSE', 'docs/plan.schema.json'].includes(
          file,
        ),
    );

    expect(files).toEqual(
      expect.arrayContaining(['LICENSE', 'README.md', 'dist/lib/index.js', 'dist/lib/index.d.ts']),
    );
    expect(unexpected).toEqual([]);
  });

  test('frameworks are peers, and nobody who plans YAML must install them', () => {
    const peers = ['@pulumi/kubernetes', '@pulumi/pulumi', 'cdk8s', 'constructs'];

    expect(Object.keys(manifest.peerDependencies)).toEqual(peers);
    expect(peers.filter((peer) => !manifest.peerDependenciesMeta[peer]?.optional)).toEqual([]);
    expect(peers.filter((peer) => peer in manifest.dependencies)).toEqual([]);
    expect(peers.filter((peer) => !(peer in manifest.devDependencies))).toEqual([]);
  });

  test('the lockfile names no address', () => {
    expect(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).not.toMatch(
      /"resolved"|https?:\/\/[^"]*\.tgz/,
    );
  });
});

describe('in a project with cdk8s and Pulumi', () => {
  let at: string;
  beforeAll(() => {
    at = project('full', [...PEERS, '@types/node', 'typescript']);
    cpSync(join(ROOT, 'examples/02-constructs/fleet.yaml'), join(at, 'fleet.yaml'));
  });

  test(
    'every entry point works from CommonJS',
    async () => {
      const script = `
const { Chart } = require('cdk8s');
const { plan, readFleet, standardTools } = require('fleetwright');
const { plan: enginePlan, describePlan } = require('fleetwright/engine');
const { FederatedDeployment, FleetApp, ReplicaScheduling } = require('fleetwright/constructs');
const { FleetRelease } = require('fleetwright/pulumi');
const provider = require('fleetwright/pulumi/provider');
${USE}`;

      expect(await evaluate(at, 'use.cjs', script)).toEqual(USED);
    },
    MINUTE,
  );

  test(
    'every entry point works from an ES module, by name',
    async () => {
      const script = `
import { Chart } from 'cdk8s';
import { plan, readFleet, standardTools } from 'fleetwright';
import { plan as enginePlan, describePlan } from 'fleetwright/engine';
import { FederatedDeployment, FleetApp, ReplicaScheduling } from 'fleetwright/constructs';
import { FleetRelease } from 'fleetwright/pulumi';
import * as provider from 'fleetwright/pulumi/provider';
const __dirname = import.meta.dirname;
${USE}`;

      expect(await evaluate(at, 'use.mjs', script)).toEqual(USED);
    },
    MINUTE,
  );

  test.each([
    // A planner in a browser or a policy engine loads nothing else.
    ['fleetwright/engine', /^fleetwright\/dist\/lib\/engine\//],
    ['fleetwright/constructs', /^(?!.*(pulumi|zod|client-node|undici))/],
    // The program side of Pulumi talks to no cluster: that library costs half a second and a hundred megabytes.
    ['fleetwright/pulumi', /^(?!.*(client-node|undici|cdk8s))/],
  ])(
    '%s loads only what it needs',
    async (entry, allowed) => {
      const loaded = (await evaluate(
        at,
        'loaded.cjs',
        `require('${entry}');
console.log(JSON.stringify(Object.keys(require.cache).flatMap((f) => f.split('/node_modules/').slice(1).join('/node_modules/') || [])));`,
      )) as string[];

      expect(loaded.length).toBeGreaterThan(5);
      expect(loaded.filter((file) => !allowed.test(file)).slice(0, 10)).toEqual([]);
    },
    MINUTE,
  );

  test(
    'the constant that Pulumi keeps in its state resolves from the project',
    async () => {
      expect(
        await evaluate(
          at,
          'constant.cjs',
          `exports.handler=()=>require("fleetwright/pulumi/provider");
console.log(JSON.stringify(typeof exports.handler().create));`,
        ),
      ).toBe('function');
    },
    MINUTE,
  );

  test.each([
    ['nodenext', { module: 'nodenext', moduleResolution: 'nodenext' }],
    ['bundler', { module: 'esnext', moduleResolution: 'bundler' }],
  ])(
    'types resolve with moduleResolution %s, and are no `any`',
    async (name, options) => {
      writeFileSync(
        join(at, 'consumer.ts'),
        `import { Chart, Duration } from 'cdk8s';
import { plan, readFleet, readSources, standardTools, type Plan } from 'fleetwright';
import { describePlan, type Diagnostic } from 'fleetwright/engine';
import { FederatedDeployment, FleetApp, ReplicaScheduling, Rollout } from 'fleetwright/constructs';
import { FleetRelease } from 'fleetwright/pulumi';

const app = new FleetApp();
const shop = new Chart(app, 'shop', { namespace: 'shop' });
new FederatedDeployment(shop, 'web', {
  replicas: 9,
  containers: [{ name: 'web', image: 'nginx:1.29', resources: { requests: { cpu: '250m' } } }],
  placement: { replicaScheduling: ReplicaScheduling.dividedByAvailableReplicas() },
});
new Rollout(shop, 'rollout', { waves: [{ name: 'all', soak: Duration.minutes(5) }] });
// @ts-expect-error -- a typo in a placement
new FederatedDeployment(shop, 'a', { containers: [], placement: { clusterAfinity: {} } });
// @ts-expect-error -- a typo in a pod spec
new FederatedDeployment(shop, 'b', { containers: [{ name: 'b', imag: 'x' }], placement: {} });
// @ts-expect-error -- no fleet
new FleetRelease('shop', { app });
const release = new FleetRelease('shop', { app, fleet: 'fleet.yaml' });
export const generations: Promise<Record<string, number>> = new Promise((done) => {
  release.observedGeneration.apply(done);
});
export const findings: readonly Diagnostic[] = release.plan.diagnostics;
const found: Plan = plan(
  {
    documents: readSources(['.'], { cwd: '.' }).documents,
    fleet: readFleet('fleet.yaml', { cwd: '.' }).fleet ?? { clusters: [] },
    now: '',
    options: { application: 'shop', profile: 'default', target: 'members' },
  },
  standardTools(),
);
// @ts-expect-error -- plans are read-only
found.applicable = true;
export const text: string = describePlan(found);
`,
      );
      writeFileSync(
        join(at, 'tsconfig.json'),
        JSON.stringify({
          compilerOptions: {
            ...options,
            target: 'es2022',
            strict: true,
            noEmit: true,
            skipLibCheck: true,
            types: ['node'],
          },
          files: ['consumer.ts'],
        }),
      );

      const checked = await run(process.execPath, ['node_modules/typescript/bin/tsc', '-p', '.'], {
        cwd: at,
      }).catch((error: { stdout: string }) => error);

      expect([name, checked.stdout]).toEqual([name, '']);
    },
    2 * MINUTE,
  );
});

describe('in a project without cdk8s and Pulumi', () => {
  let at: string;
  beforeAll(() => {
    at = project('bare', []);
    cpSync(join(ROOT, 'examples/04-karmada-nginx'), join(at, 'nginx'), { recursive: true });
  });

  test(
    'the package plans YAML',
    async () => {
      const script = `
const { plan, readFleet, readSources, standardTools } = require('fleetwright');
const { documents } = readSources(['nginx'], { cwd: __dirname });
const { fleet } = readFleet('nginx/fleet.yaml', { cwd: __dirname });
const result = plan({ documents, fleet, now: '2026-01-02T00:00:00Z', options: { application: 'nginx', profile: 'karmada', target: 'members' } }, standardTools());
console.log(JSON.stringify(result.bindings.map((b) => b.assignments.map((a) => [a.cluster, a.replicas]))));`;

      expect(await evaluate(at, 'use.cjs', script)).toEqual([
        [
          ['member1', 1],
          ['member2', 1],
        ],
      ]);
    },
    MINUTE,
  );

  test(
    'the command line runs as npm links it',
    async () => {
      const target = join(at, 'node_modules/fleetwright', manifest.bin['fleetwright'] ?? '');
      const link = join(at, 'node_modules/.bin/fleetwright');
      mkdirSync(dirname(link));
      symlinkSync(target, link);
      chmodSync(target, 0o755);

      const { stdout } = await run(
        link,
        [
          'plan',
          '-f',
          'nginx',
          '--fleet',
          'nginx/fleet.yaml',
          '--app',
          'nginx',
          '--profile',
          'karmada',
        ],
        { cwd: at, env: cleanEnv() },
      );

      expect(stdout).toMatch(/Deployment default\/nginx/);
      expect(stdout).toMatch(/member1 .*chosen/);
    },
    MINUTE,
  );
});
