import { mkdtempSync, readFileSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import * as pulumi from '@pulumi/pulumi';
import type { MockResourceArgs, MockResourceResult } from '@pulumi/pulumi/runtime/index.js';
import type { FleetReleaseArgs } from '../../../lib/providers/pulumi/args.js';
import { outputText } from '../../../lib/providers/pulumi/late-values.js';
import { FleetRelease } from '../../../lib/providers/pulumi/fleet-release.js';
import { unpack } from '../../../lib/providers/pulumi/release-wire.js';
import { PROVIDER } from '../../../lib/providers/pulumi/wire.js';
import { printDocuments } from '../../../lib/providers/source/index.js';
import { aCluster, aDeployment, aPolicy } from '../../builders.js';

/** Wiring only: Pulumi's mocks register without an engine, and no provider function runs. */
interface Registered {
  readonly type: string;
  readonly name: string;
  readonly inputs: Record<string, unknown>;
  readonly secrets: readonly string[];
  readonly dependsOn: readonly string[];
  readonly provider: string;
}

const SECRET = '4dabf18193072939515e22adb298388d';
const SIGNATURE = '1b47061264138c4ac30d75fd1eb44270';

let folder: string;
let registered: Registered[];
let dependencies: Map<string, string[]>;
/** What the releases report; absent clusters report that all is well. */
let reports: Record<string, { status: string; reasons: string[] }>;

beforeEach(async () => {
  // The plan goes to the terminal otherwise.
  jest.spyOn(console, 'log').mockImplementation(() => undefined);
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  folder = mkdtempSync(join(tmpdir(), 'fleetwright-mocks-'));
  registered = [];
  dependencies = new Map();
  reports = {};
  await mock({ preview: false });
});

afterEach(() => {
  jest.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

async function mock({ preview }: { readonly preview: boolean }): Promise<void> {
  await pulumi.runtime.setMocks(
    { newResource: take, call: ({ inputs }) => inputs as Record<string, unknown> },
    'shop',
    'dev',
    preview,
  );
  // The mocks are not told what a resource depends on; the request is.
  const monitor = pulumi.runtime.getMonitor();
  if (monitor === undefined) throw new Error('the mocks have no monitor');
  const register = monitor.registerResource.bind(monitor) as (...args: unknown[]) => unknown;
  monitor.registerResource = ((request: RegisterRequest, ...rest: unknown[]) => {
    dependencies.set(
      request.getName(),
      request
        .getDependenciesList()
        .map((urn) => urn.split('::').at(-1) ?? '')
        .sort(),
    );
    return register(request, ...rest);
  }) as typeof monitor.registerResource;
}

interface RegisterRequest {
  getName(): string;
  getDependenciesList(): string[];
}

function take(args: MockResourceArgs): MockResourceResult {
  const { type, name, custom, provider } = args;
  const { value, secrets } = withoutSecrets(args.inputs);
  const inputs = value as Record<string, unknown>;
  if (custom !== false && !type.startsWith('pulumi:providers:')) {
    registered.push({
      type,
      name,
      inputs,
      secrets,
      provider: provider ?? '',
      dependsOn: dependencies.get(name) ?? [],
    });
  }
  if (inputs['kind'] === 'release') {
    const cluster = inputs['cluster'] as string;
    const { status, reasons } = reports[cluster] ?? { status: 'ready', reasons: [] };
    return {
      id: `${name}-id`,
      state: { ...inputs, status, reasons, observed: observedOf(inputs), schemaVersion: 1 },
    };
  }
  if (inputs['kind'] === 'settle')
    return { id: `${name}-id`, state: { ...inputs, observed: '{}' } };
  return { id: `${name}-id`, state: inputs };
}

/** As the provider would report it: observed at the generation that was applied. */
function observedOf(inputs: Record<string, unknown>): string {
  const manifests = Object.entries(inputs['manifests'] as Record<string, string>);
  return JSON.stringify(
    Object.fromEntries(
      manifests.map(([key, text]) => {
        const { apiVersion, kind, metadata } = JSON.parse(text) as { metadata: object } & Record<
          string,
          unknown
        >;
        return [
          key,
          {
            apiVersion,
            kind,
            metadata: { ...metadata, generation: 3 },
            status: { observedGeneration: 3 },
          },
        ];
      }),
    ),
  );
}

/** The value with its secret wrappers taken off, and the paths at which they were. */
function withoutSecrets(value: unknown, path = ''): { value: unknown; secrets: string[] } {
  if (typeof value !== 'object' || value === null) return { value, secrets: [] };
  if (SIGNATURE === (value as Record<string, unknown>)[SECRET]) {
    return { value: (value as Record<string, unknown>)['value'], secrets: [path] };
  }
  const secrets: string[] = [];
  const entries = Object.entries(value).map(([key, child]) => {
    const inner = withoutSecrets(child, path === '' ? key : `${path}.${key}`);
    secrets.push(...inner.secrets);
    return [key, inner.value] as const;
  });
  return {
    value: Array.isArray(value) ? entries.map(([, v]) => v) : Object.fromEntries(entries),
    secrets,
  };
}

async function settled(output: pulumi.Output<unknown>): Promise<unknown> {
  return new Promise((done) => output.apply(done));
}

const CLUSTERS = ['ap-1', 'eu-1', 'eu-2', 'us-1'];
const WAVES = [
  { name: 'canary', clusterAffinity: { clusterNames: ['eu-1'] }, soak: '5s' },
  { name: 'rest', maxConcurrent: 2, maxFailures: 1 },
];

function documents({ waves = WAVES as object[], secret = false } = {}): object[] {
  const env = {
    containers: [{ name: 'main', image: 'web:1', envFrom: [{ secretRef: { name: 'key' } }] }],
  };
  return [
    aDeployment('web', 2, secret ? env : {}),
    aPolicy('web', {}, { propagateDeps: true }),
    ...(secret
      ? [
          {
            apiVersion: 'v1',
            kind: 'Secret',
            metadata: { name: 'key', namespace: 'shop' },
            stringData: { password: 'hunter2' },
          },
        ]
      : []),
    {
      apiVersion: 'fleetwright.dev/v1alpha1',
      kind: 'Rollout',
      metadata: { name: 'web', namespace: 'shop' },
      spec: { waves },
    },
  ];
}

async function release(args: Partial<FleetReleaseArgs> = {}): Promise<FleetRelease> {
  const made = new FleetRelease('shop', {
    documents: documents(),
    fleet: CLUSTERS.map((name) => aCluster(name)),
    lockFile: join(folder, 'fleet.lock.yaml'),
    lock: 'write',
    now: '2026-01-02T00:00:00Z',
    ...args,
  });
  await settled(made.status);
  return made;
}

function called(name: string): Registered {
  const found = registered.find((resource) => resource.name === name);
  if (found === undefined)
    throw new Error(
      `${name} is not registered; there are ${registered.map((r) => r.name).join(', ')}`,
    );
  return found;
}

describe('FleetRelease', () => {
  test('registers a lock guard, a release per cluster, a gate per wave and a settle step', async () => {
    await release();

    expect(registered.map(({ name }) => name).sort()).toEqual([
      'shop-ap-1',
      'shop-eu-1',
      'shop-eu-2',
      'shop-gate-canary',
      'shop-gate-rest',
      'shop-lock',
      'shop-settle',
      'shop-us-1',
    ]);
    expect(called('shop-eu-1').type).toBe('pulumi-nodejs:dynamic/fleetwright:Release');
    expect(new Set(registered.map(({ inputs }) => inputs['__provider']))).toEqual(
      new Set([PROVIDER]),
    );
  });

  test('waves follow each other through gates; inside a wave maxConcurrent is a sliding window', async () => {
    await release();

    expect(called('shop-eu-1').dependsOn).toEqual(['shop-lock']);
    expect(called('shop-gate-canary').dependsOn).toEqual(['shop-eu-1']);
    expect(called('shop-ap-1').dependsOn).toEqual(['shop-gate-canary']);
    expect(called('shop-eu-2').dependsOn).toEqual(['shop-gate-canary']);
    // The third waits for the first: two are at work.
    expect(called('shop-us-1').dependsOn).toEqual(['shop-ap-1', 'shop-gate-canary']);
    expect(called('shop-gate-rest').dependsOn).toEqual(['shop-ap-1', 'shop-eu-2', 'shop-us-1']);
    expect(called('shop-settle').dependsOn).toContain('shop-gate-rest');
  });

  test('a gate knows soak, failure budget and what its releases report', async () => {
    reports['us-1'] = { status: 'failed', reasons: ['no answer'] };

    await release();

    expect(called('shop-gate-canary').inputs).toMatchObject({ soakSeconds: 5, maxFailures: 0 });
    const { inputs } = called('shop-gate-rest');
    expect(inputs).toMatchObject({ soakSeconds: 0, maxFailures: 1 });
    expect(inputs['releases']).toEqual({
      'ap-1': '{"status":"ready","reasons":[]}',
      'eu-2': '{"status":"ready","reasons":[]}',
      'us-1': '{"status":"failed","reasons":["no answer"]}',
    });
  });

  test('manifests travel as canonical JSON texts, one key an object', async () => {
    await release();

    const { manifests } = called('shop-eu-1').inputs as { manifests: Record<string, string> };
    expect(Object.keys(manifests)).toEqual(['apps/v1 Deployment shop/web', 'v1 Namespace shop']);
    const text = manifests['apps/v1 Deployment shop/web'] ?? '';
    expect(JSON.parse(text)).toMatchObject({ kind: 'Deployment', spec: { replicas: 2 } });
    expect(text.indexOf('"apiVersion"')).toBeLessThan(text.indexOf('"kind"'));
  });

  test('Secret data is in no input in clear: it travels in secret inputs only', async () => {
    await release({ documents: documents({ secret: true }) });

    for (const { inputs, secrets } of registered) {
      const open = Object.entries(inputs).filter(([key]) => !secrets.includes(key));
      expect(JSON.stringify(open)).not.toContain('hunter2');
      expect(JSON.stringify(open)).not.toContain(Buffer.from('hunter2').toString('base64'));
    }
    const { inputs, secrets } = called('shop-eu-1');
    expect(secrets).toEqual(expect.arrayContaining(['__facts', 'hash']));
    expect(JSON.stringify(inputs['__facts'])).toContain(Buffer.from('hunter2').toString('base64'));
    // Nor may its hash be read: a short secret can be guessed from it.
    expect(called('shop-gate-canary').secrets).toContain('hash');
    expect(called('shop-settle').secrets).toContain('hash');
  });

  test('without Secrets nothing is hidden from the diff', async () => {
    await release();

    expect(called('shop-eu-1').secrets).toEqual([]);
  });

  test('kubeconfig outputs travel as secrets, to gates and settle too', async () => {
    const text = pulumi.output(Promise.resolve('apiVersion: v1\nkind: Config\n'));

    await release({ kubeconfigs: { 'eu-1': text }, contexts: { 'us-1': 'united' } });

    expect(called('shop-eu-1').secrets).toEqual(['kubeconfig']);
    expect(called('shop-eu-1').inputs['kubeconfig']).toBe('apiVersion: v1\nkind: Config\n');
    expect(called('shop-us-1').inputs).toMatchObject({ kubeconfig: '', context: 'united' });
    const gate = called('shop-gate-canary');
    expect(gate.secrets).toContain('__releases');
    expect(unpack<object[]>(gate.inputs['__releases'] as string)).toMatchObject([
      { cluster: 'eu-1', kubeconfig: 'apiVersion: v1\nkind: Config\n' },
    ]);
  });

  test('a wave that waits for approval is held, with all that follows; approved it is not', async () => {
    const waves = [WAVES[0] as object, { name: 'rest', approval: true }];

    await release({ documents: documents({ waves }) });
    const held = registered.filter(({ inputs }) => inputs['held'] === true).map((r) => r.name);
    registered = [];
    await release({ documents: documents({ waves }), approve: ['rest'] });

    expect(held.sort()).toEqual([
      'shop-ap-1',
      'shop-eu-2',
      'shop-gate-rest',
      'shop-settle',
      'shop-us-1',
    ]);
    expect(registered.filter(({ inputs }) => inputs['held'] === true)).toEqual([]);
  });

  test('a wave outside its time window is held, with all that follows', async () => {
    // The 29th of February at midnight, for a second: closed whenever this runs, but for that second.
    const windows = [{ schedule: '0 0 29 2 *', timeZone: 'UTC', duration: '1s' }];
    const open = [{ schedule: '* * * * *', timeZone: 'UTC', duration: '10m' }];

    await release({
      documents: documents({ waves: [WAVES[0] as object, { name: 'rest', windows }] }),
    });
    const held = ['shop-gate-canary', 'shop-gate-rest'].map((name) => called(name).inputs['held']);
    registered = [];
    await release({ documents: documents({ waves: [{ name: 'all', windows: open }] }) });

    expect(held).toEqual([false, true]);
    expect(called('shop-gate-all').inputs['held']).toBe(false);
  });

  test('an approval by hash holds for this plan only', async () => {
    const waves = [{ name: 'all', approval: true }];
    await release({ documents: documents({ waves }) });
    const hash = called('shop-gate-all').inputs['hash'] as string;
    const approve = [`all@${hash.slice(0, 8)}`];
    registered = [];

    await release({ documents: documents({ waves }), approve });
    const same = called('shop-gate-all').inputs['held'];
    registered = [];
    await release({
      documents: [...documents({ waves }).slice(1), aDeployment('web', 5)],
      approve,
    });

    expect([same, called('shop-gate-all').inputs['held']]).toEqual([false, true]);
  });

  test('observedGeneration and status are maps by template', async () => {
    const made = await release();

    expect(await settled(made.observedGeneration)).toMatchObject({ 'Deployment shop/web': 1 });
    expect(await settled(made.status)).toMatchObject({
      'Deployment shop/web': { generation: 1, observedGeneration: 1, behind: [] },
    });
  });

  test('a cluster that left keeps its release, which asks nothing of it any more', async () => {
    await release();
    registered = [];

    await release({
      fleet: CLUSTERS.filter((name) => name !== 'us-1').map((name) => aCluster(name)),
      acknowledge: ['FLEET_SHRANK'],
    });

    expect(called('shop-us-1').inputs).toMatchObject({ orphaned: true, manifests: {} });
    expect(called('shop-us-1').dependsOn).toEqual(['shop-lock']);
    expect(Object.keys(called('shop-gate-rest').inputs['releases'] as object)).toEqual([
      'ap-1',
      'eu-2',
    ]);
  });

  test('a cluster that comes back is no orphan', async () => {
    await release();
    await release({
      fleet: CLUSTERS.slice(0, 3).map((name) => aCluster(name)),
      acknowledge: ['FLEET_SHRANK'],
    });
    registered = [];

    await release();

    expect(called('shop-us-1').inputs).toMatchObject({ orphaned: false });
  });

  test('up writes the lock, a preview does not', async () => {
    await mock({ preview: true });
    await release();
    const previewed = existsSync(join(folder, 'fleet.lock.yaml'));
    await mock({ preview: false });
    await release();

    expect(previewed).toBe(false);
    expect(readFileSync(join(folder, 'fleet.lock.yaml'), 'utf8')).toContain('serial: 1');
  });

  test.each([
    ['a document that is no object', { documents: [{ apiVersion: 'v1', kind: 'Nonsense' }] }],
    [
      'a plan with errors',
      { documents: [aDeployment('web'), aPolicy('web', { clusterAfinity: {} })] },
    ],
    ['a fleet that is not there', { fleet: 'nowhere.yaml' }],
    ['an empty fleet', { fleet: [] }],
    ['a frozen lock that would change', { lock: 'frozen' as const }],
  ])('%s throws, registers nothing and writes nothing', async (_name, args) => {
    await expect(release(args)).rejects.toThrow(/nothing is registered|no fleet/);

    expect(registered).toEqual([]);
    expect(existsSync(join(folder, 'fleet.lock.yaml'))).toBe(false);
  });

  test('documents come from files too, with their place in messages', async () => {
    const file = join(folder, 'shop.yaml');
    writeFileSync(
      file,
      printDocuments([...documents().slice(0, 1), { kind: 'X', apiVersion: 'v1' }] as never),
    );

    await expect(release({ documents: [], files: [file] })).rejects.toThrow(/shop\.yaml:\d+/);
  });
});

describe('outputs of other resources', () => {
  const address = (value: string): pulumi.Output<string> => pulumi.output(Promise.resolve(value));
  const withEnv = (value: unknown): object[] => {
    const env = { containers: [{ name: 'main', image: 'web:1', env: [{ name: 'DB', value }] }] };
    return [aDeployment('web', 2, env), aPolicy('web', {})];
  };
  const textOf = (name: string): string =>
    (called(name).inputs['manifests'] as Record<string, string>)['apps/v1 Deployment shop/web'] ??
    '';

  test('take their places after planning, and the revision covers them', async () => {
    await release({ documents: withEnv(address('db-1.example')) });
    const [first, hash] = [textOf('shop-eu-1'), called('shop-eu-1').inputs['hash']];
    const lock = readFileSync(join(folder, 'fleet.lock.yaml'), 'utf8');
    registered = [];
    await release({ documents: withEnv(address('db-2.example')) });

    expect(first).toContain('db-1.example');
    expect(textOf('shop-eu-1')).toContain('db-2.example');
    expect(called('shop-eu-1').inputs['hash']).not.toBe(hash);
    const { metadata } = JSON.parse(first) as { metadata: { annotations: object } };
    const facts = JSON.stringify(called('shop-eu-1').inputs['__facts']);
    expect(first).not.toBe(textOf('shop-eu-1'));
    expect(Object.keys(metadata.annotations)).toContain('fleetwright.dev/revision');
    expect(facts).not.toContain('fleetwright-output');
    // Nothing was decided anew for it.
    expect(readFileSync(join(folder, 'fleet.lock.yaml'), 'utf8')).toBe(lock);
  });

  test('secret ones make secret what holds them', async () => {
    await release({ documents: withEnv(pulumi.secret('hunter2')) });

    for (const { inputs, secrets } of registered) {
      const open = Object.entries(inputs).filter(([key]) => !secrets.includes(key));
      expect(JSON.stringify(open)).not.toContain('hunter2');
    }
    const { inputs, secrets } = called('shop-eu-1');
    expect(secrets).toEqual(expect.arrayContaining(['manifests', '__facts', 'hash']));
    expect(JSON.stringify(inputs['__facts'])).toContain('masked');
  });

  test('reach constructs and longer texts by name, and the data of Secrets', async () => {
    const secret = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'key', namespace: 'shop' },
      stringData: { url: `https://${outputText('db', address('db.example'))}/` },
    };
    await release({ documents: [...documents({ secret: true }).slice(0, 2), secret] });

    expect(JSON.stringify(called('shop-eu-1').inputs['__facts'])).toContain(
      Buffer.from('https://db.example/').toString('base64'),
    );
  });

  test.each<[string, object]>([
    ['replicas', { ...aDeployment('web'), spec: { replicas: pulumi.output(3) } }],
    [
      'a label',
      {
        ...aDeployment('web'),
        metadata: { name: 'web', namespace: 'shop', labels: { zone: pulumi.output('x') } },
      },
    ],
    [
      'a policy',
      aPolicy('web', { clusterAffinity: { clusterNames: [pulumi.output('eu-1')] } as never }),
    ],
  ])('OUTPUT_IN_DECISION: %s cannot be one; nothing is registered', async (what, document) => {
    const rest = what === 'a policy' ? aDeployment('web') : aPolicy('web', {});

    await expect(release({ documents: [document, rest] })).rejects.toThrow(
      /OUTPUT_IN_DECISION[\s\S]*not known when the plan decides/,
    );
    expect(registered).toEqual([]);
  });

  test('OUTPUT_IN_DECISION: an image that an override takes apart', async () => {
    const image = { containers: [{ name: 'main', image: address('r.example/web:1') }] };
    const override = {
      apiVersion: 'policy.karmada.io/v1alpha1',
      kind: 'OverridePolicy',
      metadata: { name: 'mirror', namespace: 'shop' },
      spec: {
        overrideRules: [
          {
            overriders: {
              imageOverrider: [{ component: 'Registry', operator: 'replace', value: 'm.example' }],
            },
          },
        ],
      },
    };
    await release({ documents: [aDeployment('web', 2, image), aPolicy('web', {})] });
    const plain = textOf('shop-eu-1');

    expect(plain).toContain('r.example/web:1');
    await expect(
      release({ documents: [aDeployment('web', 2, image), aPolicy('web', {}), override] }),
    ).rejects.toThrow(/OUTPUT_IN_DECISION[\s\S]*override/);
  });
});

describe('a plan that is too large', () => {
  test('PLAN_TOO_LARGE: is refused with the figures and the way to split it', async () => {
    const fleet = Array.from({ length: 1000 }, (_, i) => aCluster(`c-${i}`));

    await expect(
      release({ fleet, documents: documents({ waves: [{ name: 'all' }] }) }),
    ).rejects.toThrow(
      /PLAN_TOO_LARGE[\s\S]*1003 resources and about \d+ MB[\s\S]*Split it into 2 stacks/,
    );
    expect(registered).toEqual([]);
  });
});

describe('via pulumi-kubernetes', () => {
  async function providers(
    names: readonly string[],
  ): Promise<Record<string, pulumi.ProviderResource>> {
    const { Provider } = await import('@pulumi/kubernetes');
    return Object.fromEntries(
      names.map((name) => [name, new Provider(`to-${name}`, { kubeconfig: `of ${name}` })]),
    );
  }
  const via = 'pulumi-kubernetes' as const;

  test('every manifest becomes a resource under the provider of its cluster', async () => {
    await release({ via, providers: await providers(CLUSTERS) });

    const deployments = registered.filter(({ type }) => type === 'kubernetes:apps/v1:Deployment');
    expect(deployments.map(({ name }) => name).sort()).toEqual(
      CLUSTERS.map((cluster) => `shop-${cluster}-apps-v1-Deployment-shop-web`),
    );
    for (const { name, provider, inputs } of deployments) {
      const cluster = name.slice('shop-'.length, 'shop-eu-1'.length);
      expect(provider).toContain(`::to-${cluster}::`);
      expect(inputs).toMatchObject({ metadata: { name: 'web' }, spec: { replicas: 2 } });
    }
  });

  test('waves depend on each other, namespaces come first, the lock guard before all', async () => {
    await release({ via, providers: await providers(CLUSTERS) });

    expect(called('shop-eu-1-v1-Namespace-shop').dependsOn).toEqual(['shop-lock']);
    expect(called('shop-eu-1-apps-v1-Deployment-shop-web').dependsOn).toEqual([
      'shop-eu-1-v1-Namespace-shop',
      'shop-lock',
    ]);
    expect(called('shop-us-1-v1-Namespace-shop').dependsOn).toEqual([
      'shop-eu-1-apps-v1-Deployment-shop-web',
      'shop-eu-1-v1-Namespace-shop',
    ]);
  });

  test('Secret data are Pulumi secrets', async () => {
    await release({
      via,
      providers: await providers(CLUSTERS),
      documents: documents({ secret: true }),
    });

    expect(called('shop-eu-1-v1-Secret-shop-key').secrets).toEqual(['data']);
  });

  test('the aggregated observedGeneration is an output here too', async () => {
    const made = await release({ via, providers: await providers(CLUSTERS) });

    expect(await settled(made.observedGeneration)).toMatchObject({ 'Deployment shop/web': 1 });
  });

  test('a missing provider throws before anything is registered or written', async () => {
    const some = await providers(['eu-1', 'eu-2']);

    await expect(release({ via, providers: some })).rejects.toThrow(/missing: ap-1, us-1/);

    expect(registered).toEqual([]);
    expect(existsSync(join(folder, 'fleet.lock.yaml'))).toBe(false);
  });

  test('a wave that must be held cannot go this way', async () => {
    const waves = [{ name: 'all', approval: true }];

    await expect(
      release({ via, providers: await providers(CLUSTERS), documents: documents({ waves }) }),
    ).rejects.toThrow(/cannot hold a wave for approval: all/);
  });
});
