import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { KubeObject } from '../../../lib/engine/object.js';
import type { PlannedWave, Release } from '../../../lib/engine/plan.js';
import { ProviderError } from '../../../lib/providers/cluster/client.js';
import { readKeptFleet, summarize } from '../../../lib/providers/rollout/index.js';
import type { GateOutputs } from '../../../lib/providers/pulumi/gate-lifecycle.js';
import * as provider from '../../../lib/providers/pulumi/provider.js';
import { maskOf, pack, toWire } from '../../../lib/providers/pulumi/release-wire.js';
import type {
  GateInputs,
  Inputs,
  ReleaseInputs,
  ReleaseOutputs,
  ReleaseWire,
  SettleInputs,
} from '../../../lib/providers/pulumi/wire.js';
import { PROVIDER } from '../../../lib/providers/pulumi/wire.js';
import {
  aConfigMap,
  aDeployment,
  aFleet,
  aManifest,
  aNamespace,
  aRelease,
  type TestFleet,
} from '../rollout/releases.js';

/** The provider's functions as Pulumi calls them, on simulated clusters. */
let fleet: TestFleet;
let statuses: string[];
let opened: string[];
let engine: AbortController;

beforeEach(async () => {
  fleet = await aFleet('a', 'b');
  statuses = [];
  opened = [];
  engine = new AbortController();
  provider.useSession({
    link: {
      signal: engine.signal,
      status: (_urn, message) => void statuses.push(message),
    },
    open: (access) => {
      opened.push(access.cluster);
      return fleet.connect(access.cluster);
    },
    unreachableSeconds: 1,
    failures: new Map(),
    gates: new Map(),
  });
});

afterEach(() => fleet.close());

const COMMON = {
  application: 'web-shop',
  environment: '',
  __urn: 'urn:x',
  __provider: PROVIDER,
} as const;

const NOW = '2026-01-02T00:00:00Z';

function waveOf(releases: readonly Release[]): PlannedWave {
  const clusters = releases.map(({ cluster }) => cluster);
  const gate = { soakSeconds: 0, deadlineSeconds: 5, maxFailures: 0, approval: false };
  return { name: 'canary', clusters, maxConcurrent: 9, gate };
}

function wireOf(release: Release): ReleaseWire {
  const { cluster } = release;
  return toWire(release, { cluster, kubeconfigPath: '', context: cluster, kubeconfig: '' });
}

function inputs(release: Release, facts: Partial<ReleaseInputs> = {}): ReleaseInputs {
  return {
    ...COMMON,
    ...wireOf(release),
    kind: 'release',
    hash: release.manifests.map(({ revision }) => revision).join(),
    held: false,
    orphaned: false,
    deadlineSeconds: 5,
    __maxFailures: 9,
    __dryRun: false,
    ...facts,
  };
}

function shop(cluster: string, image = 'nginx:1', more: readonly KubeObject[] = []): Release {
  return aRelease(cluster, [
    aNamespace(),
    aConfigMap('env'),
    aDeployment('web', { image }),
    ...more,
  ]);
}

async function created(news: Inputs): Promise<ReleaseOutputs> {
  return (await provider.create(news)).outs as ReleaseOutputs;
}

function gateOf(
  releases: Readonly<Record<string, ReleaseOutputs>>,
  planned: readonly Release[],
  facts: Partial<GateInputs> = {},
): GateInputs {
  return {
    ...COMMON,
    kind: 'gate',
    wave: 'canary',
    hash: 'h1',
    releases: Object.fromEntries(
      Object.entries(releases).map(([cluster, { status, reasons, applied }]) => [
        cluster,
        JSON.stringify({ status, reasons, applied }),
      ]),
    ),
    maxFailures: 0,
    soakSeconds: 0,
    held: false,
    onFailure: 'pause',
    __wave: { maxConcurrent: 9, deadlineSeconds: 5, lockSerial: 1, now: NOW },
    __releases: pack(planned.map(wireOf)),
    ...facts,
  };
}

function settleOf(releases: readonly Release[], facts: Partial<SettleInputs> = {}): SettleInputs {
  return {
    ...COMMON,
    kind: 'settle',
    hash: 's1',
    held: false,
    deadlineSeconds: 5,
    releases: {},
    removes: '',
    __keep: { waves: [waveOf(releases)], lockSerial: 1, now: NOW },
    __work: pack(releases.map((release) => ({ ...wireOf(release), deletions: release.deletions }))),
    ...facts,
  };
}

async function live(cluster: string, kind: string, name: string): Promise<KubeObject | undefined> {
  const apiVersion = kind === 'Deployment' ? 'apps/v1' : 'v1';
  return (await fleet.client(cluster)).get({ apiVersion, kind, namespace: 'shop', name });
}

describe('a release', () => {
  test('create applies, waits and keeps small outputs: no live object, no code', async () => {
    const { id, outs } = await provider.create(inputs(shop('a')));

    expect(id).toBe('web-shop/a');
    expect(outs).toMatchObject({ status: 'ready', reasons: [], schemaVersion: 1, cluster: 'a' });
    expect(await live('a', 'Deployment', 'web')).toBeDefined();
    expect(JSON.stringify(outs)).not.toMatch(/managedFields|resourceVersion|uid/);
    expect(statuses.at(-1)).toMatch(/^\[\d\/3\] a: /);
  });

  test('environments of one application have ids of their own', async () => {
    const { id } = await provider.create(inputs(shop('a'), { environment: 'staging' }));

    expect(id).toBe('web-shop-staging/a');
  });

  test('an image that never comes up is a success with status failed and the reason', async () => {
    const outs = await created(inputs(shop('a', 'nginx:does-not-exist'), { deadlineSeconds: 1 }));

    expect(outs.status).toBe('failed');
    expect(outs.reasons.join('\n')).toMatch(/Deployment shop\/web.*ImagePullBackOff/);
  });

  test('a cluster that does not answer fails alone; the others go on', async () => {
    await fleet.sandbox.cluster('b').stop();

    const [a, b] = await Promise.all([created(inputs(shop('a'))), created(inputs(shop('b')))]);

    expect([a?.status, b?.status]).toEqual(['ready', 'failed']);
    expect(b?.reasons.join('\n')).toMatch(/\bb\b/);
    // It is a change on every later run, although nothing changed.
    expect((await provider.diff('x', b as ReleaseOutputs, inputs(shop('b')))).changes).toBe(true);
  });

  test('a cluster that cannot even be addressed fails the same way', async () => {
    provider.useSession({
      link: { signal: engine.signal, status: () => undefined },
      failures: new Map(),
      open: async (access) => {
        throw new ProviderError('unreachable', `no context "${access.context}"`, {
          cluster: access.cluster,
        });
      },
    });

    expect(await created(inputs(shop('a')))).toMatchObject({
      status: 'failed',
      reasons: [expect.stringContaining('no context "a"')],
    });
  });

  test('update brings a new revision; the same inputs are no change', async () => {
    const before = await created(inputs(shop('a')));
    const news = inputs(shop('a', 'nginx:2'));

    expect((await provider.diff('x', before, inputs(shop('a')))).changes).toBe(false);
    expect(await provider.diff('x', before, news)).toEqual({
      changes: true,
      replaces: [],
      deleteBeforeReplace: false,
    });
    const { outs } = await provider.update('x', before, news);

    expect(outs).toMatchObject({ status: 'ready' });
    expect(JSON.stringify(await live('a', 'Deployment', 'web'))).toContain('nginx:2');
  });

  test('another cluster is another resource: replaced, the old one deleted first', async () => {
    const before = await created(inputs(shop('a')));

    expect(await provider.diff('x', before, inputs(shop('b')))).toEqual({
      changes: true,
      replaces: ['cluster'],
      deleteBeforeReplace: true,
    });
  });

  test('state of an older schema is a change', async () => {
    const before = { ...(await created(inputs(shop('a')))), schemaVersion: 0 };

    expect((await provider.diff('x', before, inputs(shop('a')))).changes).toBe(true);
  });

  test('check and diff open no connection', async () => {
    const before = await created(inputs(shop('a')));
    opened = [];

    await provider.check({}, inputs(shop('a', 'nginx:2')));
    await provider.diff('x', before, inputs(shop('a', 'nginx:2')));

    expect(opened).toEqual([]);
  });

  test('with dryRun check asks the cluster: what it refuses is a failure, nothing is stored', async () => {
    await created(inputs(shop('a')));
    const bad = aDeployment('web', { image: 'nginx:2' });
    (bad['spec'] as { replicas: unknown }).replicas = -1;

    const { failures } = await provider.check(
      {},
      inputs(aRelease('a', [aNamespace(), bad]), { __dryRun: true }),
    );

    expect(failures).toEqual([
      {
        property: 'manifests',
        reason: expect.stringMatching(/^a: apply Deployment shop\/web: .*spec\.replicas/),
      },
    ]);
    expect(JSON.stringify(await live('a', 'Deployment', 'web'))).toContain('nginx:1"');
  });

  test('with dryRun a dead cluster is a warning', async () => {
    await fleet.sandbox.cluster('a').stop();

    const { failures } = await provider.check({}, inputs(shop('a'), { __dryRun: true }));

    expect(failures).toEqual([]);
    expect(statuses.join('\n')).toMatch(/^a: /);
  });

  test('a held release is no change and touches nothing, whatever its inputs say', async () => {
    const before = await created(inputs(shop('a')));
    opened = [];
    const held = inputs(shop('a', 'nginx:2'), { held: true });

    expect((await provider.diff('x', before, held)).changes).toBe(false);
    expect((await provider.update('x', before, held)).outs).toEqual(before);
    expect(await created(inputs(shop('b'), { held: true }))).toMatchObject({ status: 'held' });
    expect(opened).toEqual([]);
  });

  test('an engine that is gone stops the work with an error, not with a status', async () => {
    const slow = aDeployment('web', { annotations: { 'rig/ready-after': '1h' } });
    const creating = created(inputs(aRelease('a', [aNamespace(), slow]), { deadlineSeconds: 60 }));
    const stop = setInterval(() => {
      if (statuses.some((line) => line.includes('Deployment'))) engine.abort();
    }, 10);

    await expect(creating).rejects.toThrow(/engine is gone/);
    clearInterval(stop);
  });
});

test('once more have failed than may, no further cluster of the wave starts', async () => {
  await fleet.sandbox.cluster('a').stop();
  await created(inputs(shop('a'), { __maxFailures: 0 }));
  opened = [];

  const b = await created(inputs(shop('b'), { __maxFailures: 0 }));

  expect(b).toMatchObject({ status: 'failed', hash: '' });
  expect(b.reasons).toEqual(['not started: 1 of wave all failed (a), 0 may']);
  expect(opened).toEqual([]);
});

test('nothing is written in a later wave while an earlier one, whose gate had nothing to do, is not ready', async () => {
  const a = await created(inputs(shop('a')));
  const gate = gateOf({ a }, [shop('a', 'nginx:2')]);
  await provider.check(gate, gate);

  const b = await created(inputs(shop('b'), { __after: ['canary'] }));

  expect(b).toMatchObject({ status: 'failed', hash: '' });
  expect(b.reasons.join()).toMatch(/^not started: wave canary is not ready: .*Deployment shop/);
  expect(await live('b', 'Deployment', 'web')).toBeUndefined();
});

test('a held release stays registered as it was', async () => {
  const old = inputs(shop('a'));
  const held = inputs(shop('a', 'nginx:2'), { held: true });

  expect((await provider.check(old, held)).inputs).toEqual({ ...old, held: true });
  expect((await provider.check({}, held)).inputs).toMatchObject({ manifests: {}, hash: '' });
});

test('what a server quotes of a secret is not repeated', () => {
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'key', namespace: 'shop' } };
  const data = { password: Buffer.from('hunter2').toString('base64') };
  const wire = wireOf(aRelease('a', [{ ...secret, data }]));

  expect(maskOf([wire])(`invalid: "hunter2" and ${data.password}`)).toBe(
    'invalid: "[secret]" and [secret]',
  );
});

describe('refresh', () => {
  test('finds nothing where nothing changed', async () => {
    const before = await created(inputs(shop('a')));

    expect(await provider.read('x', before)).toEqual({ id: 'x', props: before });
  });

  test('an object edited by hand makes the release drifted, and the next diff a change', async () => {
    const before = await created(inputs(shop('a')));
    await (
      await fleet.client('a')
    ).apply(aConfigMap('env', { MODE: 'b' }), { force: true, fieldManager: 'somebody' });

    const { props } = await provider.read('x', before);

    expect(props).toMatchObject({
      status: 'drifted',
      reasons: ['ConfigMap shop/env differs at .data.MODE'],
    });
    expect((await provider.diff('x', props as ReleaseOutputs, inputs(shop('a')))).changes).toBe(
      true,
    );
  });

  test('a missing object is drift, a vanished release is gone', async () => {
    const before = await created(
      inputs(aRelease('a', [aNamespace(), aConfigMap('x'), aConfigMap('y')])),
    );
    const client = await fleet.client('a');
    const remove = (name: string): Promise<unknown> =>
      client.delete({ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'shop', name });

    await remove('x');
    const one = await provider.read('x', before);
    await remove('y');
    const none = await provider.read('x', before);

    expect(one.props).toMatchObject({
      status: 'drifted',
      reasons: ['ConfigMap shop/x is missing'],
    });
    expect(none).toEqual({});
  });

  test('a cluster that does not answer fails its release, not the refresh', async () => {
    const before = await created(inputs(shop('a')));
    await fleet.sandbox.cluster('a').stop();

    const { id, props } = await provider.read('x', before);

    expect([id, props]).toMatchObject(['x', { status: 'failed', hash: before.hash }]);
  });
});

describe('delete', () => {
  test('removes what the set lists and leaves the namespace', async () => {
    const before = await created(inputs(shop('a')));

    await provider.delete('x', before);

    expect(await live('a', 'Deployment', 'web')).toBeUndefined();
    expect(await live('a', 'ConfigMap', 'env')).toBeUndefined();
    expect(
      await (await fleet.client('a')).get({ apiVersion: 'v1', kind: 'Namespace', name: 'shop' }),
    ).toBeDefined();
  });

  test('what is gone already is no error', async () => {
    const before = await created(inputs(shop('a')));
    await provider.delete('x', before);

    await expect(provider.delete('x', before)).resolves.toBeUndefined();
  });

  test('a dead cluster is an error that names it', async () => {
    const before = await created(inputs(shop('a')));
    await fleet.sandbox.cluster('a').stop();

    await expect(provider.delete('x', before)).rejects.toThrow(/^a: /);
  });

  test('gates, guards and settle own nothing', async () => {
    opened = [];

    await provider.delete('x', { kind: 'gate' });
    await provider.delete('x', { kind: 'settle' });
    await provider.delete('x', { kind: 'lock' });

    expect(opened).toEqual([]);
  });
});

describe('an orphaned cluster', () => {
  const orphan = inputs(aRelease('a', []), { orphaned: true, hash: '' });

  test('is asked nothing, from the moment it left to the removal of its resource', async () => {
    const before = await created(inputs(shop('a')));
    await fleet.sandbox.cluster('a').stop({ blackHole: true });
    opened = [];

    const leaving = await provider.diff('x', before, orphan);
    const { outs } = await provider.update('x', before, orphan);
    const gone = outs as ReleaseOutputs;
    const again = await provider.diff('x', gone, orphan);
    const refreshed = await provider.read('x', gone);
    await provider.delete('x', gone);

    expect([leaving.changes, again.changes]).toEqual([true, false]);
    expect(gone).toMatchObject({ status: 'orphaned', orphaned: true });
    expect(refreshed.props).toEqual(gone);
    expect(opened).toEqual([]);
  });

  test('that comes back is applied again', async () => {
    const gone = await created(orphan);

    expect((await provider.diff('x', gone, inputs(shop('a')))).changes).toBe(true);
    expect((await provider.update('x', gone, inputs(shop('a')))).outs).toMatchObject({
      status: 'ready',
      orphaned: false,
    });
  });
});

describe('a gate', () => {
  test('opens when all releases are ready at the revisions of this plan', async () => {
    const planned = [shop('a'), shop('b')];
    const [a, b] = await Promise.all(planned.map((release) => created(inputs(release))));
    const news = gateOf({ a: a as ReleaseOutputs, b: b as ReleaseOutputs }, planned);

    const { id, outs } = await provider.create(news);

    expect(id).toBe('web-shop/gate/canary');
    expect(outs).toMatchObject({ hash: 'h1', wave: 'canary' });
    expect((await provider.diff(id, outs as never, news)).changes).toBe(false);
    expect((await provider.diff(id, outs as never, { ...news, hash: 'h2' })).changes).toBe(true);
  });

  test('throws with a reason per cluster and object', async () => {
    const planned = [shop('a'), shop('b', 'nginx:does-not-exist')];
    const a = await created(inputs(planned[0] as Release));
    const b = await created(inputs(planned[1] as Release, { deadlineSeconds: 1 }));

    await expect(provider.create(gateOf({ a, b }, planned))).rejects.toThrow(
      /wave canary did not pass: 1 of 2 clusters failed, 0 may[\s\S]*b: .*Deployment shop\/web[\s\S]*run `pulumi up` again/,
    );
  });

  test('lets as many fail as maxFailures says', async () => {
    const planned = [shop('a'), shop('b')];
    const a = await created(inputs(planned[0] as Release));
    const b = { ...a, status: 'failed' as const, reasons: ['no answer'] };

    const { outs } = await provider.create(gateOf({ a, b }, planned, { maxFailures: 1 }));

    expect(outs).toMatchObject({ hash: 'h1' });
  });

  test('looks again: what was ready and is no more does not pass', async () => {
    const planned = [shop('a')];
    const a = await created(inputs(planned[0] as Release));
    await (
      await fleet.client('a')
    ).delete({ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'shop', name: 'env' });

    await expect(provider.create(gateOf({ a }, planned))).rejects.toThrow(/ConfigMap shop\/env/);
  });

  test('an older revision that is ready does not open it', async () => {
    const a = await created(inputs(shop('a')));

    await expect(provider.create(gateOf({ a }, [shop('a', 'nginx:2')]))).rejects.toThrow(
      /wave canary did not pass/,
    );
  });

  test('a cluster that dies between apply and gate counts as failed', async () => {
    const a = await created(inputs(shop('a')));
    await fleet.sandbox.cluster('a').stop();

    await expect(provider.create(gateOf({ a }, [shop('a')]))).rejects.toThrow(/1 of 1 clusters/);
  });

  test('with onFailure continue it lets pass, unproven, and is asked again', async () => {
    const planned = [shop('a')];
    const a = { ...(await created(inputs(shop('a')))), status: 'failed' as const };
    const news = gateOf({ a }, planned, { onFailure: 'continue' });

    const { outs } = await provider.create(news);

    expect(outs).toMatchObject({ hash: '', passed: '' });
    expect((await provider.diff('x', outs as never, news)).changes).toBe(true);
  });

  test('held, it does not move and asks nobody', async () => {
    const a = await created(inputs(shop('a')));
    opened = [];
    const held = gateOf({ a }, [shop('a')], { held: true });

    expect((await provider.create(held)).outs).toMatchObject({ hash: '' });
    expect((await provider.diff('x', { kind: 'gate' }, held)).changes).toBe(false);
    expect(opened).toEqual([]);
  });
});

describe('settle', () => {
  test('removes what the plan names and reports what the clusters show', async () => {
    const old = shop('a', 'nginx:1', [aConfigMap('old')]);
    await created(inputs(old));
    const resource = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'shop', name: 'old' };
    const planned = { ...shop('a'), deletions: [{ resource, reason: 'removed' }] };
    await provider.update('x', {}, inputs(planned));

    const { outs } = await provider.create(settleOf([planned]));

    expect(await live('a', 'ConfigMap', 'old')).toBeUndefined();
    expect(outs).toMatchObject({ hash: 's1' });
    const { observed } = outs as { observed: string };
    expect(Object.keys((JSON.parse(observed) as { a: object }).a)).toEqual([
      'v1 ConfigMap shop/env',
      'apps/v1 Deployment shop/web',
    ]);
  });

  test('removes what an interrupted run left in the set', async () => {
    await created(inputs(shop('a', 'nginx:1', [aConfigMap('forgotten')])));
    await provider.update('x', {}, inputs(shop('a')));

    await provider.create(settleOf([shop('a')]));

    expect(await live('a', 'ConfigMap', 'forgotten')).toBeUndefined();
  });

  test('shrinks only here', async () => {
    const growing = aDeployment('web', { replicas: 4 });
    const manifest = aManifest(aDeployment('web', { replicas: 1 }));
    const held = { ...manifest.object, spec: growing['spec'] } as KubeObject;
    const planned = aRelease('a', [aNamespace(), { ...manifest, growing: held }]);
    await created(inputs(planned));
    const before = await live('a', 'Deployment', 'web');

    await provider.create(settleOf([planned]));

    const replicas = (object: KubeObject | undefined): unknown =>
      (object?.['spec'] as { replicas?: unknown } | undefined)?.replicas;
    expect([replicas(before), replicas(await live('a', 'Deployment', 'web'))]).toEqual([4, 1]);
  });

  test('nothing shrinks or goes while a cluster is not ready; it is named', async () => {
    for (const cluster of ['a', 'b'])
      await created(inputs(shop(cluster, 'nginx:1', [aConfigMap('old')])));
    for (const cluster of ['a', 'b']) await provider.update('x', {}, inputs(shop(cluster)));
    await fleet.sandbox.cluster('b').stop();

    await expect(provider.create(settleOf([shop('a'), shop('b')]))).rejects.toThrow(
      /nothing shrinks or goes while a cluster is not ready:\n {2}b: /,
    );

    expect(await live('a', 'ConfigMap', 'old')).toBeDefined();
  });

  test('is due again when a release was applied again: it may have grown', async () => {
    const planned = shop('a');
    const a = await created(inputs(planned));
    const releases = (applied: string): Record<string, string> => ({
      a: JSON.stringify({ status: 'ready', reasons: [], applied }),
    });
    const news = settleOf([planned], { releases: releases(a.applied ?? '') });

    const { outs } = await provider.create(news);

    expect((await provider.diff('x', outs as never, news)).changes).toBe(false);
    expect(
      (await provider.diff('x', outs as never, { ...news, releases: releases('again') })).changes,
    ).toBe(true);
    expect((await provider.diff('x', outs as never, { ...news, removes: 'r' })).changes).toBe(true);
  });

  test('keeps what the clusters have, as the command line does, and a failed wave goes back to it', async () => {
    await created(inputs(shop('a')));
    await provider.create(settleOf([shop('a')]));
    const owner = { application: 'web-shop' };
    const kept = summarize(await readKeptFleet(owner, ['a'], fleet.connect));
    const bad = shop('a', 'nginx:does-not-exist');
    const a = await created(inputs(bad, { deadlineSeconds: 1 }));
    const gate = gateOf({ a }, [bad], { onFailure: 'rollback' });

    const error = await provider.create(gate).then(
      () => undefined,
      (thrown: unknown) => thrown as Error & { properties: GateOutputs },
    );
    const image = JSON.stringify(await live('a', 'Deployment', 'web'));
    // The next run finds nothing to do for a release that had been ready, and the gate applies it.
    const good = shop('a', 'nginx:2');
    const ready = { ...a, status: 'ready' as const, reasons: [] };
    const again = gateOf({ a: ready }, [good], { onFailure: 'rollback' });
    const { outs } = await provider.update('x', error?.properties ?? {}, again);

    expect(kept.map(({ revision, clusters }) => [revision, clusters])).toEqual([[1, ['a']]]);
    expect(error?.message).toMatch(/did not pass[\s\S]*went back to revision 1\./);
    expect(error?.properties).toMatchObject({ hash: '', rolledBack: true });
    expect(image).toContain('nginx:1"');
    expect(outs).toMatchObject({ hash: 'h1', rolledBack: false });
    expect(JSON.stringify(await live('a', 'Deployment', 'web'))).toContain('nginx:2"');
  });

  test('held, it waits', async () => {
    const held = settleOf([shop('a')], { held: true });
    opened = [];

    expect((await provider.create(held)).outs).toMatchObject({ hash: '' });
    expect((await provider.diff('x', { kind: 'settle' }, held)).changes).toBe(false);
    expect(opened).toEqual([]);
  });
});

test('values that are not known yet reach no cluster and no parser', async () => {
  const unknown = '04da6b54-80e4-46f7-96ec-b56ff0331ba9';
  const news = { ...inputs(shop('a'), { __dryRun: true }), kubeconfig: unknown };

  expect((await provider.check({}, news)).failures).toEqual([]);
  expect(
    await provider.diff('x', { kind: 'gate' }, { ...gateOf({}, []), hash: unknown }),
  ).toMatchObject({ changes: true });
  expect(opened).toEqual([]);
});
